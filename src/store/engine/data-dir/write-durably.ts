import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Replaces a private file by a new one with this content, which is on the disk under its name when this returns. */
export function writeDurably(path: string, content: string): void {
  const unfinished = `${path}.unfinished`;
  const file = openSync(unfinished, 'w', 0o600);
  const directory = openSync(dirname(path), 'r');
  try {
    writeSync(file, content);
    fsyncSync(file);
    renameSync(unfinished, path);
    fsyncSync(directory);
  } finally {
    closeSync(file);
    closeSync(directory);
  }
}
