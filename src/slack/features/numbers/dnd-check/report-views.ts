import type { KnownBlock, ModalView } from '@slack/types';
import type { Route } from '../../../../domain/messages/routes.ts';
import { formatNumber, maskNumber, type PhoneNumber } from '../../../../domain/phone/phone-number.ts';
import { maxRecipients } from '../../../../services/messages/message-form.ts';
import type { CheckedNumber } from '../../../../services/numbers/dnd-check.ts';
import type { NumberList } from '../../../../services/numbers/number-list.ts';
import { actions, button, context, header, lines, notice, section } from '../../../block-kit/build.ts';
import { clampText } from '../../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { pluralize } from '../../../block-kit/plural.ts';
import { describeRejectedRow } from '../../../block-kit/rejected-rows.ts';
import { type Markup, mrkdwn, userMention } from '../../../block-kit/text.ts';
import { resultFileName } from './result-file.ts';
import { dndCheckTitle } from './views.ts';

export const sendToAction = 'dnd_send_sms';

/** What a check found, and what became of its result. */
export interface Report {
  numbers: readonly CheckedNumber[];
  list: NumberList;
  /** The draft that *Send SMS* opens, filled with these numbers; none for more than one message goes to. */
  draftId: string | undefined;
  /** Where the result is too long to stand here: whether it went to the person as a file. */
  file: 'none' | 'sent' | 'failed';
  /** Why the result does not stand in the channel that was chosen. */
  notPosted: Markup | undefined;
}

const mostLines = 50;
const mostBadLines = 10;
/** Of a name or a cell, whoever gave it. */
const longestName = 60;

/** Whether a result is longer than anybody reads in a message. */
export function needsFile({ numbers, bad }: NumberList): boolean {
  return numbers.length > mostLines || bad.length > mostBadLines;
}

export function reportView(report: Report): ModalView {
  return notice(dndCheckTitle, ...reportBlocks(report));
}

export function reportMessage(report: Report): SlackMessage {
  return message(summary(report.numbers), reportBlocks(report));
}

/** For a channel: numbers masked unless wanted otherwise, no button, and who asked. */
export function channelReport(
  numbers: readonly CheckedNumber[],
  userId: string,
  showNumbers = false,
): SlackMessage {
  return message(summary(numbers), [
    section(titled(numbers)),
    ...lines(numbers.map((checked) => line(checked, showNumbers ? formatNumber : maskNumber))),
    context(checkedBy(userId)),
  ]);
}

/** What stands over the file, for its person. */
export function fileComment(numbers: readonly CheckedNumber[]): Markup {
  return titled(numbers);
}

/** What stands over the file in a channel. */
export function channelFileComment(numbers: readonly CheckedNumber[], userId: string): Markup {
  return mrkdwn`${[titled(numbers), checkedBy(userId)]}`;
}

function titled(numbers: readonly CheckedNumber[]): Markup {
  return mrkdwn`*Do-Not-Disturb check* · ${summary(numbers)}`;
}

function checkedBy(userId: string): Markup {
  return mrkdwn`Checked by ${userMention(userId)} with Switchboard`;
}

function reportBlocks(report: Report): KnownBlock[] {
  const { numbers, list, draftId, file, notPosted } = report;
  const problem = numbers.find((checked) => checked.problem !== undefined)?.problem;
  return [
    ...(notPosted === undefined ? [] : [section(notPosted)]),
    header(summary(numbers).source),
    ...(file === 'none'
      ? lines(numbers.map((checked) => line(checked, formatNumber)))
      : [section(whereTheFileIs(file))]),
    ...(problem === undefined ? [] : [section(mrkdwn`:grey_question: ${problem}`)]),
    ...badRows(list),
    ...notes(list, draftId),
    ...(draftId === undefined
      ? []
      : [actions('dnd_report', button(sendToAction, 'Send SMS', { value: draftId, style: 'primary' }))]),
  ];
}

function whereTheFileIs(file: 'sent' | 'failed'): Markup {
  return file === 'sent'
    ? mrkdwn`:incoming_envelope: Each number is in the file *${resultFileName}*, in your messages with Switchboard.`
    : mrkdwn`:warning: *The file with each number could not be sent to you.* Try again in a moment, or check up to ${mostLines} at a time to see them here.`;
}

function badRows({ bad, file }: NumberList): KnownBlock[] {
  if (bad.length === 0) {
    return [];
  }
  const unnamed = bad.length - mostBadLines;
  const rows = bad.length === 1 ? '1 row' : `${bad.length.toLocaleString('en')} rows`;
  return lines([
    mrkdwn`:warning: *${rows} of ${clampText(file?.name ?? 'the file', longestName)} left out:*`,
    ...bad.slice(0, mostBadLines).map((row) => mrkdwn`• ${describeRejectedRow(row)}`),
    ...(unnamed > 0 ? [mrkdwn`• and ${unnamed} more, at the end of the file with the result`] : []),
  ]);
}

function notes({ numbers, duplicates, file }: NumberList, draftId: string | undefined): KnownBlock[] {
  const said = [
    ...(file?.column === undefined
      ? []
      : [
          mrkdwn`Read from the column *${clampText(file.column, longestName)}* of ${clampText(file.name, longestName)}.`,
        ]),
    ...(duplicates > 0 ? [mrkdwn`${duplicates} repeated: each number was checked once.`] : []),
    ...(draftId === undefined
      ? [
          mrkdwn`One SMS goes to up to ${maxRecipients} numbers; these are ${pluralize(numbers.length, 'number')}.`,
        ]
      : []),
  ];
  return said.length === 0 ? [] : [context(...said)];
}

function summary(numbers: readonly CheckedNumber[]): Markup {
  const count = (state: CheckedNumber['dnd']) =>
    numbers.filter(({ dnd }) => dnd === state).length.toLocaleString('en');
  const unknown = count('unknown');
  const unsure = unknown === '0' ? '' : `, ${unknown} not known`;
  return mrkdwn`${pluralize(numbers.length, 'number')}: ${count('active')} on Do-Not-Disturb, ${count('inactive')} not${unsure}`;
}

function line({ number, dnd, network }: CheckedNumber, show: (number: PhoneNumber) => string): Markup {
  return mrkdwn`${marks[dnd]} \`${show(number)}\` · ${clampText(network ?? 'network not known', longestName)} · ${verdicts[dnd]}`;
}

const marks = { active: mrkdwn`:no_bell:`, inactive: mrkdwn`:bell:`, unknown: mrkdwn`:grey_question:` };

const verdicts = {
  active: 'on Do-Not-Disturb → DND route',
  inactive: 'not on it → generic or DND route',
  unknown: 'not known → DND route',
} as const;

/** One number on Do-Not-Disturb, or of unknown state, is reason enough for the route that reaches all. */
export function routeFor(numbers: readonly CheckedNumber[]): Route {
  return numbers.every(({ dnd }) => dnd === 'inactive') ? 'generic' : 'dnd';
}
