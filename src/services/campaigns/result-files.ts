import { type CsvColumn, writeCsv } from '../../domain/csv/write-csv.ts';
import type { CampaignRepository } from '../../store/campaigns/campaign-repository.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';
import { describeFailure } from '../operations/describe-failure.ts';

export type ResultFileKind = 'rejected' | 'unconfirmed' | 'invalid' | 'not_sent';

interface ResultRow {
  number: string;
  reason: string;
  /** The line in the imported file. */
  line?: number | undefined;
}

const number: CsvColumn<ResultRow> = { title: 'number', cell: (row) => row.number, phoneNumbers: true };
const reason: CsvColumn<ResultRow> = { title: 'reason', cell: (row) => row.reason };
const line: CsvColumn<ResultRow> = { title: 'line', cell: (row) => String(row.line ?? '') };

const columns: Record<ResultFileKind, CsvColumn<ResultRow>[]> = {
  rejected: [number, reason],
  unconfirmed: [number, reason],
  not_sent: [number],
  invalid: [line, number, reason],
};

/**
 * Returns a CSV file in pieces, in constant memory; undefined when it would have no rows, or when they were deleted
 * after the retention time.
 */
export function createResultFile(
  campaign: Campaign,
  which: ResultFileKind,
  campaigns: CampaignRepository,
): AsyncIterable<string> | undefined {
  return campaign.text === undefined || countRows(campaign, which) === 0
    ? undefined
    : writeInPieces(columns[which], rowsOf(campaign, which, campaigns));
}

function countRows({ counts, inFlight }: Campaign, which: ResultFileKind): number {
  const { recipients, accepted, rejected, unconfirmed } = counts;
  return which === 'not_sent' ? recipients - accepted - rejected - unconfirmed - inFlight : counts[which];
}

/** The rows, as many at a time as the repository returns. */
async function* rowsOf(
  { workspaceId, id }: Campaign,
  which: ResultFileKind,
  campaigns: CampaignRepository,
): AsyncGenerator<ResultRow[]> {
  if (which === 'invalid') {
    for await (const { line, text, reason } of campaigns.rejectedRows(workspaceId, id)) {
      yield [{ line, number: text, reason }];
    }
    return;
  }
  const state = which === 'not_sent' ? 'waiting' : which;
  for await (const { to, error } of campaigns.chunks(workspaceId, id, [state])) {
    yield to.map((recipient) => ({
      number: recipient,
      reason: error === undefined ? '' : describeFailure(error).happened,
    }));
  }
}

async function* writeInPieces(
  columns: CsvColumn<ResultRow>[],
  pieces: AsyncIterable<ResultRow[]>,
): AsyncGenerator<string> {
  const [header = ''] = writeCsv(columns, []);
  yield header;
  for await (const rows of pieces) {
    const [, ...lines] = writeCsv(columns, rows);
    yield lines.join('');
  }
}
