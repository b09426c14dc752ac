import { type CsvColumn, streamCsv } from '../../rules/write-csv.ts';
import type { Deed } from '../../services/history.ts';
import { withoutMarks } from '../blocks/text.ts';
import type { SharedFile } from '../files.ts';
import type { Wordings } from '../telling.ts';
import { whatItWas } from './line.ts';

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
        yield next.value;
      }
    }
    const pieces: Buffer[] = [];
    for await (const piece of streamCsv(columnsWith(wordings), some())) pieces.push(Buffer.from(piece));
    const isOnly = part === 1 && next.done;
    yield { name: isOnly ? 'history.csv' : `history-${part}.csv`, content: Buffer.concat(pieces), rows };
  }
}

function columnsWith(wordings: Wordings): readonly CsvColumn<Deed>[] {
  return [
    { title: 'Time', cell: ({ at }) => at.toISOString() },
    { title: 'Kind', cell: ({ operation }) => operation.kind },
    { title: 'Who', cell: ({ operation }) => operation.actor },
    { title: 'State', cell: ({ operation }) => operation.state },
    { title: 'What', cell: (deed) => withoutMarks(whatItWas(deed, wordings)) },
    { title: 'Provider id', cell: ({ operation }) => operation.providerId ?? '' },
    { title: 'Pages', cell: ({ operation }) => String(operation.pages ?? '') },
    { title: 'Balance', cell: ({ operation }) => operation.balance ?? '' },
    { title: 'Error', cell: ({ operation }) => operation.error?.reason ?? '' },
    { title: 'Error in words', cell: ({ operation }) => operation.error?.message ?? '' },
  ];
}
