import { type CsvColumn, writeCsv } from '../../domain/csv/write-csv.ts';
import type { Campaign, CampaignRepository, ChunkState } from '../../store/campaigns/campaigns.ts';
import type { ResultFileKind } from './campaigns.ts';

interface Line {
  number: string;
  reason: string;
  /** Of the file that it was read from. */
  line?: number;
}

const number: CsvColumn<Line> = { title: 'number', cell: (row) => row.number, phoneNumbers: true };
const reason: CsvColumn<Line> = { title: 'reason', cell: (row) => row.reason };
const line: CsvColumn<Line> = { title: 'line', cell: (row) => String(row.line ?? '') };

const columns: Record<ResultFileKind, CsvColumn<Line>[]> = {
  rejected: [number, reason],
  unconfirmed: [number, reason],
  not_sent: [number],
  invalid: [line, number, reason],
};

/** The chunks that a file is made of. */
const states: Record<Exclude<ResultFileKind, 'invalid'>, readonly ChunkState[]> = {
  rejected: ['rejected'],
  unconfirmed: ['unconfirmed'],
  not_sent: ['waiting'],
};

/** How many lines a file would have. */
export function linesOf({ counts, inFlight }: Campaign, which: ResultFileKind): number {
  const { recipients, accepted, rejected, unconfirmed } = counts;
  return which === 'not_sent' ? recipients - accepted - rejected - unconfirmed - inFlight : counts[which];
}

/** A CSV file, piece by piece, however many lines it has. */
export async function* campaignFile(
  { workspaceId, id }: Campaign,
  which: ResultFileKind,
  campaigns: CampaignRepository,
): AsyncGenerator<string> {
  const [head = ''] = writeCsv(columns[which], []);
  yield head;
  if (which === 'invalid') {
    for await (const { line, text, reason } of campaigns.rejectedRows(workspaceId, id)) {
      yield piece(which, [{ line, number: text, reason }]);
    }
    return;
  }
  for await (const chunk of campaigns.chunks(workspaceId, id, states[which])) {
    yield piece(
      which,
      chunk.to.map((to) => ({ number: to, reason: chunk.error?.message ?? '' })),
    );
  }
}

function piece(which: ResultFileKind, lines: readonly Line[]): string {
  const [, ...rows] = writeCsv(columns[which], lines);
  return rows.join('');
}
