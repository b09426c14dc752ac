import type { KnownBlock, ModalView } from '@slack/types';
import type { RejectedEntry } from '../../../domain/csv/rejected-row.ts';
import { type CsvColumn, writeCsv } from '../../../domain/csv/write-csv.ts';
import { maxRecipientsPerRequest } from '../../../domain/messages/chunk-size.ts';
import type { DndState, RouteAdvice } from '../../../domain/messages/routes.ts';
import { formatNumber, maskNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import type { NumberList } from '../../../services/numbers/number-list.ts';
import type { CheckedNumber } from '../../../services/numbers/number-lookup.ts';
import type { SuppressedNumber } from '../../../services/suppression-list/suppression-list.ts';
import { actions, button, context, header, lines, notice, present, section } from '../../block-kit/build.ts';
import { describeRouteAdvice, describeSuppressed } from '../../block-kit/descriptions/number.ts';
import { countRejected, describeRejected } from '../../block-kit/descriptions/rejected-rows.ts';
import { clampText } from '../../block-kit/limits.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { formatCount, pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, userMention } from '../../block-kit/text.ts';
import { sendToAction } from './results.ts';

export const dndCheckTitle = 'Do-Not-Disturb check';

/** The result of a check, and where it was sent. */
export interface Report {
  numbers: readonly ReportedNumber[];
  list: NumberList;
  /** The draft that *Send SMS* opens with these numbers; undefined if they are more than one message can go to. */
  draftId: string | undefined;
  /** Whether the user may send to them. */
  canSend: boolean;
  /** Whether the result was sent to the user as a file because it is too long to show, or why it wasn't. */
  file: 'none' | 'sent' | Markup;
  /** Why the result is not in the chosen channel. */
  notPosted: Markup | undefined;
}

const maxNumbersShown = 50;
const maxRejectedShown = 10;
/** Of the name of a file, a column or a network. */
const maxNameLength = 60;
/** Of numbers on the suppression list: with more of them, who added each would not fit into a message. */
const maxAdditionsShown = 10;

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
  numbers: readonly ReportedNumber[],
  userId: string,
  showNumbers = false,
): SlackMessage {
  return message(summary(numbers), [
    section(titled(numbers)),
    ...lines(
      numbers.map(
        (checked) => mrkdwn`${line(checked, showNumbers ? formatNumber : maskNumber)}${listedMark(checked)}`,
      ),
    ),
    context(checkedBy(userId)),
  ]);
}

/** The comment of the file in a channel. */
export function channelFileComment(numbers: readonly ReportedNumber[], userId: string): Markup {
  return mrkdwn`${[titled(numbers), checkedBy(userId)]}`;
}

/** Also the comment of the file for its user. */
export function titled(numbers: readonly ReportedNumber[]): Markup {
  return mrkdwn`*Do-Not-Disturb check* · ${summary(numbers)}`;
}

function checkedBy(userId: string): Markup {
  return mrkdwn`Checked by ${userMention(userId)} with Switchboard`;
}

function reportBlocks(report: Report): KnownBlock[] {
  const { numbers, list, draftId, canSend, file, notPosted } = report;
  const problem = numbers.find(({ advice, problem }) => advice.kind !== 'not_nigerian' && problem)?.problem;
  const listed = numbers.filter((checked) => checked.listed !== undefined).length;
  const mark = listed > maxAdditionsShown ? listedMark : addition;
  const shown = numbers.map((checked) => mrkdwn`${line(checked, formatNumber)}${mark(checked)}`);
  const fileNote =
    file === 'sent'
      ? mrkdwn`:incoming_envelope: The result is in *${resultFileName}*, in your messages with Switchboard.`
      : mrkdwn`:warning: *${resultFileName}:* ${file} You can also check up to ${maxNumbersShown} numbers at a time.`;
  const nameOf = (text: string) => clampText(text, maxNameLength);
  const notes = present(
    list.file?.column !== undefined &&
      mrkdwn`From the column *${nameOf(list.file.column)}* of ${nameOf(list.file.name)}.`,
    list.duplicates > 0 && mrkdwn`${pluralize(list.duplicates, 'duplicate')} skipped.`,
    draftId === undefined &&
      mrkdwn`One message goes to up to ${maxRecipientsPerRequest} numbers. For more, start a campaign.`,
  );
  return present<KnownBlock>(
    notPosted && section(notPosted),
    header(summary(numbers).source),
    ...(file === 'none' ? lines(shown) : [section(fileNote)]),
    problem !== undefined && section(mrkdwn`${stateIcons.unknown} ${problem}`),
    ...rejectedEntries(list),
    notes.length > 0 && context(...notes),
    draftId !== undefined &&
      canSend &&
      actions('dnd_report', button(sendToAction, 'Send SMS', { value: draftId, style: 'primary' })),
  );
}

function rejectedEntries({ rejected, file }: NumberList): KnownBlock[] {
  if (rejected.length === 0) {
    return [];
  }
  const more = rejected.length - maxRejectedShown;
  const source = file === undefined ? '' : ` of ${clampText(file.name, maxNameLength)}`;
  return lines([
    mrkdwn`:warning: *${countRejected(rejected)}${source} skipped:*`,
    ...describeRejected(rejected.slice(0, maxRejectedShown)),
    ...(more > 0 ? [mrkdwn`• and ${formatCount(more)} more, at the end of *${resultFileName}*`] : []),
  ]);
}

function summary(numbers: readonly ReportedNumber[]): Markup {
  const nigerian = numbers.filter(({ advice }) => advice.kind !== 'not_nigerian');
  const count = (state: DndState) => nigerian.filter(({ dnd }) => dnd === state).length;
  const others = present(
    count('unknown') > 0 && `, ${formatCount(count('unknown'))} not known`,
    nigerian.length < numbers.length && `, ${formatCount(numbers.length - nigerian.length)} not Nigerian`,
  ).join('');
  return mrkdwn`${formatCount(count('active'))} of ${formatCount(numbers.length)} on Do-Not-Disturb${others}`;
}

function line(checked: ReportedNumber, show: (number: PhoneNumber) => string): Markup {
  const { number, advice, dnd, network } = checked;
  const mark = advice.kind === 'not_nigerian' ? marks.inactive : marks[dnd];
  return mrkdwn`${mark} \`${show(number)}\` · ${clampText(network ?? 'network not known', maxNameLength)} · ${describeReported(checked)}`;
}

const marks = { active: mrkdwn`:no_bell:`, inactive: mrkdwn`:bell:`, unknown: stateIcons.unknown };

/** Without who added it, for a channel and for where there are many. */
function listedMark({ listed }: ReportedNumber): Markup {
  return listed === undefined ? mrkdwn`` : mrkdwn` · :no_entry_sign: On the do-not-contact list`;
}

function addition({ listed }: ReportedNumber): Markup {
  // On a line of its own, indented by the width of the mark above.
  return listed === undefined
    ? mrkdwn``
    : mrkdwn`\n\u2003\u2002:no_entry_sign: ${describeSuppressed(listed)}`;
}

/** A number with all that its report says of it. */
export interface ReportedNumber extends CheckedNumber {
  advice: RouteAdvice;
  /** Its entry in the suppression list, if it has one. */
  listed?: SuppressedNumber | undefined;
}

const states = {
  active: 'on Do-Not-Disturb',
  inactive: 'not on Do-Not-Disturb',
  unknown: 'Do-Not-Disturb unknown',
} as const;

/** `not on Do-Not-Disturb · Generic or DND`, `on Do-Not-Disturb: use Transactional (DND)`. */
function describeReported({ dnd, advice }: ReportedNumber): Markup {
  switch (advice.kind) {
    case 'not_nigerian':
      return mrkdwn`Do-Not-Disturb doesn’t apply`;
    case 'any_route':
      return mrkdwn`${states[dnd]} · ${describeRouteAdvice(advice)}`;
    case 'dnd_unknown':
      return mrkdwn`${states[dnd]}: use Transactional (DND)`;
    case 'on_dnd':
    case 'quiet_hours':
      return mrkdwn`${states[dnd]}: use ${describeRouteAdvice(advice)}`;
  }
}

export const resultFileName = 'dnd-check.csv';

/** A row of the result: a checked number, or a rejected row of the given file. */
type ResultRow = Record<'number' | 'network' | 'dnd' | 'route' | 'listed' | 'note', string>;

const columns: readonly CsvColumn<ResultRow>[] = [
  { title: 'Phone number', cell: ({ number }) => number, phoneNumbers: true },
  { title: 'Network', cell: ({ network }) => network },
  { title: 'Do-Not-Disturb', cell: ({ dnd }) => dnd },
  { title: 'Route', cell: ({ route }) => route },
  { title: 'Do-not-contact list', cell: ({ listed }) => listed },
  { title: 'Note', cell: ({ note }) => note },
];

/** The result for its user: every number in full, then the rejected rows. */
export function resultFile(numbers: readonly ReportedNumber[], rejected: readonly RejectedEntry[]): Buffer {
  return fileOf([
    ...numbers.map((checked) => resultRow(checked, checked.number)),
    ...rejected.map(({ line, text, reason }) => ({
      number: text,
      network: '',
      dnd: 'not checked',
      route: '',
      listed: '',
      note: line === undefined ? reason : `Line ${line}: ${reason}`,
    })),
  ]);
}

/** The result for a channel. Rejected rows may contain anything, so they are left out. */
export function channelResultFile(numbers: readonly ReportedNumber[], showNumbers = false): Buffer {
  return fileOf(
    numbers.map((checked) => resultRow(checked, showNumbers ? checked.number : maskNumber(checked.number))),
  );
}

function fileOf(rows: readonly ResultRow[]): Buffer {
  return Buffer.from([...writeCsv(columns, rows)].join(''));
}

function resultRow(
  { dnd, network = '', problem = '', advice, listed }: ReportedNumber,
  number: string,
): ResultRow {
  return {
    number,
    network,
    dnd: advice.kind === 'not_nigerian' ? 'does not apply' : dndCells[dnd],
    route: routeCells[advice.kind],
    listed: listed === undefined ? '' : `since ${listed.createdAt.toISOString().slice(0, 10)}`,
    note: problem,
  };
}

const dndCells = { active: 'yes', inactive: 'no', unknown: 'not known' } as const;

/** Quiet hours end at one hour in Lagos, whichever day the file is read. */
const routeCells: Record<RouteAdvice['kind'], string> = {
  any_route: 'Promotional (generic) or Transactional (DND)',
  not_nigerian: 'any',
  on_dnd: 'Transactional (DND)',
  quiet_hours: 'Transactional (DND) until 8:00 AM in Lagos (quiet hours)',
  dnd_unknown: 'Transactional (DND)',
};
