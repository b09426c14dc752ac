import { randomBytes } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { WebAPIPlatformError } from '@slack/web-api';
import type { Log } from '../log.ts';
import { StoreError } from '../store/errors.ts';
import { notice, section } from './blocks/build.ts';
import type { Message } from './blocks/message.ts';
import { type Markup, mrkdwn } from './blocks/text.ts';

/** Something that a person can understand and mend. Its message is shown as it is, in the place where they are. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly markup: Markup;

  constructor(markup: Markup) {
    super('refused');
    this.markup = markup;
  }
}

/**
 * What to tell a person of anything that was thrown. A fault nobody foresaw goes to the log under a short id, which
 * the person can quote; its own text is never shown.
 */
export function explain(error: unknown, log: Log): Markup {
  if (error instanceof Refusal) {
    return error.markup;
  }
  if (isSlackError(error, 'expired_trigger_id', 'exchanged_trigger_id', 'invalid_trigger_id')) {
    log.warn({ err: error }, 'a window was not opened in time');
    return mrkdwn`Slack gave up before the window could open. Nothing was sent. Please try again.`;
  }
  if (error instanceof StoreError && error.fault === 'outdated') {
    return mrkdwn`${error.message}`;
  }
  if (error instanceof StoreError && error.fault === 'data_gone') {
    log.error({ err: error }, 'the data was removed or replaced');
    return mrkdwn`Switchboard’s data was removed or replaced while it runs. Nothing was sent, and nothing is until it is put right. Tell whoever runs Switchboard: its log says what to do.`;
  }
  const fault = randomBytes(4).toString('hex');
  log.error({ fault, err: error }, 'unknown fault');
  return mrkdwn`Something went wrong that should not have (fault \`${fault}\`). If you had just sent something, look at its outcome in your history before you try again; otherwise nothing was sent. Quote the fault to whoever runs Switchboard: the same id is in its log.`;
}

export function troubleView(text: Markup): ModalView {
  return notice('That did not work', section(text));
}

export function troubleMessage(text: Markup): Message {
  return { text: text.source, blocks: [section(text)] };
}

/** Whether Slack itself said no; with names, whether in one of these words. */
export function isSlackError(error: unknown, ...names: string[]): error is WebAPIPlatformError {
  return error instanceof WebAPIPlatformError && (names.length === 0 || names.includes(error.data.error));
}
