import { sql } from 'kysely';
import type { StoreContext } from '../context.ts';
import { isOneOf } from '../engine/dialect.ts';
import { toInboundMessage } from './reply-threads.ts';

/** Messages that are read at once. */
const pageSize = 500;

/** Finds those who have written. */
export function createAuthorQueries({ db, encryption, phoneHashes }: StoreContext) {
  return {
    /**
     * Returns the numbers that have written since a time.
     *
     * @param isMeant whether a text counts; all do unless it is given
     */
    async authorsAmong(
      workspaceId: string,
      numbers: readonly string[],
      { since, isMeant }: { since: Date; isMeant?: ((text: string) => boolean) | undefined },
    ): Promise<Set<string>> {
      const hashes = await phoneHashes.of(workspaceId, numbers);
      const byHash = new Map(hashes.map((hash, index) => [hash, numbers[index] ?? '']));
      const authors = new Set<string>();
      let last = '';
      let isLastPage = byHash.size === 0;
      while (!isLastPage) {
        const page = await db
          .selectFrom('replyThread as thread')
          .innerJoin('inboundMessage as message', (join) =>
            join
              .onRef('message.workspaceId', '=', 'thread.workspaceId')
              .onRef('message.threadId', '=', 'thread.id')
              .on('message.createdAt', '>=', since),
          )
          .selectAll('message')
          .select('thread.hash')
          .where('thread.workspaceId', '=', workspaceId)
          .where(
            isOneOf(
              db,
              [sql.ref('thread.hash')],
              [...byHash.keys()].map((each) => [each]),
            ),
          )
          .where('message.id', '>', last)
          .orderBy('message.id')
          .limit(pageSize)
          .execute();
        for (const row of page) {
          if (isMeant === undefined || isMeant(toInboundMessage(row, encryption).text)) {
            authors.add(byHash.get(row.hash) ?? '');
          }
        }
        last = page.at(-1)?.id ?? last;
        isLastPage = page.length < pageSize;
      }
      return authors;
    },
  };
}
