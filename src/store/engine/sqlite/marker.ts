import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../sync-folder.ts';

/**
 * A file beside the database that holds the number of its committed writing transactions: where it is ahead of the
 * database, the database is an older copy. Each start makes a new file, and the database knows it by its identity.
 */
export interface Marker {
  /** See `identityOf`. */
  identity: string;
  writes: number;
}

const digits = 15;
const explanation =
  'Switchboard uses this file to notice that its data was restored or copied. See "Restore a backup" in docs/operating.md.\n';

/** `pending` is the path of a new marker until the database knows it. */
export const markerPaths = (folder: string) => {
  const current = join(folder, 'switchboard.mark');
  return { current, pending: `${current}.new` };
};

/** Returns undefined where there is no marker that can be read. */
export function readMarker(path: string): Marker | undefined {
  const identity = identityOf(path);
  if (identity === undefined) {
    return undefined;
  }
  const [, writes] = new RegExp(`^(\\d{${digits}})\\n`).exec(readFileSync(path, 'latin1')) ?? [];
  return writes === undefined ? undefined : { identity, writes: Number(writes) };
}

/** Makes the pending marker, which is on the disk when this returns. */
export function createMarker(folder: string, writes: number): Marker {
  const { pending } = markerPaths(folder);
  // Not overwritten: no backup knows the identity of a new file.
  rmSync(pending, { force: true });
  const file = openSync(pending, 'wx', 0o600);
  try {
    writeSync(file, `${lineOf(writes)}${explanation}`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  syncFolder(folder);
  const identity = identityOf(pending);
  if (identity === undefined) {
    throw new Error('The marker was removed while it was made');
  }
  return { identity, writes };
}

/** Puts the pending marker in the place of the current one. */
export function promoteMarker(folder: string): void {
  const { pending, current } = markerPaths(folder);
  renameSync(pending, current);
}

/**
 * Writes to an open marker. The count survives the end of the process, however that ends. After a power cut it may lag
 * behind, which does no harm: only a marker that is ahead of its database means something.
 */
export function updateMarker(descriptor: number, writes: number): void {
  writeSync(descriptor, lineOf(writes), 0);
}

function lineOf(writes: number): string {
  return `${String(writes).padStart(digits, '0')}\n`;
}

/**
 * Returns what distinguishes a file from all others, even its own copy or a reused inode, whatever its content, name, owner
 * or mode. Undefined without such a file.
 */
export function identityOf(path: string): string | undefined {
  const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stat && `${stat.ino}-${stat.birthtimeNs}`;
}

/** Some file systems do not record when a file was made: then the inode number decides. */
export function isSameFile(one: string, other: string | undefined): boolean {
  if (other === undefined) {
    return false;
  }
  const [inode, madeAt] = one.split('-');
  const [otherInode, otherMadeAt] = other.split('-');
  return inode === otherInode && (madeAt === otherMadeAt || madeAt === '0' || otherMadeAt === '0');
}
