import type { PlacedHash } from './assign-chunks.ts';

/**
 * Buffers hashes until many that are adjacent in the index can be written together. Hashes come in random order; written
 * as they come, each would cost a page of the index: four kilobytes for thirty bytes.
 */
export interface HashWriteBuffer {
  has(hash: string): boolean;
  /** @throws TypeError where it is buffered already: the number would be in two chunks */
  add(placed: PlacedHash): void;
  /** Returns at least `count` adjacent hashes, in their order; fewer only if there are no more. */
  next(count: number): PlacedHash[];
  /** Removes what `next` returned, once it is written. */
  drop(written: readonly PlacedHash[]): void;
  readonly size: number;
}

/** One for each ASCII character that a hash may begin with. */
const bucketCount = 128;

export function createHashWriteBuffer(): HashWriteBuffer {
  const buckets = Array.from({ length: bucketCount }, () => new Map<string, number>());
  let size = 0;
  let nextBucket = 0;
  const bucketOf = (hash: string) => buckets[hash.charCodeAt(0)];

  return {
    has: (hash) => bucketOf(hash)?.has(hash) === true,

    add({ hash, chunk }) {
      const bucket = bucketOf(hash);
      if (bucket === undefined || bucket.has(hash)) {
        throw new TypeError('It is buffered already, or is no hash');
      }
      bucket.set(hash, chunk);
      size += 1;
    },

    next(count) {
      const taken: PlacedHash[] = [];
      for (let step = 0; step < bucketCount && taken.length < count; step += 1) {
        const bucket = [...(buckets[(nextBucket + step) % bucketCount] ?? [])];
        bucket.sort(([one], [other]) => (one < other ? -1 : 1));
        for (const [hash, chunk] of bucket) {
          taken.push({ hash, chunk });
        }
      }
      return taken;
    },

    drop(written) {
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

    get size() {
      return size;
    },
  };
}
