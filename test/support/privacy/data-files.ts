import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns the bytes of every file in a folder and those in it, with its path. A socket has none. */
export function readDataFiles(folder: string): { path: string; bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { path, bytes: readFileSync(path) };
    });
}
