import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Has the names of a folder's files on the disk. Windows opens no folder: there, a power cut may undo the last rename. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') {
    return;
  }
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
