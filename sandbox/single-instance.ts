import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const runningSchema = z.object({ pid: z.number(), url: z.url() });

/** Thrown when another sandbox runs on the same folder. */
export class AlreadyRunningError extends Error {
  override readonly name = 'AlreadyRunningError';
  constructor(url: string, pid: number) {
    super(`A sandbox is running on this folder already: ${url} (process ${pid}). Stop it first, or use it.`);
  }
}

const fileIn = (folder: string): string => join(folder, 'running.json');

/** Throws AlreadyRunningError if a sandbox runs on the folder. Ignores the mark of a sandbox that was killed. */
export async function assertSingleInstance(folder: string): Promise<void> {
  const text = await readFile(fileIn(folder), 'utf8').catch(() => undefined);
  const running = text === undefined ? undefined : runningSchema.safeParse(JSON.parse(text)).data;
  if (!running || running.pid === process.pid) {
    return;
  }
  const answers = await fetch(new URL('/sandbox/controls', running.url)).then(
    (response) => response.ok,
    () => false,
  );
  if (answers) {
    throw new AlreadyRunningError(running.url, running.pid);
  }
}

/** Marks the folder as used by this process. Returns a function that removes the mark. */
export async function markRunning(folder: string, url: string): Promise<() => Promise<void>> {
  await writeFile(fileIn(folder), JSON.stringify({ pid: process.pid, url }));
  return () => rm(fileIn(folder), { force: true });
}
