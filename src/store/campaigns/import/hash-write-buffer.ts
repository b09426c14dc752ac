/** A number's hash, and the chunk of the campaign that the number is in. */
interface PlacedHash {
  hash: string;
  chunk: number;
}

/**
 * Holds back hashes until many that lie side by side can be written at once. Hashes come in no order; written as they
 * come, each would cost a page of the index: four kilobytes for thirty bytes.
 */
export interface HashWriteBuffer {
  has(hash: string): boolean;
  /** @throws TypeError what is there already would be in two chunks */
  add(placed: PlacedHash): void;
  /** At least `count` that lie side by side, in their order; fewer only if there are no more. */
  next(count: number): PlacedHash[];
  /** Lets go of what `next` gave, now that it is written. */
  drop(written: readonly PlacedHash[]): void;
  readonly size: number;
}

/** As many as there are ASCII characters for a hash to begin with. */
const buckets = 128;

export function createHashWriteBuffer(): HashWriteBuffer {
  const held = Array.from({ length: buckets }, () => new Map<string, number>());
  let size = 0;
  let turn = 0;
  const bucketOf = (hash: string) => held[hash.charCodeAt(0)];

  return {
    has: (hash) => bucketOf(hash)?.has(hash) === true,

    add({ hash, chunk }) {
      const bucket = bucketOf(hash);
      if (bucket === undefined || bucket.has(hash)) {
        throw new TypeError('It is held already, or is no hash');
      }
      bucket.set(hash, chunk);
      size += 1;
    },

    next(count) {
      const taken: PlacedHash[] = [];
      for (let step = 0; step < buckets && taken.length < count; step += 1) {
        const bucket = [...(held[(turn + step) % buckets] ?? [])];
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
        turn = (last.hash.charCodeAt(0) + 1) % buckets;
      }
    },

    get size() {
      return size;
    },
  };
}
