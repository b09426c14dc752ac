import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

const fileName = 'control.sock';

/** Bytes of a socket's path that every system takes: Linux has room for 107, macOS for 103. */
const maxPathBytes = 100;

/** Returns where the socket of a data folder is. */
export function controlSocketPath(dataDir: string): string {
  return join(dataDir, fileName);
}

/**
 * Calls `use` with a path of the socket that is short enough to bind or connect to. Where the folder's own is too long,
 * that is a link to the folder, in a private folder of its own that is removed once `use` has ended. The socket itself is
 * in the data folder in any case.
 */
export async function withSocketPath<Result>(
  dataDir: string,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const path = controlSocketPath(resolve(dataDir));
  if (Buffer.byteLength(path) <= maxPathBytes) {
    return use(path);
  }
  const folder = mkdtempSync(join(tmpdir(), 'swb-'));
  try {
    const link = join(folder, 'd');
    symlinkSync(dirname(path), link, 'dir');
    return await use(controlSocketPath(link));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
