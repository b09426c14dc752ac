import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Enough to take a block of their own. */
const bytes = Buffer.alloc(4096);

/**
 * Writes a file and removes it. Throws what the operating system says where the disk takes nothing more: the database
 * has room of its own, and would say so later.
 */
export function probeDisk(folder: string): void {
  const file = join(folder, 'switchboard.probe');
  try {
    writeFileSync(file, bytes, { mode: 0o600, flush: true });
  } finally {
    rmSync(file, { force: true });
  }
}
