import type { Reason } from '../../provider/errors.ts';
import { describeReason, type ReasonText, reasons } from '../../provider/response/error-messages.ts';
import type { OperationError } from '../../store/operations/operation.ts';

/** Reasons of the program, besides those of the provider client. */
const programReasons: Readonly<Record<string, ReasonText>> = {
  stopped_midway: { happened: 'Switchboard stopped before the provider answered.', next: '' },
  failed_midway: { happened: 'Switchboard failed before the provider answered.', next: '' },
  not_recorded: {
    happened: 'Switchboard’s database couldn’t be reached.',
    next: 'Send it again.',
  },
  unclear_answers: {
    happened: 'The provider gave no clear answer several times in a row.',
    next: 'Check that the provider works, then resume.',
  },
  budget: {
    happened: 'The page budget was used up.',
    next: 'Resume once it frees up, or ask an admin to raise it.',
  },
  country: {
    happened: 'Some recipients are in a country that this workspace doesn’t send to.',
    next: 'Ask an admin to allow it, then resume. Or cancel.',
  },
  not_connected: {
    happened: 'The provider key was removed.',
    next: 'Ask an admin to connect a key, then resume.',
  },
  not_permitted: {
    happened: 'The person who scheduled it can no longer send campaigns here. Nothing was sent.',
    next: 'Ask an admin to resume it, or to give that person the role sender, then resume.',
  },
  shut_out: {
    happened: 'Slack stopped letting Switchboard into this workspace.',
    next: 'If Switchboard is to go on here, resume.',
  },
  restored: {
    happened:
      'Switchboard’s data was restored or copied, and may not know of everything that was sent. Some recipients may ' +
      'have the message already.',
    next: 'Check at the provider before you resume.',
  },
};

/**
 * Describes why something was not accepted: what happened, and what to do where nothing was sent. The one wording of a
 * failure, for outcomes, files and the history.
 */
export function describeFailure(error: OperationError | undefined): ReasonText {
  const { reason, ...facts } = error ?? { reason: 'stopped_midway' };
  if (isProviderReason(reason)) {
    return describeReason({ reason, ...facts });
  }
  return programReasons[reason] ?? { happened: 'The reason is not known.', next: '' };
}

function isProviderReason(reason: string): reason is Reason {
  return Object.hasOwn(reasons, reason);
}
