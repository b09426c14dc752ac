import { type CsvColumn, streamCsv } from '../../../domain/csv/write-csv.ts';
import type { Deed } from '../../../services/history/history.ts';
import { withoutMarks } from '../../block-kit/text.ts';
import type { SharedFile } from '../../client/files.ts';
import type { Wordings } from '../../notifier/outcome-notifier.ts';
import { whatItWas, whoDid } from './line.ts';

/** Of deeds in one file, so that however long the history is, only so much of it is held. */
const mostInAFile = 100_000;

/** The history as files of CSV, each made when it is taken; more than one only where it is very long. */
export async function* historyFiles(
  deeds: AsyncIterable<Deed>,
  wordings: Wordings,
  most: number = mostInAFile,
): AsyncGenerator<Pick<SharedFile, 'name' | 'content'> & { rows: number }> {
  const reading = deeds[Symbol.asyncIterator]();
  let next = await reading.next();
  for (let part = 1; part === 1 || !next.done; part += 1) {
    let rows = 0;
    async function* some() {
      for (; !next.done && rows < most; next = await reading.next()) {
        rows += 1;
        yield rowOf(next.value, wordings);
      }
    }
    const pieces: Buffer[] = [];
    for await (const piece of streamCsv(columns, some())) pieces.push(Buffer.from(piece));
    const isOnly = part === 1 && next.done;
    yield { name: isOnly ? 'history.csv' : `history-${part}.csv`, content: Buffer.concat(pieces), rows };
  }
}

/** A deed as a row has it. */
function rowOf(deed: Deed, wordings: Wordings) {
  const common = {
    at: deed.at,
    who: whoDid(deed),
    what: withoutMarks(whatItWas(deed, wordings)),
  };
  if (deed.kind === 'operation') {
    const { kind, state, providerId, pages, balance, error } = deed.operation;
    return { ...common, kind, state, providerId, pages, balance, error };
  }
  const { state, counts, balance, pause } = deed.campaign;
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
