import { bytesOf, fileBounds } from '../../../domain/csv/file-bounds.ts';
import { CsvFault, overLimit } from '../../../domain/csv/read-csv.ts';
import type { RecipientRow, RecipientTable } from '../../../domain/csv/recipient-rows.ts';
import type { RejectedRow } from '../../../domain/csv/rejected-row.ts';
import { exampleOptOutLink, optOutColumn } from '../../../domain/messages/opt-out-link.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { toPlainText } from '../../../domain/messages/plain-text.ts';
import { isQuietOperator } from '../../../domain/messages/quiet-hours.ts';
import type { Route } from '../../../domain/messages/routes.ts';
import {
  columnsWithoutFallback,
  isPersonal,
  render,
  type Template,
} from '../../../domain/messages/template.ts';
import { spaceCode } from '../../../domain/otp/one-time-code.ts';
import { batchesOf } from '../../../lib/batches.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type {
  Campaign,
  CampaignCounts,
  NewCampaign,
  ReadRow,
  ShownCampaign,
} from '../../../store/campaigns/campaigns.ts';
import { NoLongerDraftError } from '../../../store/campaigns/import/finish-imports.ts';
import type { ImportWriter } from '../../../store/campaigns/import/import-writer.ts';
import type { Context } from '../../context.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import { openAudience } from './audiences.ts';
import { type CampaignFaults, type CampaignForm, checkColumns, parseCampaignForm } from './campaign-form.ts';
import {
  maxRows,
  type OpenedSource,
  openFormer,
  openSource,
  type RecipientSource,
  readFailure,
  restName,
} from './recipient-sources.ts';

export interface ImportRequest {
  workspaceId: string;
  userId: string;
  /** The user's own id (see `ownId`). It becomes the campaign's id, so a form that is submitted twice is imported once. */
  id: string;
  source: RecipientSource;
  form: CampaignForm;
  /** The version of the draft of this id that the user saw, and replaces; none where there was none. */
  shownVersion?: string | undefined;
  /** The draft that the campaign replaces once it is ready, in the version that was shown. It may have the same id. */
  replaces?: ShownCampaign | undefined;
  /** Whether the user is waiting for the import, see `NewCampaign`. */
  isAwaited?: boolean | undefined;
  /** The column of the phone numbers, from 0, if the user chose one. */
  numberColumn?: number | undefined;
  /** Called with the number of rows read so far. */
  onProgress?: ((rows: number) => void) | undefined;
}

/** The titles of the table's columns, and which of them holds the numbers. */
export interface NumberColumnChoice {
  titles: string[];
  chosen: number;
}

/** `known`: there is a campaign with this id. `superseded`: the draft it was to replace is none any more. */
export type WriteResult =
  | { kind: 'written'; campaign: Campaign; columns?: NumberColumnChoice | undefined }
  | ImportFaults
  | { kind: 'known' }
  | { kind: 'superseded' };

type ReadResult =
  | { kind: 'read'; writer: ImportWriter; columns?: NumberColumnChoice | undefined }
  | Exclude<WriteResult, { kind: 'written' }>;

/** Nothing was written. */
export interface ImportFaults {
  kind: 'faults';
  faults: CampaignFaults;
  /** Whether rows were rejected only for characters that `plainCells` replaces. */
  isReplaceable?: boolean | undefined;
  /** Whether the draft was discarded or deleted meanwhile. */
  isGone?: boolean | undefined;
  /** Whether another form has made the draft of this id that there is now. */
  isOfAnother?: boolean | undefined;
}

/** Rows written together. More would be little faster, and would delay other requests. */
const fullBatch = { count: 500, bytes: fileBounds.batch };

/** Imports the recipients of a campaign. Nothing is left of one that can't be made. */
export async function importRecipients(
  request: ImportRequest,
  context: Context,
  workspaces: Workspaces,
): Promise<WriteResult> {
  const read = await readCampaign(request, context, workspaces);
  if (read.kind !== 'read') {
    return read;
  }
  const { writer, columns } = read;
  try {
    return { kind: 'written', campaign: await writer.finish(), columns };
  } catch (error) {
    await writer.abandon();
    if (error instanceof NoLongerDraftError) {
      return { kind: 'superseded' };
    }
    throw error;
  }
}

/**
 * Reads recipients row by row and writes them as chunks, in constant memory. The campaign is then still to be finished or
 * abandoned; nothing is left of it where reading fails.
 */
export async function readCampaign(
  request: ImportRequest,
  context: Context,
  workspaces: Workspaces,
): Promise<ReadResult> {
  const {
    settings: { optOutAddress },
    store: { campaigns },
    dialect,
  } = context;
  const { workspaceId, userId, id, source, form, replaces, isAwaited, onProgress } = request;
  const unicode = dialect.unicodeType !== undefined;
  const open = await openerOf(request, context, workspaces);
  const read = parseCampaignForm(form, unicode);
  if (!read.ok) {
    const opened = await open();
    return {
      kind: 'faults',
      faults: { ...read.faults, ...(opened.ok ? {} : { recipients: opened.reason }) },
    };
  }
  const { text, template, route, senderId } = read.form;
  const campaign = {
    id,
    workspaceId,
    createdBy: userId,
    name: nameOf(form, source),
    route,
    senderId,
    personal: isPersonal(template),
    text,
    plainCells: form.plainCells === true,
    partOf: 'campaign' in source ? source.campaign.listSize : undefined,
    replaces,
    isAwaited,
    ...formerOf(source),
  };
  const readRow = createRowReader({
    template,
    route,
    unicode,
    plainCells: form.plainCells === true,
    optOutAddress,
  });
  return writeImport(campaign, campaigns, async (writer) => {
    const opened = await open();
    if (!opened.ok) {
      return recipientsFault(opened.reason);
    }
    const { table } = opened;
    const faults = checkColumns(template, table.columns, optOutAddress !== undefined);
    if (Object.keys(faults).length > 0) {
      return { kind: 'faults', faults };
    }
    // A list of numbers alone has nothing else to keep.
    const columns = table.isList || table.columns.length < 2 ? undefined : table.columns;
    if (columns !== undefined) {
      await writer.setColumns(columns.map(({ title }) => title));
    }
    const rows = mapRows(table.rows, (row) =>
      readRow(columns === undefined ? { ...row, cells: undefined } : row),
    );
    const fault = await writeRows(rows, writer, onProgress);
    return fault ?? { kind: 'read', writer, columns: columnsOf(table, source) };
  });
}

/** Returns a function that opens the source. Throws a Refusal where no provider key is connected. */
async function openerOf(
  { workspaceId, source, numberColumn }: ImportRequest,
  context: Context,
  workspaces: Workspaces,
): Promise<() => Promise<OpenedSource>> {
  const { campaigns } = context.store;
  // A run without a key too: it is paused at its start, and its creator told.
  if (source.kind === 'run') {
    return async () => ({ ok: true, table: openFormer(source, campaigns) });
  }
  const account = await workspaces.connected(workspaceId);
  switch (source.kind) {
    case 'former':
    case 'part':
      return async () => ({ ok: true, table: openFormer(source, campaigns) });
    case 'audience':
      return async () => ({ ok: true, table: openAudience(source, context) });
    default: {
      const { country } = await workspaces.defaults(workspaceId);
      return () => openSource(source, { country, numberColumn, account });
    }
  }
}

async function* mapRows<From, To>(rows: AsyncIterable<From>, map: (row: From) => To): AsyncGenerator<To> {
  for await (const row of rows) {
    yield map(row);
  }
}

/** What a campaign of former recipients has to do with their campaign. */
function formerOf(source: RecipientSource): Pick<NewCampaign, 'retryOf' | 'occurrence'> {
  switch (source.kind) {
    case 'former':
      return source.which === 'all' ? {} : { retryOf: source.campaign.id };
    case 'run':
      return {
        retryOf: source.campaign.id,
        occurrence: { of: source.campaign.sequence, at: source.at },
      };
    default:
      return {};
  }
}

function nameOf({ name = '' }: CampaignForm, source: RecipientSource): string {
  const own = name.trim();
  if (own !== '') {
    return own;
  }
  switch (source.kind) {
    case 'pasted':
      return 'Pasted numbers';
    case 'former':
      return source.which === 'all' ? source.campaign.name : restName(source.campaign.name, source.which);
    case 'run':
    case 'part':
    case 'audience':
      return source.campaign.name;
    default:
      return source.name;
  }
}

/** Undefined where there is nothing to choose between. */
function columnsOf(
  { isList, columns, number }: RecipientTable,
  source: RecipientSource,
): NumberColumnChoice | undefined {
  const isChosen = source.kind === 'file' || source.kind === 'pasted';
  return isChosen && !isList && columns.length >= 2
    ? { titles: columns.map(({ title }) => title), chosen: number.index }
    : undefined;
}

/**
 * Stores a campaign, and writes its recipients. It is stored before they are fetched: its creator is told if the program
 * stops meanwhile. Nothing is left of it when that fails.
 */
async function writeImport(
  campaign: NewCampaign,
  campaigns: CampaignRepository,
  write: (writer: ImportWriter) => Promise<ReadResult>,
): Promise<ReadResult> {
  const writer = await campaigns.begin(campaign);
  if (writer === undefined) {
    return { kind: 'known' };
  }
  try {
    const result = await write(writer);
    if (result.kind === 'faults') {
      await writer.abandon();
    }
    return result;
  } catch (error) {
    await writer.abandon();
    if (error instanceof NoLongerDraftError) {
      return { kind: 'superseded' };
    }
    const reason = error instanceof CsvFault ? error.reason : readFailure(error);
    if (reason === undefined) {
      throw error;
    }
    return recipientsFault(reason);
  }
}

/** Writes all rows. Resolves with the fault of a list without a recipient. */
async function writeRows(
  rows: AsyncIterable<ReadRow>,
  writer: ImportWriter,
  onProgress: ((rows: number) => void) | undefined,
): Promise<ImportFaults | undefined> {
  let count = 0;
  let isReplaceable = false;
  let firstInvalid: RejectedRow | undefined;
  /** The batch that is written while the next one is read. */
  let writing: Promise<CampaignCounts | undefined> = Promise.resolve(undefined);
  try {
    for await (const batch of batchesOf(rows, fullBatch, sizeOf)) {
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
        }
      }
      writing = writer.add(batch);
      // Thrown where it is awaited.
      writing.catch(() => {});
    }
  } finally {
    await writing;
  }
  const counts = (await writing) ?? (await writer.add([]));
  if (counts.recipients === 0) {
    return { ...recipientsFault(whyNobody(counts, firstInvalid)), isReplaceable };
  }
  onProgress?.(count);
  return undefined;
}

/** What a row holds until it is written. */
function sizeOf(row: ReadRow) {
  const { text = '', cells = [] } = row;
  return { count: 1, bytes: bytesOf([text]) + bytesOf(cells) };
}

function recipientsFault(reason: string): ImportFaults {
  return { kind: 'faults', faults: { recipients: reason } };
}

function whyNobody({ invalid, suppressed }: CampaignCounts, firstInvalid: RejectedRow | undefined): string {
  const reasons: string[] = [];
  if (firstInvalid !== undefined) {
    const { line, reason } = firstInvalid;
    const rows = invalid === 1 ? '1 row' : `${invalid.toLocaleString('en')} rows`;
    reasons.push(`${rows} skipped (line ${line} ${reason})`);
  }
  if (suppressed > 0) {
    reasons.push(`${suppressed.toLocaleString('en')} on the do-not-contact list`);
  }
  return `No recipients left${reasons.length === 0 ? '' : `: ${reasons.join(', ')}`}.`;
}

/** In characters, once the columns are filled in: about thirty pages. */
const maxTextLength = 5000;

interface RowReaderOptions {
  template: Template;
  route: Route;
  unicode: boolean;
  /** Whether the cells of the text's columns are replaced by their plain text. */
  plainCells: boolean;
  /** What `{{opt_out}}` becomes begins with it. Undefined where it is a column like any other. */
  optOutAddress?: string | undefined;
}

/** Returns a function that makes each row of the table a recipient with its text, or a rejected row with the reason. */
function createRowReader(options: RowReaderOptions): (row: RecipientRow) => ReadRow {
  const { template } = options;
  const personal = isPersonal(template);
  const rendered = render(template, () => '');
  const shared = { pages: rendered.ok ? countPages(rendered.text).pages : 0 };

  return (row) => {
    if (row.kind === 'invalid') {
      return row;
    }
    const { line, number, cells } = row;
    const message = personal ? personalMessage(row.value, options) : shared;
    return 'reason' in message
      ? { kind: 'invalid', line, text: number, ...message, cells }
      : { kind: 'recipient', line, number, quiet: isQuietOperator(number), ...message, cells };
  };
}

type Rejected = Extract<ReadRow, { kind: 'invalid' }>;

function personalMessage(
  cellOf: (column: string) => string,
  { template, route, unicode, plainCells, optOutAddress }: RowReaderOptions,
): { text: string; pages: number } | Pick<Rejected, 'reason' | 'problem' | 'missing'> {
  const cellFor = (column: string) => {
    if (column === optOutColumn && optOutAddress !== undefined) {
      return exampleOptOutLink(optOutAddress);
    }
    return plainCells ? toPlainText(cellOf(column)) : cellOf(column);
  };
  const rendered = render(template, cellFor);
  if (!rendered.ok) {
    const needed = columnsWithoutFallback(template);
    const missing = rendered.missing.map((column) => needed.indexOf(column));
    return { problem: 'missing_value', missing, reason: `has no ${rendered.missing.join(' and no ')}` };
  }
  if (rendered.text.length > maxTextLength) {
    const most = maxTextLength.toLocaleString('en');
    return { problem: 'text_too_long', reason: `would get more than ${most} characters` };
  }
  const text = route === 'voice' ? spaceCode(rendered.text) : rendered.text;
  if (text.trim() === '') {
    return { problem: 'text_empty', reason: 'would get an empty message' };
  }
  const { pages, needsUnicode, unicode: unsendable } = countPages(text);
  return needsUnicode && !unicode
    ? {
        problem: countPages(toPlainText(text)).needsUnicode
          ? 'unsendable_characters'
          : 'replaceable_characters',
        reason: `has characters that can’t be sent: ${unsendable.join(' ')}`,
      }
    : { text, pages };
}
