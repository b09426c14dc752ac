import { randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { StoreContext } from '../context.ts';
import { lockNumbers } from '../engine/encryption/phone-hashes.ts';
import { inTransaction } from '../engine/transaction.ts';
import { addNotices } from '../outbox/notices.ts';
import type { Schema } from '../schema/schema.ts';
import { createAuthorQueries } from './authors.ts';
import {
  createReplyThreads,
  createThreadParents,
  type InboundMessage,
  type NewReply,
  type ThreadKey,
  threadNotice,
  toInboundMessage,
  writeMessageContent,
  writeThreadContent,
} from './reply-threads.ts';

/** Which messages of a number are read. */
interface RepliesQuery {
  workspaceId: string;
  number: PhoneNumber;
  /** Received then or later. */
  from?: Date | undefined;
  /** Received earlier. */
  until?: Date | undefined;
  /** The id of the last one seen. */
  before?: string | undefined;
  limit: number;
}

/** At a time: each is followed by a request to the provider. */
const maxStops = 100;

export type ReplyRepository = ReturnType<typeof createReplyRepository>;

/** The messages that came in. Their numbers and texts are encrypted. */
export function createReplyRepository(context: StoreContext) {
  const { db, encryption, phoneHashes } = context;
  return {
    /** Stores a message durably, with its notices, and reopens a done thread. Resolves with false if it is known already. */
    take: (reply: NewReply): Promise<boolean> => takeReply(reply, context),

    /** Returns whether a message with this identity is kept. */
    async isKnown(workspaceId: string, identity: string): Promise<boolean> {
      const hash = await phoneHashes.hasher(workspaceId);
      const row = await db
        .selectFrom('inboundMessage')
        .select('id')
        .where('workspaceId', '=', workspaceId)
        .where('digest', '=', hash(identity))
        .executeTakeFirst();
      return row !== undefined;
    },

    async message(workspaceId: string, id: string): Promise<InboundMessage | undefined> {
      const row = await db
        .selectFrom('inboundMessage')
        .selectAll()
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row && toInboundMessage(row, encryption);
    },

    /** Returns the newest message of a thread that is kept. */
    async latest({ workspaceId, id }: ThreadKey): Promise<InboundMessage | undefined> {
      const row = await db
        .selectFrom('inboundMessage')
        .selectAll()
        .where('workspaceId', '=', workspaceId)
        .where('threadId', '=', id)
        .orderBy('createdAt', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && toInboundMessage(row, encryption);
    },

    /** Returns the newest messages of a number first. */
    recent: (query: RepliesQuery): Promise<InboundMessage[]> => recentReplies(query, context),

    /** Returns the id of the thread of a number. */
    async threadOf(workspaceId: string, number: PhoneNumber): Promise<string | undefined> {
      const hash = await phoneHashes.hasher(workspaceId);
      const row = await db
        .selectFrom('replyThread')
        .select('id')
        .where('workspaceId', '=', workspaceId)
        .where('hash', '=', hash(number))
        .executeTakeFirst();
      return row?.id;
    },

    /** Returns whether messages of a workspace are kept. */
    async hasAny(workspaceId: string): Promise<boolean> {
      const row = await db
        .selectFrom('inboundMessage')
        .select('id')
        .where('workspaceId', '=', workspaceId)
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    ...createAuthorQueries(context),
    ...createReplyThreads(context),
    ...createThreadParents(context),
    ...createUnpostedReplies(context),
    ...createStopConfirmations(context),

    /** Deletes what came in before, and threads without messages. */
    async expire(before: Date): Promise<void> {
      await db.deleteFrom('inboundMessage').where('createdAt', '<', before).execute();
      await db
        .deleteFrom('replyThread')
        .where('lastAt', '<', before)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('inboundMessage')
                .select('inboundMessage.id')
                .whereRef('inboundMessage.workspaceId', '=', 'replyThread.workspaceId')
                .whereRef('inboundMessage.threadId', '=', 'replyThread.id'),
            ),
          ),
        )
        .execute();
    },
  };
}

async function recentReplies(
  { workspaceId, number, from, until, before, limit }: RepliesQuery,
  { db, encryption, phoneHashes }: StoreContext,
): Promise<InboundMessage[]> {
  const hash = await phoneHashes.hasher(workspaceId);
  let rows = db
    .selectFrom('inboundMessage')
    .innerJoin('replyThread', (join) =>
      join
        .onRef('replyThread.workspaceId', '=', 'inboundMessage.workspaceId')
        .onRef('replyThread.id', '=', 'inboundMessage.threadId'),
    )
    .selectAll('inboundMessage')
    .where('replyThread.workspaceId', '=', workspaceId)
    .where('replyThread.hash', '=', hash(number));
  if (from !== undefined) {
    rows = rows.where('inboundMessage.createdAt', '>=', from);
  }
  if (until !== undefined) {
    rows = rows.where('inboundMessage.createdAt', '<', until);
  }
  if (before !== undefined) {
    const seen = db
      .selectFrom('inboundMessage')
      .select(['createdAt', 'id'])
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', before);
    rows = rows.where(({ eb, refTuple }) =>
      eb(refTuple('inboundMessage.createdAt', 'inboundMessage.id'), '<', seen.$asTuple('createdAt', 'id')),
    );
  }
  const page = rows.orderBy('inboundMessage.createdAt', 'desc').orderBy('inboundMessage.id', 'desc');
  return (await page.limit(limit).execute()).map((row) => toInboundMessage(row, encryption));
}

/** Stores a message with its notices. Resolves with false where it is known. */
async function takeReply(
  reply: NewReply,
  { db, encryption, phoneHashes, clock }: StoreContext,
): Promise<boolean> {
  const { workspaceId, notify } = reply;
  const hash = await phoneHashes.hasher(workspaceId);
  const now = clock();
  const id = randomUUID();
  const content = writeMessageContent(reply, { workspaceId, id }, encryption);
  const write = (threadId: string) => writeThreadContent(reply, { workspaceId, id: threadId }, encryption);

  return inTransaction(db, async (transaction) => {
    // The erasure of a number follows, or has ended.
    await lockNumbers(transaction, workspaceId);
    const key = { workspaceId, hash: hash(reply.number), now };
    const thread = await findOrCreate(transaction, key, write);
    const inserted = await transaction
      .insertInto('inboundMessage')
      .values({
        workspaceId,
        id,
        threadId: thread.id,
        digest: hash(reply.identity),
        content,
        createdAt: now,
        confirmation: reply.confirmation && 'pending',
        unposted: notify === undefined ? true : undefined,
      })
      .onConflict((conflict) => conflict.columns(['workspaceId', 'digest']).doNothing())
      .returning('id')
      .executeTakeFirst();
    if (inserted === undefined) {
      return false;
    }
    const version = thread.version + 1;
    await transaction
      .updateTable('replyThread')
      .set({ content: write(thread.id), lastBy: '', lastAt: now, version })
      // Somebody is at it unless it is done.
      .$if(thread.state === 'done', (query) => query.set({ state: 'open', assignedTo: null }))
      .where('workspaceId', '=', workspaceId)
      .where('id', '=', thread.id)
      .execute();
    const posted = notify && { workspaceId, subject: 'reply' as const, subjectId: id, ...notify };
    const changed = threadNotice({ workspaceId, id: thread.id }, version, notify?.userId ?? '');
    await addNotices(transaction, posted === undefined ? [changed] : [posted, changed], now);
    return true;
  });
}

/** Returns the thread of a number, locked until the transaction ends. */
async function findOrCreate(
  transaction: Transaction<Schema>,
  { workspaceId, hash, now }: { workspaceId: string; hash: string; now: Date },
  write: (threadId: string) => string,
) {
  const id = randomUUID();
  await transaction
    .insertInto('replyThread')
    .values({
      workspaceId,
      id,
      hash,
      content: write(id),
      state: 'open',
      lastBy: '',
      lastAt: now,
      version: 0,
    })
    .onConflict((conflict) => conflict.columns(['workspaceId', 'hash']).doNothing())
    .execute();
  return transaction
    .selectFrom('replyThread')
    .select(['id', 'state', 'version'])
    .where('workspaceId', '=', workspaceId)
    .where('hash', '=', hash)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Messages that are nowhere in Slack: kept until a channel is chosen that it takes them in. */
function createUnpostedReplies({ db }: StoreContext) {
  return {
    /** Notes that a message is nowhere in Slack. */
    async noteUnposted({ workspaceId, id }: InboundMessage): Promise<void> {
      await db
        .updateTable('inboundMessage')
        .set({ unposted: true })
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', id)
        .execute();
    },

    async countUnposted(workspaceId: string): Promise<number> {
      const { count } = await db
        .selectFrom('inboundMessage')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('workspaceId', '=', workspaceId)
        .where('unposted', '=', true)
        .executeTakeFirstOrThrow();
      return count;
    },

    /** Has the messages posted in another channel that are nowhere in Slack, or that wait and were never tried. */
    repost: (
      workspaceId: string,
      { channelId, userId }: { channelId: string; userId: string },
    ): Promise<void> =>
      inTransaction(db, async (transaction) => {
        await transaction
          .updateTable('outbox')
          .set({ channelId, userId })
          .where('workspaceId', '=', workspaceId)
          .where('subject', '=', 'reply')
          .where('channelProblem', 'is', null)
          .where('repeated', '=', false)
          .where('lease', 'is', null)
          .execute();
        const unposted = await transaction
          .updateTable('inboundMessage')
          .set({ unposted: null })
          .where('workspaceId', '=', workspaceId)
          .where('unposted', '=', true)
          // One that is just being noted has its notice until that ends: it is posted the next time.
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('outbox')
                  .select('outbox.subjectId')
                  .where('outbox.workspaceId', '=', workspaceId)
                  .where('outbox.subject', '=', 'reply')
                  .whereRef('outbox.subjectId', '=', 'inboundMessage.id'),
              ),
            ),
          )
          .returning(['id', 'createdAt'])
          .execute();
        for (const { id: subjectId, createdAt } of unposted) {
          const notice = { workspaceId, subject: 'reply' as const, subjectId, userId, channelId };
          // Due when it came in: so the oldest is posted first.
          await addNotices(transaction, [notice], createdAt);
        }
      }),
  };
}

function createStopConfirmations({ db, encryption }: StoreContext) {
  return {
    /** Returns the stops that are to be confirmed, the oldest first. */
    async unconfirmedStops(): Promise<InboundMessage[]> {
      const rows = await db
        .selectFrom('inboundMessage')
        .selectAll()
        .where('confirmation', '=', 'pending')
        .orderBy('createdAt')
        .limit(maxStops)
        .execute();
      return rows.map((row) => toInboundMessage(row, encryption));
    },

    /** Called once nothing more is to be done for the confirmation of a stop. */
    async endConfirmation({ workspaceId, id }: InboundMessage): Promise<void> {
      await db
        .updateTable('inboundMessage')
        .set({ confirmation: 'ended' })
        .where('workspaceId', '=', workspaceId)
        .where('id', '=', id)
        .execute();
    },
  };
}
