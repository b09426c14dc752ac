import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const inMemory = '/dev/shm';
const neededBytes = 4_000_000_000;

/**
 * Makes a folder for temporary files in memory, where the system has such a place: nothing that the tests write has to outlive
 * the machine, and thousands of them wait for the disk otherwise. Undefined where there is none, it is small, or no program
 * may be started from it.
 */
export function memoryFolder(): { path: string; remove(): void } | undefined {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    if (bavail * bsize < neededBytes) {
      return undefined;
    }
    const path = mkdtempSync(join(inMemory, 'switchboard-tests-'));
    const remove = () => rmSync(path, { recursive: true, force: true });
    // PostgreSQL runs as another user where the tests run as root.
    chmodSync(path, 0o755);
    try {
      const program = join(path, 'program');
      writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
      execFileSync(program);
    } catch {
      remove();
      return undefined;
    }
    return { path, remove };
  } catch {
    return undefined;
  }
}
