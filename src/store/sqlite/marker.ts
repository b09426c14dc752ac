import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf } from './file-identity.ts';

/**
 * A file beside the database that says how far the database has come: which of its writing transactions was committed
 * last. Each start makes a new one, and the database knows it by its identity.
 */
export interface Marker {
  /** See `identityOf`. */
  identity: string;
  writes: number;
}

const digits = 15;
const explanation =
  'By this file Switchboard notices that its data was restored or copied. See "Restoring" in docs/operating.md.\n';

/** `fresh` is where a mark lies until the database knows it. */
export const markerPaths = (folder: string) => {
  const settled = join(folder, 'switchboard.mark');
  return { settled, fresh: `${settled}.new` };
};

/** Returns undefined where there is none that can be read. */
export function readMarker(path: string): Marker | undefined {
  const identity = identityOf(path);
  if (identity === undefined) {
    return undefined;
  }
  const [, writes] = new RegExp(`^(\\d{${digits}})\\n`).exec(readFileSync(path, 'latin1')) ?? [];
  return writes === undefined ? undefined : { identity, writes: Number(writes) };
}

/** Makes a fresh mark, which is on the disk when this returns. */
export function createMarker(folder: string, writes: number): Marker {
  const { fresh } = markerPaths(folder);
  // Not written over: no back-up knows the identity of a new file.
  rmSync(fresh, { force: true });
  const mark = openSync(fresh, 'wx', 0o600);
  const directory = openSync(folder, 'r');
  try {
    writeSync(mark, `${lineOf(writes)}${explanation}`);
    fsyncSync(mark);
    fsyncSync(directory);
  } finally {
    closeSync(mark);
    closeSync(directory);
  }
  const identity = identityOf(fresh);
  if (identity === undefined) {
    throw new Error('The mark was removed while it was made');
  }
  return { identity, writes };
}

/** Puts the fresh mark in the place of the one before. */
export function promoteMarker(folder: string): void {
  const { fresh, settled } = markerPaths(folder);
  renameSync(fresh, settled);
}

/**
 * Writes on an open mark. It survives the end of the process, however that ends. After a power cut it may lag behind,
 * which does no harm: only a mark that is ahead of its database means something.
 */
export function updateMarker(descriptor: number, writes: number): void {
  writeSync(descriptor, lineOf(writes), 0);
}

function lineOf(writes: number): string {
  return `${String(writes).padStart(digits, '0')}\n`;
}
