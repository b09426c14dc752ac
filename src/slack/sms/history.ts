import { routes } from '../../rules/routes.ts';
import { sendSummarySchema } from '../../services/messaging.ts';
import type { Operation } from '../../store/ledger.ts';
import { context, header, lines, section } from '../blocks/build.ts';
import { type Message, message } from '../blocks/message.ts';
import { type Markup, mrkdwn, timeFor } from '../blocks/text.ts';
import { pageWord } from './compose-view.ts';

/** A person's last sends, newest first, numbers masked. */
export function historyMessage(operations: readonly Operation[]): Message {
  if (operations.length === 0) {
    return message(mrkdwn`You have sent nothing yet.`, [section(mrkdwn`You have sent nothing yet.`)]);
  }
  return message(mrkdwn`Your last ${operations.length} messages`, [
    header('Your last messages'),
    ...lines(operations.map(line)),
    context(mrkdwn`“Accepted” is the provider’s word, not yet delivery to the handset.`),
  ]);
}

const marks: Record<Operation['state'], string> = {
  underway: ':hourglass_flowing_sand: under way',
  accepted: ':white_check_mark: accepted',
  rejected: ':x: refused, nothing sent',
  not_sent: ':x: not sent',
  unconfirmed: ':warning: unconfirmed, may have been sent',
};

function line(operation: Operation): Markup {
  const summary = sendSummarySchema.parse(operation.summary);
  const more = summary.recipients > 1 ? ` and ${summary.recipients - 1} more` : '';
  const pages = operation.pages ?? summary.pagesEach * summary.recipients;
  return mrkdwn`${timeFor(operation.createdAt)} · ${marks[operation.state]} · ${summary.to[0] ?? ''}${more} · from ${summary.senderId} · ${routes[summary.route].title} · ${pageWord(pages)}`;
}
