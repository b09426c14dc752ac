import { randomBytes } from 'node:crypto';
import type { ModalView } from '@slack/types';
import type { Log } from '../../lib/log.ts';
import { StoreError, type StoreFault } from '../../store/errors.ts';
import { notice, section } from '../block-kit/build.ts';
import { message, type SlackMessage } from '../block-kit/message.ts';
import { type Markup, mrkdwn } from '../block-kit/text.ts';
import { isRateLimited, isSlackError, isSlackUnavailable } from '../client/slack-errors.ts';

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
  return error instanceof UserError
    ? error.isFinal
    : error instanceof StoreError && error.fault === 'outdated';
}

/**
 * Returns what to tell the user about any error. An unexpected one is logged under a short id, which the user can quote;
 * its own message is never shown.
 */
export function explainError(error: unknown, log: Log): Markup {
  if (error instanceof UserError) {
    return error.markup;
  }
  const temporary = explainTemporary(error);
  if (temporary !== undefined) {
    log.warn({ err: error }, 'a request met a temporary error');
    return temporary;
  }
  if (error instanceof StoreError && error.fault === 'outdated') {
    return mrkdwn`${error.message}`;
  }
  if (error instanceof StoreError && error.fault === 'data_gone') {
    log.error({ err: error }, 'the data was removed or replaced');
    return mrkdwn`Switchboard’s data was removed or replaced while it runs. Nothing was sent, and nothing is until it is put right. Tell whoever runs Switchboard: its log says what to do.`;
  }
  const fault = randomBytes(4).toString('hex');
  log.error({ fault, err: error }, 'unexpected error');
  return mrkdwn`Something went wrong that should not have (fault \`${fault}\`). If you had just sent something, look at its outcome in your history before you try again; otherwise nothing was sent. Quote the fault to whoever runs Switchboard: the same id is in its log.`;
}

/** Of the machine or of Slack. A send is in the history before the provider is called, so the history tells. */
function explainTemporary(error: unknown): Markup | undefined {
  if (isSlackError(error, 'expired_trigger')) {
    return mrkdwn`Slack gave up before the window could open. Nothing was sent. Please try again.`;
  }
  if (isRateLimited(error)) {
    return mrkdwn`Slack takes only so much from an app in a minute, and Switchboard has reached that limit. Nothing was sent unless your history shows it. Try again in a minute.`;
  }
  if (isSlackUnavailable(error)) {
    return mrkdwn`Slack could not be reached, or did not answer. Nothing was sent unless your history shows it. Try again in a moment.`;
  }
  return error instanceof StoreError ? temporaryStoreErrors[error.fault] : undefined;
}

const temporaryStoreErrors: Partial<Record<StoreFault, Markup>> = {
  disk_full: mrkdwn`Switchboard’s disk is full, so nothing can be saved. Nothing was sent unless your history shows it. Ask the people who run Switchboard to make room, then try again.`,
  disk_fault: mrkdwn`Switchboard’s disk is read-only or failing, so nothing can be saved. Nothing was sent unless your history shows it. Tell the people who run Switchboard.`,
  locked: mrkdwn`Another program holds Switchboard’s database, so nothing can be saved. Nothing was sent unless your history shows it. Try again in a moment; if it stays like this, tell the people who run Switchboard.`,
  closed: mrkdwn`Switchboard is being stopped or restarted. Nothing was sent unless your history shows it. Try again in a minute.`,
};

export function errorView(text: Markup): ModalView {
  return notice('That did not work', section(text));
}

export function errorMessage(text: Markup): SlackMessage {
  return message(text, [section(text)]);
}
