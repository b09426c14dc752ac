import { type CsvColumn, streamCsv } from '../../../domain/csv/write-csv.ts';
import type { HistoryEntry } from '../../../services/history/history.ts';
import { describeFailure } from '../../../services/operations/describe-failure.ts';
import { stripMarkup } from '../../block-kit/text.ts';
import type { SharedFile } from '../../client/files.ts';
import { actorOf, describeEntry } from '../../notifier/history-line.ts';
import type { OutcomeRenderers } from '../../notifier/outcome-notifier.ts';

/** A file is kept in memory, so a long history takes more than one. */
const maxEntriesPerFile = 100_000;

/** Yields the history as CSV files: one, or more if it has more than `maxEntries` entries. Each is made when it is requested. */
export async function* historyFiles(
  entries: AsyncIterable<HistoryEntry>,
  outcomeRenderers: OutcomeRenderers,
  maxEntries: number = maxEntriesPerFile,
): AsyncGenerator<Pick<SharedFile, 'name' | 'content'> & { rows: number }> {
  const reading = entries[Symbol.asyncIterator]();
  let next = await reading.next();
  for (let part = 1; part === 1 || !next.done; part += 1) {
    let rows = 0;
    async function* rowsOfFile() {
      for (; !next.done && rows < maxEntries; next = await reading.next()) {
        rows += 1;
        yield rowOf(next.value, outcomeRenderers);
      }
    }
    const pieces: Buffer[] = [];
    for await (const piece of streamCsv(columns, rowsOfFile())) {
      pieces.push(Buffer.from(piece));
    }
    const isOnly = part === 1 && next.done;
    yield { name: isOnly ? 'history.csv' : `history-${part}.csv`, content: Buffer.concat(pieces), rows };
  }
}

function rowOf(entry: HistoryEntry, outcomeRenderers: OutcomeRenderers) {
  const common = {
    at: entry.at,
    who: actorOf(entry),
    what: stripMarkup(describeEntry(entry, outcomeRenderers)),
  };
  if (entry.kind === 'operation') {
    const { kind, state, providerId, pages, balance, error } = entry.operation;
    return { ...common, kind, state, providerId, pages, balance, error };
  }
  const { state, counts, balance, pause } = entry.campaign;
  return {
    ...common,
    kind: 'campaign',
    state,
    providerId: undefined,
    pages: counts.pages,
    balance,
    error: pause?.error,
  };
}

type Row = ReturnType<typeof rowOf>;

const columns: readonly CsvColumn<Row>[] = [
  { title: 'Time', cell: ({ at }) => at.toISOString() },
  { title: 'Kind', cell: ({ kind }) => kind },
  { title: 'Who', cell: ({ who }) => who },
  { title: 'State', cell: ({ state }) => state },
  { title: 'What', cell: ({ what }) => what },
  { title: 'Provider id', cell: ({ providerId }) => providerId ?? '' },
  { title: 'Pages', cell: ({ pages }) => String(pages ?? '') },
  { title: 'Balance', cell: ({ balance }) => balance ?? '' },
  { title: 'Error', cell: ({ error }) => error?.reason ?? '' },
  {
    title: 'Error in words',
    cell: ({ error }) => (error === undefined ? '' : describeFailure(error).happened),
  },
];
