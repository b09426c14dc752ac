import { sql } from 'kysely';
import type { StoreContext } from '../context.ts';
import { isOneOf } from '../engine/dialect.ts';
import type { Row } from '../schema/schema.ts';
import { toInboundMessage } from './reply-threads.ts';

/** Messages that are read at once. */
const pageSize = 500;

/** Finds those who have written. */
export function createAuthorQueries({ db, encryption, phoneHashes }: StoreContext) {
  /** Reads what these threads have had since a time, page by page. */
  async function* messagesIn(workspaceId: string, threadIds: readonly string[], since: Date) {
    let last: Row<'inboundMessage'> | undefined;
    let isLastPage = false;
    while (!isLastPage) {
      const { threadId, createdAt, id } = last ?? { threadId: '', createdAt: since, id: '' };
      const page = await db
        .selectFrom('inboundMessage')
        .selectAll()
        .where('workspaceId', '=', workspaceId)
        .where(
          isOneOf(
            db,
            [sql.ref('threadId')],
            threadIds.map((each) => [each]),
          ),
        )
        .where('createdAt', '>=', since)
        .where((eb) => eb(eb.refTuple('threadId', 'createdAt', 'id'), '>', eb.tuple(threadId, createdAt, id)))
        .orderBy('threadId')
        .orderBy('createdAt')
        .orderBy('id')
        .limit(pageSize)
        .execute();
      yield* page;
      last = page.at(-1);
      isLastPage = page.length < pageSize;
    }
  }

  return {
    /**
     * Returns those of the numbers that have written since a time.
     *
     * @param isMeant whether a text counts; all do unless it is given
     */
    async authorsAmong(
      workspaceId: string,
      numbers: readonly string[],
      { since, isMeant }: { since: Date; isMeant?: ((text: string) => boolean) | undefined },
    ): Promise<Set<string>> {
      const hash = await phoneHashes.hasher(workspaceId);
      const byHash = new Map(numbers.map((number) => [hash(number), number]));
      if (byHash.size === 0) {
        return new Set();
      }
      const threads = await db
        .selectFrom('replyThread')
        .select(['id', 'hash'])
        .where('workspaceId', '=', workspaceId)
        .where(
          isOneOf(
            db,
            [sql.ref('hash')],
            [...byHash.keys()].map((each) => [each]),
          ),
        )
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('inboundMessage')
              .select('inboundMessage.id')
              .whereRef('inboundMessage.workspaceId', '=', 'replyThread.workspaceId')
              .whereRef('inboundMessage.threadId', '=', 'replyThread.id')
              .where('inboundMessage.createdAt', '>=', since),
          ),
        )
        .execute();
      const authors = new Map(threads.map((thread) => [thread.id, byHash.get(thread.hash) ?? '']));
      if (isMeant === undefined || authors.size === 0) {
        return new Set(authors.values());
      }
      const meant = new Set<string>();
      for await (const row of messagesIn(workspaceId, [...authors.keys()], since)) {
        if (isMeant(toInboundMessage(row, encryption).text)) {
          meant.add(authors.get(row.threadId) ?? '');
        }
      }
      return meant;
    },
  };
}
