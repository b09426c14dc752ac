import { CsvFault } from '../../../domain/csv/read-csv.ts';
import type { RecipientTable } from '../../../domain/csv/recipient-rows.ts';
import type { RejectedRow } from '../../../domain/csv/rejected-row.ts';
import { isPersonal } from '../../../domain/messages/template.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type { Campaign, CampaignCounts, NewCampaign, ReadRow } from '../../../store/campaigns/campaigns.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import { type CampaignFaults, type CampaignForm, checkColumns, parseCampaignForm } from './campaign-form.ts';
import { createRowReader } from './read-row.ts';
import { maxRows, openSource, type RecipientSource, readFailure } from './recipient-sources.ts';

export interface ImportRequest {
  workspaceId: string;
  userId: string;
  /** The user's own id (see `ownId`). It becomes the campaign's id, so a form that is submitted twice is imported once. */
  id: string;
  source: RecipientSource;
  form: CampaignForm;
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

/** `known`: there is a campaign with this id. */
export type WriteResult =
  | { kind: 'written'; campaign: Campaign; columns?: NumberColumnChoice | undefined }
  | ImportFaults
  | { kind: 'known' };

/** Nothing was written. */
export interface ImportFaults {
  kind: 'faults';
  faults: CampaignFaults;
  /** Whether rows were rejected only for characters that `plainCells` replaces. */
  isReplaceable?: boolean | undefined;
}

/** Rows written together. More would be little faster, and would delay other requests. */
const batchSize = 100;

/** Reads recipients row by row and writes them as chunks, in constant memory. */
export async function importRecipients(
  request: ImportRequest,
  context: { campaigns: CampaignRepository; workspaces: Workspaces; unicode: boolean },
): Promise<WriteResult | { kind: 'not_connected' }> {
  const { workspaceId, userId, id, source, form, numberColumn, onProgress } = request;
  const { campaigns, workspaces, unicode } = context;
  const account = await workspaces.account(workspaceId);
  if (account === undefined) {
    return { kind: 'not_connected' };
  }
  const { country } = await workspaces.defaults(workspaceId);
  const read = parseCampaignForm(form, unicode);
  const opened = await openSource(source, { country, numberColumn, account });
  const faults: CampaignFaults = {
    ...(read.ok ? {} : read.faults),
    ...(opened.ok ? {} : { recipients: opened.reason }),
    ...(read.ok && opened.ok ? checkColumns(read.form.template, opened.table.columns) : {}),
  };
  if (!read.ok || !opened.ok || Object.keys(faults).length > 0) {
    return { kind: 'faults', faults };
  }
  const { text, template, route, senderId } = read.form;
  const { table } = opened;
  // A list of numbers alone has nothing else to keep.
  const columns = table.isList || table.columns.length < 2 ? undefined : table.columns;
  const readRow = createRowReader({ template, route, unicode, plainCells: form.plainCells === true });
  const campaign = {
    id,
    workspaceId,
    createdBy: userId,
    name: nameOf(form, source),
    route,
    senderId,
    personal: isPersonal(template),
    text,
    columns: columns?.map(({ title }) => title),
  };
  const written = await writeImport(
    campaign,
    mapRows(table.rows, (row) => readRow(columns === undefined ? { ...row, cells: undefined } : row)),
    { campaigns, onProgress },
  );
  return written.kind === 'written' ? { ...written, columns: columnsOf(table, source) } : written;
}

async function* mapRows<From, To>(rows: AsyncIterable<From>, map: (row: From) => To): AsyncGenerator<To> {
  for await (const row of rows) {
    yield map(row);
  }
}

function nameOf({ name = '' }: CampaignForm, source: RecipientSource): string {
  const own = name.trim();
  if (own !== '') {
    return own;
  }
  return source.kind === 'pasted' ? 'Pasted numbers' : source.name;
}

/** Undefined where there is nothing to choose between. */
function columnsOf(
  { isList, columns, number }: RecipientTable,
  source: RecipientSource,
): NumberColumnChoice | undefined {
  return isList || columns.length < 2 || source.kind === 'phonebook'
    ? undefined
    : { titles: columns.map(({ title }) => title), chosen: number.index };
}

/** Writes rows as a campaign that is ready to be started. Nothing is left of it when that fails. */
export async function writeImport(
  campaign: NewCampaign,
  rows: AsyncIterable<ReadRow>,
  context: { campaigns: CampaignRepository; onProgress?: ((rows: number) => void) | undefined },
): Promise<WriteResult> {
  const { campaigns, onProgress } = context;
  const writer = await campaigns.begin(campaign);
  if (writer === undefined) {
    return { kind: 'known' };
  }
  let batch: ReadRow[] = [];
  let count = 0;
  let isReplaceable = false;
  let firstInvalid: RejectedRow | undefined;
  try {
    for await (const row of rows) {
      batch.push(row);
      count += 1;
      if (row.kind === 'invalid') {
        firstInvalid ??= row;
        isReplaceable ||= row.problem === 'replaceable_characters';
      }
      if (count > maxRows) {
        await writer.abandon();
        return recipientsFault('This list has more than 1,000,000 rows. Split the file.');
      }
      if (batch.length === batchSize) {
        await writer.add(batch);
        batch = [];
        onProgress?.(count);
      }
    }
    const counts = await writer.add(batch);
    if (counts.recipients === 0) {
      await writer.abandon();
      return { ...recipientsFault(whyNobody(counts, firstInvalid)), isReplaceable };
    }
    onProgress?.(count);
    return { kind: 'written', campaign: await writer.finish() };
  } catch (error) {
    await writer.abandon();
    const reason = error instanceof CsvFault ? error.reason : readFailure(error);
    if (reason === undefined) {
      throw error;
    }
    return recipientsFault(reason);
  }
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
