import { type Kysely, sql } from 'kysely';
import { isPostgres } from '../../engine/dialect.ts';
import type { Schema } from '../../schema/schema.ts';
import type { AssignedHash } from './assign-chunks.ts';

/** 2 MiB: 16 bits for each row of the longest list. */
const indexBits = 24;
const bitsOfCharacter = 6;
const charactersOfIndex = indexBits / bitsOfCharacter;
/** A hash has 22 characters. */
const indexesOfHash = 5;

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const valueOfCharacter = Uint8Array.from({ length: 128 }, (_, code) =>
  Math.max(0, alphabet.indexOf(String.fromCharCode(code))),
);

/**
 * Tells of most hashes, without a look into the database, that they were never added. A Bloom filter of hashes in
 * base64url, whose characters are random enough to be its indexes.
 */
export function createHashFilter() {
  const bits = new Uint8Array(2 ** indexBits / 8);

  function indexAt(hash: string, position: number): number {
    let index = 0;
    for (let at = position * charactersOfIndex; at < (position + 1) * charactersOfIndex; at += 1) {
      index = (index << bitsOfCharacter) | (valueOfCharacter[hash.charCodeAt(at)] ?? 0);
    }
    return index;
  }

  return {
    add(hash: string): void {
      for (let position = 0; position < indexesOfHash; position += 1) {
        const index = indexAt(hash, position);
        bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
      }
    },
    /** True for every added hash; also for one in a thousand others, once a million were added. */
    mayHave(hash: string): boolean {
      for (let position = 0; position < indexesOfHash; position += 1) {
        const index = indexAt(hash, position);
        if (((bits[index >> 3] ?? 0) & (1 << (index & 7))) === 0) {
          return false;
        }
      }
      return true;
    },
  };
}

/** One for each ASCII character that a hash may begin with. */
const bucketCount = 128;

/**
 * Buffers hashes until many that are adjacent in the index can be written together. Hashes come in random order; written
 * as they come, each would cost a page of the index: four kilobytes for thirty bytes.
 */
export function createHashWriteBuffer() {
  const buckets = Array.from({ length: bucketCount }, () => new Map<string, number>());
  let size = 0;
  let nextBucket = 0;
  const bucketOf = (hash: string) => buckets[hash.charCodeAt(0)];

  return {
    has: (hash: string): boolean => bucketOf(hash)?.has(hash) === true,

    /** @throws TypeError if it is buffered already: the number would be in two chunks */
    add({ hash, chunk }: AssignedHash): void {
      const bucket = bucketOf(hash);
      if (bucket === undefined || bucket.has(hash)) {
        throw new TypeError('It is buffered already, or is no hash');
      }
      bucket.set(hash, chunk);
      size += 1;
    },

    /** Returns at least `count` adjacent hashes, in their order; fewer only at the end. */
    next(count: number): AssignedHash[] {
      const taken: AssignedHash[] = [];
      for (let step = 0; step < bucketCount && taken.length < count; step += 1) {
        const bucket = [...(buckets[(nextBucket + step) % bucketCount] ?? [])];
        bucket.sort(([one], [other]) => (one < other ? -1 : 1));
        for (const [hash, chunk] of bucket) {
          taken.push({ hash, chunk });
        }
      }
      return taken;
    },

    /** Removes what `next` returned, once it is written. */
    drop(written: readonly AssignedHash[]): void {
      for (const { hash } of written) {
        if (bucketOf(hash)?.delete(hash)) {
          size -= 1;
        }
      }
      const last = written.at(-1);
      if (last !== undefined) {
        nextBucket = (last.hash.charCodeAt(0) + 1) % bucketCount;
      }
    },

    get size(): number {
      return size;
    },
  };
}

/** Hashes of one statement. */
const pageSize = 2_000;

/** The campaign that is imported. */
export interface ImportedCampaign {
  workspaceId: string;
  sequence: number;
}

/** Reads the hashes of the workspace's suppression list. */
export async function* suppressedHashes(
  db: Kysely<Schema>,
  { workspaceId }: ImportedCampaign,
): AsyncIterable<string[]> {
  let last = '';
  for (let isLastPage = false; !isLastPage; ) {
    const rows = await db
      .selectFrom('suppression')
      .select('hash')
      .where('workspaceId', '=', workspaceId)
      .where('hash', '>', last)
      .orderBy('hash')
      .limit(pageSize)
      .execute();
    const hashes = rows.map(({ hash }) => hash);
    last = hashes.at(-1) ?? last;
    isLastPage = hashes.length < pageSize;
    yield hashes;
  }
}

export interface KnownHashes {
  /** On the suppression list. */
  suppressed: ReadonlySet<string>;
  /** Stored with the campaign. */
  stored: ReadonlySet<string>;
}

/** Returns the known facts about the hashes, in one statement. */
export async function findKnownHashes(
  db: Kysely<Schema>,
  { workspaceId, sequence }: ImportedCampaign,
  hashes: readonly string[],
): Promise<KnownHashes> {
  if (hashes.length === 0) {
    return { suppressed: new Set(), stored: new Set() };
  }
  const list = JSON.stringify(hashes);
  const asked = isPostgres(db)
    ? sql`(select json_array_elements_text(${list}::json))`
    : sql`(select value from json_each(${list}))`;
  const { rows } = await sql<{ hash: string; isSuppressed: number }>`
    select hash, 1 as is_suppressed from suppression where workspace_id = ${workspaceId} and hash in ${asked}
    union all
    select hash, 0 as is_suppressed from campaign_number where campaign = ${sequence} and hash in ${asked}`.execute(
    db,
  );
  const those = (isSuppressed: number) =>
    new Set(rows.filter((row) => row.isSuppressed === isSuppressed).map(({ hash }) => hash));
  return { suppressed: those(1), stored: those(0) };
}
