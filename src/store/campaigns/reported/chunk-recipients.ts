import { type Kysely, sql } from 'kysely';
import { isOneOf } from '../../row-list.ts';
import type { Schema } from '../../schema.ts';

/** A number in a chunk of a campaign. */
export interface NumberInChunk {
  /** The sequence of the campaign. */
  campaign: number;
  chunk: number;
  hash: string;
}

const numberName = ({ campaign, chunk, hash }: NumberInChunk) => JSON.stringify([campaign, chunk, hash]);

/** Returns a function that says of each of these whether it is a recipient in its chunk. */
export async function findChunkRecipients(
  db: Kysely<Schema>,
  asked: readonly NumberInChunk[],
): Promise<(number: NumberInChunk) => boolean> {
  if (asked.length === 0) {
    return () => false;
  }
  const rows = await db
    .selectFrom('campaign_number')
    .select(['campaign', 'chunk', 'hash'])
    .where(
      isOneOf(
        db,
        [sql.ref('campaign'), sql.ref('hash')],
        asked.map(({ campaign, hash }) => [campaign, hash]),
      ),
    )
    .execute();
  const found = new Set(rows.map(numberName));
  return (number) => found.has(numberName(number));
}
