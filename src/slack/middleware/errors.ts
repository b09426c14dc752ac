import { randomBytes } from 'node:crypto';
import type { ModalView } from '@slack/types';
import type { Log } from '../../lib/log.ts';
import { Refusal } from '../../services/refusal.ts';
import { StoreError, type StoreFault } from '../../store/engine/errors.ts';
import { notice, section } from '../block-kit/build.ts';
import { message, type SlackMessage } from '../block-kit/message.ts';
import { type Markup, mrkdwn } from '../block-kit/text.ts';
import { isRateLimited, isSlackError, isSlackUnavailable, slackErrorCode } from '../client/slack-errors.ts';
import { NotInstalledError } from '../client/workspace-clients.ts';
import { explainRefusal, isFinalRefusal } from './explain-refusal.ts';

/** An error that the user can understand and correct. Its message is shown to them as it is. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly markup: Markup;
  readonly isFinal: boolean;

  /** @param isFinal whether the same request can never succeed */
  constructor(markup: Markup, { isFinal = false }: { isFinal?: boolean | undefined } = {}) {
    super('shown to the user');
    this.markup = markup;
    this.isFinal = isFinal;
  }
}

/** Whether the form that this was thrown for can never be submitted with success. */
export function isFinal(error: unknown): boolean {
  if (error instanceof Refusal) {
    return isFinalRefusal(error);
  }
  return error instanceof UserError
    ? error.isFinal
    : error instanceof StoreError && error.fault === 'outdated';
}

/**
 * Returns what to tell the user about any error. An unexpected one is logged under a short id, which the user can quote;
 * its own message is never shown.
 *
 * @param checkFirst of a request that may have sent something: what to look at before trying again. A send is in the
 * history before the provider is called, so the history tells.
 * @param missingScope what to say of a scope that was not granted, see `ExplainMissingScope`
 */
export function explainError(
  error: unknown,
  log: Log,
  {
    checkFirst,
    missingScope,
    commandPrefix,
  }: {
    checkFirst?: Markup | undefined;
    missingScope?: Markup | undefined;
    commandPrefix?: string | undefined;
  } = {},
): Markup {
  if (error instanceof UserError) {
    return error.markup;
  }
  if (error instanceof Refusal) {
    return explainRefusal(error.reason, error.nothingDone, commandPrefix);
  }
  if (isSlackError(error, 'expired_trigger')) {
    log.warn({ err: error }, 'a request met a temporary error');
    return mrkdwn`That took too long. Try again.`;
  }
  if (slackErrorCode(error) === 'missing_scope') {
    log.warn({ err: error }, 'Slack has not granted a scope');
    return withAdvice(
      missingScope ??
        mrkdwn`Slack doesn’t let Switchboard do this. An admin can allow it: Switchboard’s Home says how.`,
      checkFirst,
    );
  }
  if (error instanceof NotInstalledError || isSlackError(error, 'bad_token')) {
    log.warn({ err: error }, 'a request came from a workspace without a valid installation');
    return mrkdwn`Switchboard’s access to this workspace has ended. Ask an admin to install Switchboard again.`;
  }
  const temporary = explainTemporary(error);
  if (temporary !== undefined) {
    log.warn({ err: error }, 'a request met a temporary error');
    return withAdvice(temporary, checkFirst);
  }
  if (error instanceof StoreError && error.fault === 'outdated') {
    return mrkdwn`${error.message}`;
  }
  if (error instanceof StoreError && error.fault === 'data_gone') {
    log.error({ err: error }, 'the data was removed or replaced');
    return withAdvice(
      mrkdwn`Switchboard’s data was removed or replaced, and nothing more is sent until that is fixed. Tell your operator: the log says what to do.`,
      checkFirst,
    );
  }
  const fault = randomBytes(4).toString('hex');
  log.error({ fault, err: error }, 'unexpected error');
  return withAdvice(mrkdwn`Something went wrong (ref \`${fault}\`).`, checkFirst);
}

function withAdvice(text: Markup, checkFirst: Markup | undefined): Markup {
  return checkFirst === undefined ? text : mrkdwn`${text} ${checkFirst}`;
}

/** Of the machine or of Slack. */
function explainTemporary(error: unknown): Markup | undefined {
  if (isRateLimited(error)) {
    return mrkdwn`Slack is limiting Switchboard’s requests. Try again in a minute.`;
  }
  if (isSlackUnavailable(error)) {
    return mrkdwn`Slack didn’t answer. Try again in a moment.`;
  }
  return error instanceof StoreError ? temporaryStoreErrors[error.fault] : undefined;
}

const temporaryStoreErrors: Partial<Record<StoreFault, Markup>> = {
  disk_full: mrkdwn`Switchboard’s disk is full. Ask your operator to free some space.`,
  disk_fault: mrkdwn`Switchboard’s disk is read-only or failing. Tell your operator.`,
  locked: mrkdwn`Another program is using Switchboard’s database. Try again in a moment. If that doesn’t help, tell your operator.`,
  unreachable: mrkdwn`Switchboard’s database can’t be reached. Try again in a minute. If that doesn’t help, tell your operator.`,
  conflict: mrkdwn`Something else was changed at the same moment. Try again.`,
  closed: mrkdwn`Switchboard is restarting. Try again in a minute.`,
};

export function errorView(text: Markup): ModalView {
  return notice('Error', section(text));
}

export function errorMessage(text: Markup): SlackMessage {
  return message(text);
}
