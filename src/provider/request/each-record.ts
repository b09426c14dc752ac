import { createHash } from 'node:crypto';
import { type Outcome, ProviderFailure } from '../errors.ts';
import type { Page, PageQuery } from '../response/paging.ts';

/**
 * Iterates over every record from the page of the query to the last. Fetches one page at a time, when its records are
 * read. Also ends where the provider repeats a page, as one that ignores `page` always does. Throws a `ProviderFailure`
 * where a page is not accepted.
 */
export async function* eachRecord<T, Query extends PageQuery>(
  fetchPage: (query: Query & { readonly page: number }) => Promise<Outcome<Page<T>>>,
  query: Query,
): AsyncGenerator<T, void, undefined> {
  const numbers = new Set<number>();
  const contents = new Set<string>();
  for (let page = query.page ?? 0; ; page += 1) {
    const outcome = await fetchPage({ ...query, page });
    if (outcome.kind !== 'accepted') {
      throw new ProviderFailure(outcome);
    }
    const { records, number, last } = outcome.value;
    const content = createHash('sha256').update(JSON.stringify(records)).digest('base64');
    if (records.length === 0 || numbers.has(number) || contents.has(content)) {
      return;
    }
    numbers.add(number);
    contents.add(content);
    yield* records;
    if (last) {
      return;
    }
  }
}
