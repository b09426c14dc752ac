import type { KnownBlock, ModalView } from '@slack/types';
import type { Secret } from '../../../lib/secret.ts';
import { type OtpWay, otpSummarySchema, verifiableWays } from '../../../services/otp/otp-service.ts';
import type { Operation } from '../../../store/operations/ledger.ts';
import { actions, button, context, notice, section } from '../../block-kit/build.ts';
import { failureLines } from '../../block-kit/descriptions/failure.ts';
import { operationIcons, stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import { createOutcomeRenderer } from '../../notifier/outcome-renderer.ts';

export const verifyAction = 'otp_verify';

/** The outcome of sending a code. `shown` is an in-app token, which is shown here once and nowhere else. */
export function codeOutcomeView(operation: Operation, shown?: Secret): ModalView {
  const title = operation.state === 'accepted' ? 'Done' : titles[operation.state];
  return notice(
    title,
    section(outcomeText(operation, shown)),
    ...outcomeDetails(operation),
    ...verifyButton(operation),
  );
}

const titles = {
  underway: 'Still under way',
  rejected: 'Not sent',
  not_sent: 'Not sent',
  unconfirmed: 'Not confirmed',
} as const;

export const codeRenderer = createOutcomeRenderer({
  text: outcomeText,
  details: outcomeDetails,
  nextSteps: verifyButton,
  line: (operation) => {
    const { way, to } = otpSummarySchema.parse(operation.summary);
    return mrkdwn`One-time code for ${to} · ${wayNames[way]}`;
  },
});

export const wayNames: Record<OtpWay, string> = {
  sms: 'SMS',
  voice: 'voice call',
  email: 'e-mail',
  chat: 'chat app',
  in_app: 'in-app token',
};

function outcomeDetails(operation: Operation): KnownBlock[] {
  const { minutes } = otpSummarySchema.parse(operation.summary);
  const id = operation.providerId === undefined ? mrkdwn`` : mrkdwn` · id \`${operation.providerId}\``;
  return [
    context(mrkdwn`Good for ${minutes} minutes${id} · ${timeFor(operation.endedAt ?? operation.createdAt)}`),
  ];
}

function outcomeText(operation: Operation, shown?: Secret): Markup {
  const { way, to } = otpSummarySchema.parse(operation.summary);
  const name = wayNames[way];
  switch (operation.state) {
    case 'underway':
      return mrkdwn`${operationIcons.underway} *Still under way.* The code for ${to} is being sent by ${name}.`;
    case 'accepted':
      return accepted(way, to, shown);
    default:
      return failureLines(operation, operation.state, {
        subject: mrkdwn`The code for ${to} by ${name}`,
        done: way === 'in_app' ? 'made' : 'sent',
        check: 'Ask the customer before you send another code.',
      });
  }
}

function accepted(way: OtpWay, to: string, shown?: Secret): Markup {
  if (way === 'in_app') {
    return shown === undefined
      ? mrkdwn`${stateIcons.done} *A token for ${to} was made.* It was shown once, to the person who asked for it, and is not kept. Only the provider can verify it.`
      : mrkdwn`${stateIcons.done} The token for ${to} is *\`${shown.reveal()}\`*. It is shown this once and is not kept. Only the provider can verify it.`;
  }
  const next =
    way === 'sms'
      ? mrkdwn`Only the provider can verify it.`
      : mrkdwn`Ask the customer to read it back, and press *Verify*.`;
  return mrkdwn`${stateIcons.done} *The provider accepted the code* for ${to} by ${wayNames[way]}. ${next}`;
}

/** A code that may have reached the customer can be verified. */
function verifyButton(operation: Operation): KnownBlock[] {
  const { way } = otpSummarySchema.parse(operation.summary);
  const mayHaveArrived = operation.state === 'accepted' || operation.state === 'unconfirmed';
  return verifiableWays.has(way) && mayHaveArrived
    ? [actions('otp_verify', button(verifyAction, 'Verify', { value: operation.key, style: 'primary' }))]
    : [];
}
