import { fileBounds } from '../../domain/csv/file-bounds.ts';
import type { CsvColumn } from '../../domain/csv/write-csv.ts';
import { readReportedStatus } from '../../domain/deliveries/delivery-status.ts';
import { batchesOf } from '../../lib/batches.ts';
import {
  type Campaign,
  type ChunkState,
  type KnownChunk,
  sizeOfChunk,
} from '../../store/campaigns/campaigns.ts';
import type { MessageDelivery } from '../../store/deliveries/deliveries.ts';
import type { Store } from '../../store/store.ts';
import { describeFailure } from '../operations/outcomes.ts';

/** `all`: every recipient with their outcome. The others are as the file was, and can be imported again. */
export type ResultFileKind = 'rejected' | 'unconfirmed' | 'invalid' | 'not_sent' | 'all';

interface ResultRow {
  number: string;
  /** The row of the imported file. */
  cells: readonly string[];
  reason: string;
  /** The line in the imported file. */
  line?: number | undefined;
  state?: string | undefined;
  providerId?: string | undefined;
  pages?: number | undefined;
  /** What was reported of the message. */
  delivery?: MessageDelivery | undefined;
}

const number: CsvColumn<ResultRow> = { title: 'number', cell: (row) => row.number, phoneNumbers: true };
const reason: CsvColumn<ResultRow> = { title: 'reason', cell: (row) => row.reason };
const line: CsvColumn<ResultRow> = { title: 'line', cell: (row) => String(row.line ?? '') };
const state: CsvColumn<ResultRow> = { title: 'state', cell: (row) => row.state ?? '' };
const providerId: CsvColumn<ResultRow> = { title: 'provider_id', cell: (row) => row.providerId ?? '' };
const delivery: CsvColumn<ResultRow> = {
  title: 'delivery',
  cell: ({ delivery: known }) => (known === undefined ? '' : (deliveryNames[known.state] ?? known.status)),
};
const providerStatus: CsvColumn<ResultRow> = {
  title: 'provider_status',
  cell: (row) => row.delivery?.status ?? '',
};
const knownFrom: CsvColumn<ResultRow> = {
  title: 'delivery_known_from',
  cell: (row) => (row.delivery === undefined ? '' : sourceNames[row.delivery.source]),
};
const reportedAt: CsvColumn<ResultRow> = {
  title: 'delivery_known_at',
  cell: (row) => row.delivery?.receivedAt.toISOString() ?? '',
};
const cost: CsvColumn<ResultRow> = { title: 'cost', cell: (row) => row.delivery?.cost ?? '' };
const pages: CsvColumn<ResultRow> = { title: 'pages', cell: (row) => String(row.pages ?? '') };

/** The columns around the imported ones. Without imported columns, the numbers get a column. */
const columns: Record<ResultFileKind, { before: CsvColumn<ResultRow>[]; after: CsvColumn<ResultRow>[] }> = {
  rejected: { before: [], after: [reason] },
  unconfirmed: { before: [], after: [reason] },
  not_sent: { before: [], after: [] },
  invalid: { before: [line], after: [reason] },
  all: {
    before: [number],
    after: [state, providerId, reason, pages, delivery, providerStatus, knownFrom, reportedAt, cost],
  },
};

const chunkStates: Record<Exclude<ResultFileKind, 'invalid'>, readonly ChunkState[]> = {
  rejected: ['rejected'],
  unconfirmed: ['unconfirmed'],
  not_sent: ['waiting'],
  all: ['accepted', 'rejected', 'unconfirmed', 'claimed', 'waiting'],
};

/** The words of the screens. */
const stateNames: Record<ChunkState, string> = {
  accepted: 'Sent',
  rejected: 'Rejected',
  unconfirmed: 'Unconfirmed',
  claimed: 'Sending',
  waiting: 'Not sent',
};

/** An unknown status is shown unchanged. */
const deliveryNames: Record<MessageDelivery['state'], string | undefined> = {
  delivered: 'Delivered',
  failed: 'Not delivered',
  sent: 'On its way',
  unknown: undefined,
};

const sourceNames: Record<MessageDelivery['source'], string> = { report: 'report', history: 'history' };

/** A file with recipients, as a table whose rows are still to be read. */
export interface ResultTable {
  columns: readonly CsvColumn<ResultRow>[];
  rows: AsyncIterable<ResultRow>;
}

/** Returns undefined when it would have no rows, or when they were deleted after the retention time. */
export function createResultTable(
  campaign: Campaign,
  which: ResultFileKind,
  store: Store,
): ResultTable | undefined {
  const { counts, inFlight, text, columns: titles = [] } = campaign;
  const { recipients, accepted, rejected, unconfirmed, invalid } = counts;
  const waiting = recipients - accepted - rejected - unconfirmed - inFlight;
  const rows = { rejected, unconfirmed, invalid, not_sent: waiting, all: recipients }[which];
  if (text === undefined || rows === 0) {
    return undefined;
  }
  const { before, after } = columns[which];
  const original = titles.map((title, index) => ({
    title,
    cell: ({ cells }: ResultRow) => cells[index] ?? '',
    phoneNumbers: true,
  }));
  const numbers = original.length === 0 && which !== 'all' ? [number] : [];
  // The imported file may have a column of the same title, perhaps as it is itself such a file, corrected.
  const withUniqueTitle = (column: CsvColumn<ResultRow>) => {
    let { title } = column;
    for (let count = 2; titles.includes(title); count += 1) {
      title = `${column.title}_${count}`;
    }
    return { ...column, title };
  };
  return {
    columns: [...before.map(withUniqueTitle), ...numbers, ...original, ...after.map(withUniqueTitle)],
    rows: rowsOf(campaign, which, store),
  };
}

async function* rowsOf(
  { workspaceId, id }: Campaign,
  which: ResultFileKind,
  { campaigns, deliveries }: Store,
): AsyncGenerator<ResultRow> {
  if (which === 'invalid') {
    for await (const { text, cells = [], ...row } of campaigns.rejectedRows(workspaceId, id)) {
      yield { ...row, number: text, cells };
    }
    return;
  }
  const chunks = campaigns.chunks(workspaceId, id, chunkStates[which]);
  if (which !== 'all') {
    for await (const chunk of chunks) {
      yield* rowsOfChunk(chunk);
    }
    return;
  }
  for await (const batch of batchesOf(chunks, fullBatch, sizeOfChunk)) {
    const ids = new Set(batch.flatMap((chunk) => chunk.providerId ?? []));
    const find = await deliveries.ofRecipients(workspaceId, [...ids]);
    for (const row of batch.flatMap(rowsOfChunk)) {
      const known = row.providerId === undefined ? undefined : find(row.providerId, row.number);
      const { reason: ours, words } = known === undefined ? {} : readReportedStatus(known.status);
      const theirs = words && known?.state === 'failed' ? `the provider says “${words}”` : '';
      yield { ...row, reason: row.reason || (ours ?? theirs), delivery: known };
    }
  }
}

/** Recipients whose deliveries are read at once. */
const fullBatch = { count: 2_000, bytes: fileBounds.batch };

function rowsOfChunk({
  to,
  cells,
  state: ofChunk,
  providerId: ofRequest,
  pages: all,
  error,
}: KnownChunk): ResultRow[] {
  return to.map((recipient, index) => ({
    number: recipient,
    cells: cells?.[index] ?? [],
    reason: error === undefined ? '' : describeFailure(error).happened,
    state: stateNames[ofChunk],
    providerId: ofRequest,
    // All recipients of a chunk have one text, and so the same number of pages.
    pages: all / to.length,
  }));
}
