import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { EndedFile } from './ended-file.ts';

const root = join(import.meta.dirname, '../..');
const timesFile = join(root, 'node_modules/.cache/switchboard/test-times.json');
const timesSchema = z.record(z.string(), z.object({ seconds: z.number(), cpuSeconds: z.number() }));

/**
 * Returns the seconds, on the reference machine, that each test file took in the last `npm test` that included it. Undefined if none were
 * recorded.
 */
export function readTimes(): z.infer<typeof timesSchema> | undefined {
  try {
    const times = timesSchema.parse(JSON.parse(readFileSync(timesFile, 'utf8')));
    // A file may have been split or renamed since.
    return Object.fromEntries(Object.entries(times).filter(([file]) => existsSync(join(root, file))));
  } catch {
    return undefined;
  }
}

/** @param slowness of the machine, see `measureSlowness`. A faster one is not held to less than the seconds it took. */
export function writeTimes(ended: readonly EndedFile[], slowness: number): void {
  const times = Object.fromEntries(
    ended.map(({ file, seconds, cpuSeconds }) => [
      file,
      { seconds: seconds / slowness, cpuSeconds: cpuSeconds / Math.max(1, slowness) },
    ]),
  );
  mkdirSync(dirname(timesFile), { recursive: true });
  writeFileSync(timesFile, JSON.stringify({ ...readTimes(), ...times }, null, 1));
}
