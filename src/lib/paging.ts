import { setImmediate } from 'node:timers/promises';

/** A part of a list. `next` is the `after` of the part behind it; undefined for the last one. */
export interface ListPage<T> {
  records: T[];
  next: string | undefined;
}

/** Returns a page. `read` was read with a limit of `limit` + 1: the extra item says that another page follows. */
export function listPageOf<T>(read: readonly T[], limit: number, cursorOf: (last: T) => string): ListPage<T> {
  const records = read.slice(0, limit);
  const last = read.length > limit ? records.at(-1) : undefined;
  return { records, next: last && cursorOf(last) };
}

/** Yields every record of a list. Reads the next page once the records before it were taken. */
export async function* allOfPages<T>(
  readPage: (after: string | undefined) => Promise<ListPage<T>>,
): AsyncGenerator<T, void, undefined> {
  let after: string | undefined;
  do {
    const { records, next } = await readPage(after);
    yield* records;
    after = next;
    // The database's answers may all be there already, and would be handled without a turn of the event loop.
    await setImmediate();
  } while (after !== undefined);
}
