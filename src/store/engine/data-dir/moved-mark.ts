import { readFileSync, rmSync } from 'node:fs';
import { z } from 'zod';
import { StoreError } from '../errors.ts';
import { markerPaths } from '../sqlite/marker.ts';
import { writeDurably } from './write-durably.ts';

/**
 * Says that the data of a folder was moved to PostgreSQL. It stands in the place of the folder's marker, so data that is
 * used again once the mark was removed counts as restored.
 */
export type MovedMark = z.infer<typeof markSchema>;

const markSchema = z.object({
  /** Names the move: in PostgreSQL, `mark_file` of the installation is the same. */
  move: z.string(),
  /** With `moving` it is not known whether the data is in PostgreSQL: the folder is not used either way. */
  state: z.enum(['moving', 'moved']),
  /** ISO 8601. */
  at: z.string(),
});

const explanation =
  'The data of this folder was moved to PostgreSQL. See "Moving to PostgreSQL" in docs/operating.md.';

/** Returns undefined where the data was not moved. */
export function readMovedMark(folder: string): MovedMark | undefined {
  try {
    return markSchema.parse(JSON.parse(readFileSync(markerPaths(folder).current, 'utf8')));
  } catch {
    return undefined;
  }
}

/** The mark is on the disk when this returns. */
export function writeMovedMark(folder: string, mark: MovedMark): void {
  const { current, pending } = markerPaths(folder);
  // The data knows the pending marker of a start that was cut off, and would take it for its own.
  rmSync(pending, { force: true });
  writeDurably(current, `${JSON.stringify({ ...mark, explanation }, undefined, 2)}\n`);
}

/**
 * Refuses a folder whose data was moved.
 *
 * @throws StoreError `moved`
 */
export function refuseMoved(folder: string): void {
  const mark = readMovedMark(folder);
  if (mark === undefined) {
    return;
  }
  const goBack =
    'To go on with the data of the folder all the same, stop every instance that uses PostgreSQL and run ' +
    '`npm run restored` without DATABASE_URL: the data counts as restored then, as it does not know what was sent since.';
  throw new StoreError(
    'moved',
    mark.state === 'moved'
      ? `The data of ${folder} was moved to PostgreSQL at ${mark.at}. Set DATABASE_URL to that database. ${goBack}`
      : `The move of the data of ${folder} to PostgreSQL, at ${mark.at}, was cut off as it ended. Set DATABASE_URL to ` +
          `that database and run \`npm run migrate-store\` again, which completes it. ${goBack}`,
  );
}
