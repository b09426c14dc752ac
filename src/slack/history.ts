import type { Operation } from '../store/ledger.ts';
import { context, header, lines, section } from './blocks/build.ts';
import { type Message, message } from './blocks/message.ts';
import { type Markup, mrkdwn, timeFor } from './blocks/text.ts';
import type { Wordings } from './telling.ts';

/** A person's last operations of every kind, newest first, numbers masked. */
export function historyMessage(operations: readonly Operation[], wordings: Wordings): Message {
  if (operations.length === 0) {
    return message(mrkdwn`You have sent nothing yet.`, [section(mrkdwn`You have sent nothing yet.`)]);
  }
  return message(mrkdwn`The last ${operations.length} things you sent or asked for`, [
    header('Your history'),
    ...lines(operations.map((operation) => historyLine(operation, wordings))),
    context(mrkdwn`“Accepted” is the provider’s word, not yet delivery to the handset.`),
  ]);
}

const ends: Record<Operation['state'], { mark: string; words: string }> = {
  underway: { mark: ':hourglass_flowing_sand:', words: 'under way' },
  accepted: { mark: ':white_check_mark:', words: 'accepted' },
  rejected: { mark: ':x:', words: 'refused, nothing done' },
  not_sent: { mark: ':x:', words: 'not sent' },
  unconfirmed: { mark: ':warning:', words: 'unconfirmed, may have been done' },
};

/** One operation: a mark to find it by and what it was; below, on a line that is never long, when and how it ended. */
export function historyLine(operation: Operation, wordings: Wordings): Markup {
  const what = wordings[operation.kind]?.line(operation) ?? mrkdwn`${operation.kind}`;
  const { mark, words } = ends[operation.state];
  return mrkdwn`${[mrkdwn`${mark} ${what}`, mrkdwn`${timeFor(operation.createdAt)} · ${words}`]}`;
}
