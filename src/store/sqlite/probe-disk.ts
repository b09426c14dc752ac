import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Enough to occupy a block of the disk. */
const bytes = Buffer.alloc(4096);

/**
 * Writes a file and removes it. Throws the operating system's error where the disk is full: the database has free pages
 * of its own, and would report it later.
 */
export function probeDisk(folder: string): void {
  const file = join(folder, 'switchboard.probe');
  try {
    writeFileSync(file, bytes, { mode: 0o600, flush: true });
  } finally {
    rmSync(file, { force: true });
  }
}
