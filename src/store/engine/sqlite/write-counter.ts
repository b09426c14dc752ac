import { closeSync, openSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StoreError } from '../errors.ts';
import { identityOf, isSameFile, updateMarker } from './marker.ts';

export interface WriteCounting {
  /** The path of the marker. */
  marker: string;
  /** The files that must stay where they are: without one of them nothing is written. */
  files: readonly string[];
  /** The count as of now. */
  writes: number;
  /** Replaces the count in the database, its second parameter, by its first. */
  updateSql: string;
}

export type WriteCounter = ReturnType<typeof createWriteCounter>;

/** Counts the transactions that write, in the database itself, and marks those that were committed. */
export function createWriteCounter(sqlite: Database, { marker, files, writes, updateSql }: WriteCounting) {
  const descriptor = openSync(marker, 'r+');
  const known = files.map((path) => ({ path, identity: identityOf(path) }));
  const update = sqlite.prepare<[number, number]>(updateSql);
  let counted = writes;
  let isMarked = true;

  /** Throws a StoreError `data_gone` where a file was removed or replaced, or another program has written. */
  function write(count: number): void {
    for (const { path, identity } of known) {
      if (identity === undefined || !isSameFile(identity, identityOf(path))) {
        throw dataGone(path);
      }
    }
    // Nobody else counts: where the count is not the known one, this is not the data of this process.
    if (update.run(count, counted).changes !== 1) {
      throw dataGone(files[0]);
    }
  }

  return {
    /** Writes the count that is there already, to check whether something could be written. */
    probe: () => write(counted),

    /** Called in a transaction that wrote. */
    beforeCommit(): void {
      // The marker may lag behind by one count that could not be written, but not by two.
      if (!isMarked) {
        updateMarker(descriptor, counted);
      }
      isMarked = true;
      write(counted + 1);
    },

    afterCommit(): void {
      counted += 1;
      try {
        updateMarker(descriptor, counted);
      } catch {
        isMarked = false;
      }
    },

    close: () => closeSync(descriptor),
  };
}

function dataGone(path = ''): StoreError {
  return new StoreError(
    'data_gone',
    `${path} was removed or replaced while Switchboard runs, so nothing is sent. ` +
      'Stop Switchboard, put its data back, and start it again.',
  );
}
