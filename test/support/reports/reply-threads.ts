import type { TestWorkspace } from '../app/test-workspace.ts';
import { wordsOf } from '../slack/slack-user.ts';

export const from = '2348051234500';
export const shortCode = '55019';
/** What the provider says of a message to it. */
export const toShortCode = { sender: from, receiver: shortCode };
/** A time before now, by the provider’s clock. */
export const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1_000).toISOString();

/** Returns the first message of each thread in a channel, with its replies. */
export function threads({ ada, channels }: TestWorkspace) {
  const posted = ada
    .messages()
    .filter(({ from: author, channel }) => author === 'app' && channel === channels.support);
  const heads = posted.filter((each) => each.threadTs === undefined && /Message from/.test(wordsOf(each)));
  return heads.map((head) => ({ head, replies: posted.filter(({ threadTs }) => threadTs === head.ts) }));
}
