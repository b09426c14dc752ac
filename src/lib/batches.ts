/** The size of a batch, in items and in bytes. */
export interface BatchSize {
  count: number;
  bytes: number;
}

/**
 * Yields items in batches. A batch is full once it reaches one of the two sizes, so it may exceed them by
 * less than one item.
 */
export async function* batchesOf<Item>(
  items: AsyncIterable<Item>,
  full: BatchSize,
  sizeOf: (item: Item) => BatchSize,
): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  let [count, bytes] = [0, 0];
  for await (const item of items) {
    const size = sizeOf(item);
    batch.push(item);
    count += size.count;
    bytes += size.bytes;
    if (count >= full.count || bytes >= full.bytes) {
      yield batch;
      batch = [];
      [count, bytes] = [0, 0];
    }
  }
  if (batch.length > 0) {
    yield batch;
  }
}
