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

const marks: Record<Operation['state'], string> = {
  underway: ':hourglass_flowing_sand: under way',
  accepted: ':white_check_mark: accepted',
  rejected: ':x: refused, nothing done',
  not_sent: ':x: not sent',
  unconfirmed: ':warning: unconfirmed, may have been done',
};

/** One operation in a line: when, how it ended, what it was. */
export function historyLine(operation: Operation, wordings: Wordings): Markup {
  const what = wordings[operation.kind]?.line(operation) ?? mrkdwn`${operation.kind}`;
  return mrkdwn`${timeFor(operation.createdAt)} · ${marks[operation.state]} · ${what}`;
}
