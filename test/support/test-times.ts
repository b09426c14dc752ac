import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { EndedFile } from './ended-file.ts';

const timesFile = join(import.meta.dirname, '../../node_modules/.cache/switchboard/test-times.json');
const timesSchema = z.record(z.string(), z.object({ seconds: z.number(), cpuSeconds: z.number() }));

/** Returns the seconds of the reference that each test file took in its last run by `npm test`. Undefined where there was none. */
export function readTimes(): z.infer<typeof timesSchema> | undefined {
  try {
    return timesSchema.parse(JSON.parse(readFileSync(timesFile, 'utf8')));
  } catch {
    return undefined;
  }
}

/** @param slowness of the machine, see `measureSlowness` */
export function writeTimes(ended: readonly EndedFile[], slowness: number): void {
  const times = Object.fromEntries(
    ended.map(({ file, seconds, cpuSeconds }) => [
      file,
      { seconds: seconds / slowness, cpuSeconds: cpuSeconds / slowness },
    ]),
  );
  mkdirSync(dirname(timesFile), { recursive: true });
  writeFileSync(timesFile, JSON.stringify({ ...readTimes(), ...times }, null, 1));
}
