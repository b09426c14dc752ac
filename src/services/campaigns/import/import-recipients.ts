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
import { rowsOfAudience } from './audiences.ts';
import { type CampaignFaults, type CampaignForm, checkColumns, parseCampaignForm } from './campaign-form.ts';
import {
  followUpName,
  maxRows,
  type OpenedSource,
  openSource,
  type RecipientSource,
  readFailure,
  rowsOfFormer,
  tableOf,
} from './recipient-sources.ts';

export interface ImportRequest {
  workspaceId: string;
  userId: string;
  /** The user's own id (see `ownId`). It becomes the campaign's id, so a form that is submitted twice is imported once. */
  id: string;
  source: RecipientSource;
  form: CampaignForm;
  /** The version of the draft that the user saw and replaces. Undefined if there was none. */
  shownVersion?: string | undefined;
  /** The draft, as shown, that this campaign replaces once it is ready. Both may have the same id. */
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
  | ({ kind: 'written'; campaign: Campaign } & ReadDetails)
  | ImportFaults
  | { kind: 'known' }
  | { kind: 'superseded' };

/** `followedUp`: how many already got a follow-up, see `FollowUp`. */
interface ReadDetails {
  columns?: NumberColumnChoice | undefined;
  followedUp?: number | undefined;
}

type ReadResult =
  | ({ kind: 'read'; writer: ImportWriter } & ReadDetails)
  | Exclude<WriteResult, { kind: 'written' }>;

/** Nothing was written. */
export interface ImportFaults {
  kind: 'faults';
  faults: CampaignFaults;
  /** Whether rows were rejected only for characters that `plainCells` replaces. */
  isReplaceable?: boolean | undefined;
  /** How many were left out because they already got a follow-up, where nobody else is left. */
  followedUp?: number | undefined;
  /** Whether the draft was discarded or deleted meanwhile. */
  isGone?: boolean | undefined;
  /** Whether the existing draft with this id was created from another form. */
  isOfAnother?: boolean | undefined;
}

/** Rows written together. More would be little faster, and would delay other requests. */
const fullBatch = { count: 500, bytes: fileBounds.batch };

/** Imports the recipients of a campaign. If that fails, nothing is kept. */
export async function importRecipients(
  request: ImportRequest,
  context: Context,
  workspaces: Workspaces,
): Promise<WriteResult> {
  const read = await readCampaign(request, context, workspaces);
  if (read.kind !== 'read') {
    return read;
  }
  const { writer, columns, followedUp } = read;
  try {
    return { kind: 'written', campaign: await writer.finish(), columns, followedUp };
  } catch (error) {
    await writer.abandon();
    if (error instanceof NoLongerDraftError) {
      return { kind: 'superseded' };
    }
    throw error;
  }
}

/**
 * Streams recipients into chunks in constant memory. The caller then finishes or abandons the campaign. If
 * reading fails, nothing is kept.
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
  const campaign: NewCampaign = {
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
    ...((source.kind === 'run' || (source.kind === 'former' && source.which !== 'draft')) && {
      retryOf: source.campaign.id,
    }),
    followUpOf: followUpOf(source),
    ...(source.kind === 'run' && { occurrence: { of: source.campaign.sequence, at: source.at } }),
  };
  // Stored before its recipients are fetched: its creator is told if the program stops meanwhile.
  const writer = await campaigns.begin(campaign);
  if (writer === undefined) {
    return { kind: 'known' };
  }
  try {
    const opened = await open();
    const result = opened.ok
      ? await writeTable(opened.table, writer, {
          context,
          template,
          route,
          unicode,
          plainCells: form.plainCells === true,
          optOutAddress,
          source,
          onProgress,
        })
      : recipientsFault(opened.reason);
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

/** Returns a function that opens the source. Throws a Refusal if no provider key is connected. */
async function openerOf(
  { workspaceId, source, numberColumn }: ImportRequest,
  context: Context,
  workspaces: Workspaces,
): Promise<() => Promise<OpenedSource>> {
  const { campaigns } = context.store;
  // A run without a key too: it is paused at its start, and its creator told.
  if (source.kind === 'run') {
    return async () => ({ ok: true, table: tableOf(source.campaign, rowsOfFormer(source, campaigns)) });
  }
  const account = await workspaces.connected(workspaceId);
  switch (source.kind) {
    case 'former':
    case 'part':
      return async () => ({ ok: true, table: tableOf(source.campaign, rowsOfFormer(source, campaigns)) });
    case 'audience':
      return async () => ({ ok: true, table: tableOf(source.campaign, rowsOfAudience(source, context)) });
    default: {
      const { country } = await workspaces.defaults(workspaceId);
      return () => openSource(source, { country, numberColumn, account });
    }
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
      return source.which === 'draft'
        ? source.campaign.name
        : followUpName(source.campaign.name, source.which);
    case 'run':
    case 'part':
    case 'audience':
      return source.campaign.name;
    default:
      return source.name;
  }
}

/** Writes all rows of a table. A list without a recipient is a fault. */
async function writeTable(
  table: RecipientTable,
  writer: ImportWriter,
  {
    source,
    onProgress,
    context,
    ...options
  }: ReadingOptions & Pick<ImportRequest, 'source' | 'onProgress'> & { context: Context },
): Promise<ReadResult> {
  const faults = checkColumns(options.template, table.columns, options.optOutAddress !== undefined);
  if (Object.keys(faults).length > 0) {
    return { kind: 'faults', faults };
  }
  const titles = table.columns.map(({ title }) => title);
  // A list of numbers alone has nothing else to keep.
  const isTable = !table.isList && titles.length >= 2;
  if (isTable) {
    await writer.setColumns(titles);
  }
  let count = 0;
  let isReplaceable = false;
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
    return { ...fault, isReplaceable, followedUp: followedUp === 0 ? undefined : followedUp };
  }
  onProgress?.(count);
  const canChoose = isTable && (source.kind === 'file' || source.kind === 'pasted');
  const columns = canChoose ? { titles, chosen: table.number.index } : undefined;
  return { kind: 'read', writer, columns, ...found };
}

/** Returns the id of the campaign that a new one follows up. */
function followUpOf(source: RecipientSource): string | undefined {
  if (!('campaign' in source)) {
    return undefined;
  }
  const { campaign } = source;
  if (source.kind === 'audience') {
    return source.followUp && campaign.id;
  }
  return source.kind === 'former' && source.followUp !== undefined ? campaign.id : campaign.followUpOf;
}

/** Recipients of whom it is asked at once whether they got a follow-up. */
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
      if (source.followUp.again || row.kind !== 'recipient' || !followedUp.has(row.number)) {
        yield row;
      }
    }
  }
}

function recipientsFault(reason: string): ImportFaults {
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
  /** What `{{opt_out}}` becomes begins with it. Undefined where it is a column like any other. */
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
      ? { kind: 'invalid', line, text: number, ...message, cells }
      : { kind: 'recipient', line, number, quiet: isQuietOperator(number), ...message, cells };
  }
}

type Rejected = Extract<ReadRow, { kind: 'invalid' }>;

function personalMessage(
  cellOf: (column: string) => string,
  { template, route, unicode, plainCells, optOutAddress }: ReadingOptions,
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
