import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { z } from 'zod';
import type { Clock } from '../../lib/time/clock.ts';
import { StoreError } from '../errors.ts';

const holderSchema = z.object({ pid: z.number(), host: z.string(), since: z.string() });

// A database that is garbage-collected releases its lock, so a held one stays reachable whatever its owner does.
const held = new Set<Database.Database>();

export const lockPath = (folder: string) => join(folder, 'lock.db');

/**
 * Locks a folder for this process alone, until `release` or the end of the process: the lock is the operating system's,
 * on a file of its own, so a process that was killed leaves nothing to clean up. The holder's name is written beside it,
 * for the error message only. Releasing again is ignored.
 *
 * @throws StoreError `in_use`, naming the process; `bad_folder` when it cannot be written
 */
export function lockDataDir(folder: string, clock: Clock): { release(): void } {
  const lockFile = lockPath(folder);
  // Not in the lock file itself: closing any other handle on that would release the lock (POSIX).
  const holderFile = join(folder, 'lock.json');

  let lock: Database.Database | undefined;
  try {
    // With the timeout, one of two processes that start at the same instant wins, instead of neither.
    lock = new Database(lockFile, { timeout: 200 });
    chmodSync(lockFile, 0o600);
    lock.exec('begin exclusive');
    const holder = { pid: process.pid, host: hostname(), since: clock().toISOString() };
    writeFileSync(holderFile, JSON.stringify(holder), { mode: 0o600 });
  } catch (error) {
    lock?.close();
    throw lockError(folder, holderFile, error);
  }
  held.add(lock);

  return {
    release() {
      if (!held.delete(lock)) {
        return;
      }
      rmSync(holderFile, { force: true });
      lock.close();
    },
  };
}

function lockError(folder: string, holderFile: string, cause: unknown): StoreError {
  if (cause instanceof Database.SqliteError && cause.code === 'SQLITE_BUSY') {
    return new StoreError(
      'in_use',
      `The data folder ${folder} is in use by ${describeHolder(holderFile)}. ` +
        'Stop that process first, or set DATA_DIR to another folder.',
      { cause },
    );
  }
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError('bad_folder', `The data folder ${folder} cannot be locked: ${reason}.`, { cause });
}

function describeHolder(holderFile: string): string {
  try {
    const holder = holderSchema.parse(JSON.parse(readFileSync(holderFile, 'utf8')));
    return `process ${holder.pid} on ${holder.host}, since ${holder.since}`;
  } catch {
    // It has the lock, and has not written its name yet.
    return 'another process';
  }
}
