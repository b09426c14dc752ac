import { type CsvColumn, streamCsv } from '../../../domain/csv/write-csv.ts';
import type { HistoryEntry } from '../../../services/history/history.ts';
import { stripMarkup } from '../../block-kit/text.ts';
import type { SharedFile } from '../../client/files.ts';
import { actorOf, describeEntry } from '../../notifier/history-line.ts';
import type { OutcomeRenderers } from '../../notifier/outcome-notifier.ts';

/** Of entries in one file, so that however long the history is, only so much of it is held. */
const mostInAFile = 100_000;

/** The history as files of CSV, each made when it is taken; more than one only where it is very long. */
export async function* historyFiles(
  entries: AsyncIterable<HistoryEntry>,
  outcomeRenderers: OutcomeRenderers,
  most: number = mostInAFile,
): AsyncGenerator<Pick<SharedFile, 'name' | 'content'> & { rows: number }> {
  const reading = entries[Symbol.asyncIterator]();
  let next = await reading.next();
  for (let part = 1; part === 1 || !next.done; part += 1) {
    let rows = 0;
    async function* some() {
      for (; !next.done && rows < most; next = await reading.next()) {
        rows += 1;
        yield rowOf(next.value, outcomeRenderers);
      }
    }
    const pieces: Buffer[] = [];
    for await (const piece of streamCsv(columns, some())) {
      pieces.push(Buffer.from(piece));
    }
    const isOnly = part === 1 && next.done;
    yield { name: isOnly ? 'history.csv' : `history-${part}.csv`, content: Buffer.concat(pieces), rows };
  }
}

/** A entry as a row has it. */
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
  { title: 'Error in words', cell: ({ error }) => error?.message ?? '' },
];
