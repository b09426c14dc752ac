import { bytesOf, fileBounds } from '../../../domain/csv/file-bounds.ts';
import type { ReadingReview } from '../../../domain/csv/number-table.ts';
import { overLimit } from '../../../domain/csv/read-csv.ts';
import type { RecipientRow, RecipientTable } from '../../../domain/csv/recipient-rows.ts';
import type { RejectedRow, RowProblem } from '../../../domain/csv/rejected-row.ts';
import { accentedLetters, textToSend, withoutAccents } from '../../../domain/messages/accents.ts';
import { convertPlaceholders } from '../../../domain/messages/foreign-placeholders.ts';
import { exampleOptOutLink, optOutColumn } from '../../../domain/messages/opt-out-link.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { toPlainText } from '../../../domain/messages/plain-text.ts';
import { isQuietOperator } from '../../../domain/messages/quiet-hours.ts';
import type { Route } from '../../../domain/messages/routes.ts';
import {
  columnName,
  columnsWithoutFallback,
  isPersonal,
  readTemplate,
  render,
  type Template,
  unknownColumns,
} from '../../../domain/messages/template.ts';
import { spaceCode } from '../../../domain/otp/one-time-code.ts';
import { toE164 } from '../../../domain/phone/phone-number.ts';
import { batchesOf } from '../../../lib/batches.ts';
import type { CampaignCounts, ReadRow } from '../../../store/campaigns/campaigns.ts';
import type { ImportWriter } from '../../../store/campaigns/import/import-writer.ts';
import type { Context } from '../../context.ts';
import { type CampaignFaults, checkColumns } from './campaign-form.ts';
import { maxRows, type RecipientSource } from './recipient-sources.ts';

/**
 * `review`: how a table was read. `followedUp`: how many already got a follow-up, see `FollowUp`. `accents`: the letters that
 * are sent without theirs.
 */
export interface ReadDetails {
  readingReview?: ReadingReview | undefined;
  followedUp?: number | undefined;
  accents?: [letter: string, plain: string][] | undefined;
}

/** Nothing was written. */
export interface ImportFaults {
  kind: 'faults';
  faults: CampaignFaults;
  /** Whether rows were rejected only for characters that `plainCells` replaces. */
  isReplaceable?: boolean | undefined;
  /** The same for those that can be sent without accents. */
  isAccented?: boolean | undefined;
  /** The text with its columns converted, where that is the remedy, see `convertPlaceholders`. */
  converted?: string | undefined;
  /** How the table was read, where another reading may be the remedy. */
  readingReview?: ReadingReview | undefined;
  /** How many were left out because they already got a follow-up, if nobody else is left. */
  followedUp?: number | undefined;
  /** Whether the draft was discarded or deleted meanwhile. */
  isGone?: boolean | undefined;
  /** Whether the existing draft with this id was created from another form. */
  isOfAnother?: boolean | undefined;
}

/** Rows written together. More would be little faster, and would delay other requests. */
const fullBatch = { count: 500, bytes: fileBounds.batch };

/** Writes all rows of a table. A list without a recipient is a fault. */
export async function writeTable(
  table: RecipientTable,
  writer: ImportWriter,
  {
    source,
    onProgress,
    context,
    isReadingChosen,
    typed,
    ...options
  }: ReadingOptions & {
    source: RecipientSource;
    onProgress: ((rows: number) => void) | undefined;
    context: Context;
    isReadingChosen: boolean;
    /** The text, unchanged. */
    typed: string;
  },
): Promise<({ kind: 'read'; writer: ImportWriter } & ReadDetails) | ImportFaults> {
  const titles = table.columns.map(({ title }) => title);
  // A list of numbers alone has nothing else to keep.
  const isTable = !table.isList && titles.length >= 2;
  const readingReview = source.kind === 'file' || source.kind === 'pasted' ? table.review : undefined;
  const hasOptOutLinks = options.optOutAddress !== undefined;
  const faults = checkColumns(options.template, table.columns, hasOptOutLinks);
  if (Object.keys(faults).length > 0) {
    const missing = unknownColumns(options.template, []);
    const isMisread = readingReview && mayBeMisread(readingReview, missing);
    const { text: converted } = convertPlaceholders(
      typed,
      table.columns.map(({ name }) => name),
    );
    const read = readTemplate(converted);
    const helps =
      read.ok && Object.keys(checkColumns(read.template, table.columns, hasOptOutLinks)).length === 0;
    return {
      kind: 'faults',
      faults,
      converted: helps ? converted : undefined,
      readingReview: isMisread ? readingReview : undefined,
    };
  }
  if (isTable) {
    await writer.setColumns(titles);
  }
  if (table.review !== undefined) {
    writer.setReading(table.review.reading);
  }
  let count = 0;
  let isReplaceable = false;
  let isAccented = false;
  let firstInvalid: RejectedRow | undefined;
  /** The batch that is written while the next one is read. */
  let writing: Promise<CampaignCounts | undefined> = Promise.resolve(undefined);
  const found = { followedUp: 0 };
  const rows = readRows(leaveOutFollowedUp(table.rows, source, context, found), isTable, options);
  try {
    for await (const batch of batchesOf(rows, fullBatch, ({ text = '', cells = [] }) => ({
      count: 1,
      bytes: bytesOf([text]) + bytesOf(cells),
    }))) {
      if ((await writing) !== undefined) {
        onProgress?.(count);
      }
      for (const row of batch) {
        count += 1;
        if (count > maxRows) {
          throw overLimit(maxRows, 'rows', row.line);
        }
        if (row.kind === 'invalid') {
          firstInvalid ??= row;
          isReplaceable ||= row.problem === 'replaceable_characters';
          isAccented ||= row.problem === 'accented_letters';
        }
      }
      writing = writer.add(batch);
      // The rejection surfaces where `writing` is awaited.
      writing.catch(() => {});
    }
  } finally {
    await writing;
  }
  const { recipients, invalid, suppressed } = (await writing) ?? (await writer.add([]));
  if (recipients === 0) {
    const reasons: string[] = [];
    if (firstInvalid !== undefined) {
      const skipped = invalid === 1 ? '1 row' : `${invalid.toLocaleString('en')} rows`;
      reasons.push(`${skipped} skipped (line ${firstInvalid.line} ${firstInvalid.reason})`);
    }
    if (suppressed > 0) {
      reasons.push(`${suppressed.toLocaleString('en')} on the do-not-contact list`);
    }
    const { followedUp } = found;
    if (followedUp > 0) {
      reasons.push(`${followedUp.toLocaleString('en')} already got a follow-up`);
    }
    const why = reasons.length === 0 ? '' : `: ${reasons.join(', ')}`;
    const fault = recipientsFault(`No recipients left${why}.`);
    return {
      ...fault,
      isReplaceable,
      isAccented,
      followedUp: followedUp === 0 ? undefined : followedUp,
      readingReview: isTable ? readingReview : undefined,
    };
  }
  onProgress?.(count);
  const isReviewed =
    isTable ||
    isReadingChosen ||
    (readingReview && readingReview.doubts.length + readingReview.titleNumbers.length > 0);
  const accents = options.accents && [...options.accents];
  return { kind: 'read', writer, readingReview: isReviewed ? readingReview : undefined, ...found, accents };
}

/** Whether another row may have the titles that the text names. */
function mayBeMisread({ reading, doubts, rows }: ReadingReview, wanted: readonly string[]): boolean {
  return (
    reading.titleLine === undefined ||
    doubts.length > 0 ||
    rows.some(
      ({ line, cells }) =>
        line !== reading.titleLine && cells.some((cell) => wanted.includes(columnName(cell))),
    )
  );
}

/** Recipients to check at once for an earlier follow-up. */
const followedUpBatch = { count: 2_000, bytes: fileBounds.batch };

/** Reads the rows without recipients who already got a follow-up, unless they get this one too. Counts them in `found`. */
async function* leaveOutFollowedUp(
  rows: AsyncIterable<RecipientRow>,
  source: RecipientSource,
  { store: { campaigns } }: Context,
  found: { followedUp: number },
): AsyncGenerator<RecipientRow> {
  if (!('followUp' in source) || source.followUp === undefined) {
    yield* rows;
    return;
  }
  const { workspaceId, id } = source.campaign;
  for await (const batch of batchesOf(rows, followedUpBatch, ({ cells = [] }) => ({
    count: 1,
    bytes: bytesOf(cells),
  }))) {
    const numbers = batch.flatMap((row) => (row.kind === 'recipient' ? [row.number] : []));
    const followedUp = await campaigns.followedUpAmong(workspaceId, id, numbers);
    found.followedUp += followedUp.size;
    for (const row of batch) {
      if (source.followUp.includesFollowedUp || row.kind !== 'recipient' || !followedUp.has(row.number)) {
        yield row;
      }
    }
  }
}

export function recipientsFault(reason: string): ImportFaults {
  return { kind: 'faults', faults: { recipients: reason } };
}

/** In characters, once the columns are filled in: about thirty pages. */
const maxTextLength = 5000;

interface ReadingOptions {
  template: Template;
  route: Route;
  unicode: boolean;
  /** Whether the cells of the text's columns are replaced by their plain text. */
  plainCells: boolean;
  /** The letters that are sent without accents, each with its plain one. Undefined where accents are sent. */
  accents: Map<string, string> | undefined;
  /** The beginning of what replaces `{{opt_out}}`. Undefined if that is an ordinary column. */
  optOutAddress?: string | undefined;
}

/** Makes each row of a table a recipient with its text, or a rejected row with the reason. */
async function* readRows(
  rows: RecipientTable['rows'],
  keepsCells: boolean,
  options: ReadingOptions,
): AsyncGenerator<ReadRow> {
  const { template } = options;
  const personal = isPersonal(template);
  const rendered = render(template, () => '');
  const shared = { pages: rendered.ok ? countPages(rendered.text).pages : 0 };
  for await (const row of rows) {
    const cells = keepsCells ? row.cells : undefined;
    if (row.kind === 'invalid') {
      yield { ...row, cells };
      continue;
    }
    const { line, number } = row;
    const message = personal ? personalMessage(row.value, options) : shared;
    yield 'reason' in message
      ? { kind: 'invalid', line, text: toE164(number), ...message, cells }
      : {
          kind: 'recipient',
          line,
          number: toE164(number),
          quiet: isQuietOperator(number),
          ...message,
          cells,
        };
  }
}

type Rejected = Extract<ReadRow, { kind: 'invalid' }>;

function personalMessage(
  cellOf: (column: string) => string,
  { template, route, unicode, plainCells, accents, optOutAddress }: ReadingOptions,
): { text: string; pages: number } | Pick<Rejected, 'reason' | 'problem' | 'missing'> {
  const rendered = render(template, (column) => {
    if (column === optOutColumn && optOutAddress !== undefined) {
      return exampleOptOutLink(optOutAddress);
    }
    return plainCells ? toPlainText(cellOf(column)) : cellOf(column);
  });
  if (!rendered.ok) {
    const needed = columnsWithoutFallback(template);
    const missing = rendered.missing.map((column) => needed.indexOf(column));
    return { problem: 'missing_value', missing, reason: `has no ${rendered.missing.join(' and no ')}` };
  }
  if (rendered.text.length > maxTextLength) {
    const most = maxTextLength.toLocaleString('en');
    return { problem: 'text_too_long', reason: `would get more than ${most} characters` };
  }
  const spoken = route === 'voice' ? spaceCode(rendered.text) : rendered.text;
  const { text, accented } = textToSend(spoken, accents !== undefined);
  for (const [letter, plain] of accented === undefined ? [] : accentedLetters(accented)) {
    accents?.set(letter, plain);
  }
  if (text.trim() === '') {
    return { problem: 'text_empty', reason: 'would get an empty message' };
  }
  const { pages, needsUnicode, unicode: unsendable } = countPages(text);
  return needsUnicode && !unicode
    ? {
        problem: problemOfCharacters(text),
        reason: `has characters that can’t be sent: ${unsendable.join(' ')}`,
      }
    : { text, pages };
}

function problemOfCharacters(text: string): RowProblem {
  const plain = toPlainText(text);
  if (!countPages(plain).needsUnicode) {
    return 'replaceable_characters';
  }
  return countPages(withoutAccents(plain)).needsUnicode ? 'unsendable_characters' : 'accented_letters';
}
