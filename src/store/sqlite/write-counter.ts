import { closeSync, openSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StoreError } from '../errors.ts';
import { identityOf, isSameFile } from './file-identity.ts';
import { updateMarker } from './marker.ts';

/** What is counted, and where. */
export interface Counting {
  /** The path of the mark. */
  mark: string;
  /** The files that must stay where they are: without one of them nothing is written down. */
  files: readonly string[];
  /** As of now. */
  writes: number;
}

/** Counts the transactions that write, in the database itself, and marks those that were committed. */
export interface WriteCounter {
  /**
   * Called in a transaction that wrote, before it is committed.
   *
   * @throws StoreError `data_gone` where a file was removed or replaced, or another program has written
   */
  count(): void;
  /** Called once it is committed. */
  mark(): void;
  /**
   * Writes down what is there already, as a look at whether something could be written.
   *
   * @throws StoreError `data_gone`
   */
  probe(): void;
  close(): void;
}

export function createWriteCounter(sqlite: Database, { mark, files, writes }: Counting): WriteCounter {
  const descriptor = openSync(mark, 'r+');
  const known = files.map((path) => ({ path, identity: identityOf(path) }));
  // Nobody else counts: where the number is not the one that is known here, this is not the data of this process.
  const next = sqlite.prepare<[number, number]>('update installation set writes = ? where writes = ?');
  let counted = writes;
  let isMarked = true;

  /** Writes the number down; throws where this is not the data that was opened. */
  function write(number: number): void {
    for (const { path, identity } of known) {
      if (identity === undefined || !isSameFile(identity, identityOf(path))) {
        throw gone(path);
      }
    }
    if (next.run(number, counted).changes !== 1) {
      throw gone(files[0]);
    }
  }

  return {
    probe: () => write(counted),

    count() {
      // The mark may lag behind by what could not be written on it once, and by no more.
      if (!isMarked) {
        updateMarker(descriptor, counted);
      }
      isMarked = true;
      write(counted + 1);
    },

    mark() {
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

function gone(path = ''): StoreError {
  return new StoreError(
    'data_gone',
    `${path} was removed or replaced while Switchboard runs, so nothing is sent. ` +
      'Stop Switchboard, put its data back, and start it again.',
  );
}
