import type { MoveReport, MoveResult } from '../store/move/move-store.ts';

/** Rows between two lines about one table. */
const progressEvery = 50_000;

/** Returns what prints how far a move is: tables and numbers of rows. */
export function createMoveReport(print: (line: string) => void): MoveReport {
  let nextReport = progressEvery;
  return {
    again: () => print('The data has changed since the move began: everything is copied once more.'),
    rows(work, table, rows, of) {
      const isEnd = rows >= of;
      if (isEnd || rows >= nextReport) {
        nextReport = isEnd ? progressEvery : rows + progressEvery;
        print(`${table}: ${count(rows)} of ${count(of)} rows ${work}${isEnd ? '' : ' …'}`);
      }
    },
    audit(entries, problems) {
      print(`The audit: ${count(entries)} entries checked`);
      if (problems > 0) {
        print(
          `It was changed before the move, in ${count(problems)} places: npm run audit -- verify names them.`,
        );
      }
    },
  };
}

/** Returns what is said at the end. */
export function describeMoved(
  { wasComplete, at, rows = 0, heldCampaigns }: MoveResult,
  dataDir: string,
): string {
  if (wasComplete) {
    return `The data is in this PostgreSQL database since ${at.toISOString()}: there is nothing left to do.`;
  }
  const held =
    heldCampaigns === undefined
      ? 'Campaigns go on where they were.'
      : 'The data had been restored or copied, or PostgreSQL was while it was moved. Campaigns paused until a person ' +
        `resumes them: ${count(heldCampaigns)}. Forms and buttons that were open before are void.`;
  return [
    `Done: ${count(rows)} rows were moved to PostgreSQL and compared there.`,
    `${held} Start Switchboard with this DATABASE_URL from now on.`,
    `${dataDir} still has the data as it was, which is not used any more, and which no erasure and no retention reaches. ` +
      'Delete switchboard.db, switchboard.db-wal and switchboard.db-shm there once you are sure that you will not go back.',
  ].join('\n');
}

function count(number: number): string {
  return number.toLocaleString('en');
}
