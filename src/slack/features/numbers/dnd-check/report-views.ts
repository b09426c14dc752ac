import type { KnownBlock, ModalView } from '@slack/types';
import { maxRecipientsPerRequest } from '../../../../domain/messages/chunk-size.ts';
import { formatNumber, maskNumber, type PhoneNumber } from '../../../../domain/phone/phone-number.ts';
import type { CheckedNumber } from '../../../../services/numbers/dnd-check.ts';
import type { NumberList } from '../../../../services/numbers/number-list.ts';
import { actions, button, context, header, lines, notice, section } from '../../../block-kit/build.ts';
import { describeRejectedRow } from '../../../block-kit/descriptions/rejected-rows.ts';
import { clampText } from '../../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../../block-kit/message.ts';
import { pluralize } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, userMention } from '../../../block-kit/text.ts';
import { resultFileName } from './result-file.ts';
import { dndCheckTitle } from './views.ts';

export const sendToAction = 'dnd_send_sms';

/** The result of a check, and where it was sent. */
export interface Report {
  numbers: readonly CheckedNumber[];
  list: NumberList;
  /** The draft that *Send SMS* opens with these numbers; undefined if they are more than one message can go to. */
  draftId: string | undefined;
  /** Whether the result went to the user as a file, because it is too long to show. */
  file: 'none' | 'sent' | 'failed';
  /** Why the result is not in the chosen channel. */
  notPosted: Markup | undefined;
}

const maxNumbersShown = 50;
const maxRejectedShown = 10;
/** Of the name of a file, a column or a network. */
const maxNameLength = 60;

/** Whether a result is too long for a message or a modal. */
export function needsFile({ numbers, rejected }: NumberList): boolean {
  return numbers.length > maxNumbersShown || rejected.length > maxRejectedShown;
}

export function reportView(report: Report): ModalView {
  return notice(dndCheckTitle, ...reportBlocks(report));
}

export function reportMessage(report: Report): SlackMessage {
  return message(summary(report.numbers), reportBlocks(report));
}

/** For a channel: numbers masked unless `showNumbers`, without a button, with the user who checked them. */
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

/** The comment of the file for its user. */
export function fileComment(numbers: readonly CheckedNumber[]): Markup {
  return titled(numbers);
}

/** The comment of the file in a channel. */
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
      : [section(fileNote(file))]),
    ...(problem === undefined ? [] : [section(mrkdwn`${stateIcons.unknown} ${problem}`)]),
    ...rejectedRows(list),
    ...notes(list, draftId),
    ...(draftId === undefined
      ? []
      : [actions('dnd_report', button(sendToAction, 'Send SMS', { value: draftId, style: 'primary' }))]),
  ];
}

function fileNote(file: 'sent' | 'failed'): Markup {
  return file === 'sent'
    ? mrkdwn`:incoming_envelope: Each number is in the file *${resultFileName}*, in your messages with Switchboard.`
    : mrkdwn`:warning: *The file with each number could not be sent to you.* Try again in a moment, or check up to ${maxNumbersShown} at a time to see them here.`;
}

function rejectedRows({ rejected, file }: NumberList): KnownBlock[] {
  if (rejected.length === 0) {
    return [];
  }
  const more = rejected.length - maxRejectedShown;
  const rows = pluralize(rejected.length, 'row');
  return lines([
    mrkdwn`:warning: *${rows} of ${clampText(file?.name ?? 'the file', maxNameLength)} left out:*`,
    ...rejected.slice(0, maxRejectedShown).map((row) => mrkdwn`• ${describeRejectedRow(row)}`),
    ...(more > 0 ? [mrkdwn`• and ${more} more, at the end of the file with the result`] : []),
  ]);
}

function notes({ numbers, duplicates, file }: NumberList, draftId: string | undefined): KnownBlock[] {
  const texts = [
    ...(file?.column === undefined
      ? []
      : [
          mrkdwn`Read from the column *${clampText(file.column, maxNameLength)}* of ${clampText(file.name, maxNameLength)}.`,
        ]),
    ...(duplicates > 0 ? [mrkdwn`${duplicates} repeated: each number was checked once.`] : []),
    ...(draftId === undefined
      ? [
          mrkdwn`One SMS goes to up to ${maxRecipientsPerRequest} numbers; these are ${pluralize(numbers.length, 'number')}.`,
        ]
      : []),
  ];
  return texts.length === 0 ? [] : [context(...texts)];
}

function summary(numbers: readonly CheckedNumber[]): Markup {
  const count = (state: CheckedNumber['dnd']) =>
    numbers.filter(({ dnd }) => dnd === state).length.toLocaleString('en');
  const unknown = count('unknown');
  const unknownPart = unknown === '0' ? '' : `, ${unknown} not known`;
  return mrkdwn`${pluralize(numbers.length, 'number')}: ${count('active')} on Do-Not-Disturb, ${count('inactive')} not${unknownPart}`;
}

function line({ number, dnd, network }: CheckedNumber, show: (number: PhoneNumber) => string): Markup {
  return mrkdwn`${marks[dnd]} \`${show(number)}\` · ${clampText(network ?? 'network not known', maxNameLength)} · ${routeTexts[dnd]}`;
}

const marks = { active: mrkdwn`:no_bell:`, inactive: mrkdwn`:bell:`, unknown: stateIcons.unknown };

const routeTexts = {
  active: 'on Do-Not-Disturb → DND route',
  inactive: 'not on it → generic or DND route',
  unknown: 'not known → DND route',
} as const;
