import type { KnownBlock, ModalView } from '@slack/types';
import { showNumber } from '../../../domain/access/private-values.ts';
import type { RejectedEntry } from '../../../domain/csv/rejected-row.ts';
import { type CsvColumn, writeCsv } from '../../../domain/csv/write-csv.ts';
import { maxRecipientsPerRequest } from '../../../domain/messages/chunk-size.ts';
import { quietHours } from '../../../domain/messages/quiet-hours.ts';
import {
  type DndState,
  genericReaches,
  type RouteAdvice,
  routeTitles,
} from '../../../domain/messages/routes.ts';
import { type PhoneNumber, toE164 } from '../../../domain/phone/phone-number.ts';
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
import { joinWords, type Markup, mrkdwn, userMention } from '../../block-kit/text.ts';
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

/** For others: without a button, with the user who checked them. */
export function sharedReport(
  numbers: readonly ReportedNumber[],
  userId: string,
  showsNumbers = false,
): SlackMessage {
  const blocks = [
    section(titled(numbers)),
    ...lines(numberLines(numbers, listedMark)),
    context(checkedBy(userId)),
  ];
  return { ...message(summary(numbers), blocks), showsNumbers };
}

/** The comment of the file in a channel. */
export function sharedFileComment(numbers: readonly ReportedNumber[], userId: string): Markup {
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
      mrkdwn`A message can go to up to ${maxRecipientsPerRequest} numbers. For more, start a campaign.`,
  );
  return present<KnownBlock>(
    notPosted && section(notPosted),
    header(summary(numbers)),
    ...(file === 'none' ? lines(numberLines(numbers, mark)) : [section(fileNote)]),
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
    count('unknown') > 0 && `, ${formatCount(count('unknown'))} unknown`,
    nigerian.length < numbers.length && `, ${formatCount(numbers.length - nigerian.length)} not Nigerian`,
  ).join('');
  return mrkdwn`${formatCount(count('active'))} of ${formatCount(numbers.length)} on Do-Not-Disturb${others}`;
}

/** By what they need: a route of their own first. */
const order: readonly RouteAdvice['kind'][] = [
  'on_dnd',
  'dnd_unknown',
  'quiet_hours',
  'any_route',
  'not_nigerian',
];
/** Of numbers that any route reaches: more of them are folded. */
const maxUnfolded = 5;

/** A line for each number, those on Do-Not-Disturb first. Many that any route reaches have one line for each network. */
function numberLines(
  numbers: readonly ReportedNumber[],
  mark: (checked: ReportedNumber) => Markup,
): Markup[] {
  const sorted = numbers.toSorted(
    (one, other) => order.indexOf(one.advice.kind) - order.indexOf(other.advice.kind),
  );
  const needsNothing = ({ advice, listed }: ReportedNumber) => genericReaches(advice) && listed === undefined;
  const isFolded = sorted.filter(needsNothing).length > maxUnfolded;
  const groups = Map.groupBy(sorted, (checked) =>
    isFolded && needsNothing(checked)
      ? `${checked.advice.kind} ${networkOf(checked)}`
      : toE164(checked.number),
  );
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : mrkdwn`${line(first, others)}${mark(first)}`,
  );
}

function line(checked: ReportedNumber, others: readonly ReportedNumber[] = []): Markup {
  const { advice, dnd } = checked;
  const mark = advice.kind === 'not_nigerian' ? marks.inactive : marks[dnd];
  const named = joinWords([checked, ...others].map(({ number }) => mrkdwn`\`${number}\``));
  const facts = mrkdwn`${networkOf(checked)} · ${describeReported(checked)}`;
  return others.length === 0
    ? mrkdwn`${mark} ${named} · ${facts}`
    : mrkdwn`${mark} *${formatCount(others.length + 1)} numbers* · ${facts}: ${named}`;
}

const networkOf = ({ network }: ReportedNumber) => clampText(network ?? 'network unknown', maxNameLength);

const marks = { active: mrkdwn`:no_bell:`, inactive: mrkdwn`:bell:`, unknown: stateIcons.unknown };

/** Without who added it, for a channel and for where there are many. */
function listedMark({ listed }: ReportedNumber): Markup {
  return listed === undefined ? mrkdwn`` : mrkdwn` · :no_entry_sign: On the do-not-contact list`;
}

function addition({ listed }: ReportedNumber): Markup {
  // On a separate line, indented by the width of the mark above.
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

/** `not on Do-Not-Disturb · Promotional (generic) or Transactional (DND)`, `on Do-Not-Disturb: use Transactional (DND)`. */
function describeReported({ dnd, advice }: ReportedNumber): Markup {
  switch (advice.kind) {
    case 'not_nigerian':
      return mrkdwn`Do-Not-Disturb doesn’t apply`;
    case 'any_route':
      return mrkdwn`${states[dnd]} · ${describeRouteAdvice(advice)}`;
    case 'dnd_unknown':
      return mrkdwn`${states[dnd]}: use ${routeTitles.dnd}`;
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
    ...numbers.map((checked) => resultRow(checked, toE164(checked.number))),
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
export function sharedResultFile(numbers: readonly ReportedNumber[], showsNumbers = false): Buffer {
  const write = (number: PhoneNumber) => (showsNumbers ? toE164(number) : showNumber(number, 'channel'));
  return fileOf(numbers.map((checked) => resultRow(checked, write(checked.number))));
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

const dndCells = { active: 'yes', inactive: 'no', unknown: 'unknown' } as const;

/** Quiet hours end at one hour in Lagos, whichever day the file is read. */
const routeCells: Record<RouteAdvice['kind'], string> = {
  any_route: `${routeTitles.generic} or ${routeTitles.dnd}`,
  not_nigerian: 'any',
  on_dnd: routeTitles.dnd,
  quiet_hours: `${routeTitles.dnd} until ${quietHours.end} (quiet hours)`,
  dnd_unknown: routeTitles.dnd,
};
