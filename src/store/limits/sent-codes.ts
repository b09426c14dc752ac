import type { Kysely } from 'kysely';
import { codeMemoryMs, type NextCode, type SentCode } from '../../domain/limits/code-fraud.ts';
import type { Time } from '../../lib/time/trusted-time.ts';
import type { Schema } from '../schema.ts';
import type { SentCodeRow } from './limit-tables.ts';

/** The codes of the last day, for the rules on them. */
export interface SentCodes {
  /** Returns the codes that say something about the next one. Called in the transaction that sends it. */
  before(db: Kysely<Schema>, workspaceId: string, next: NextCode): Promise<SentCode[]>;
  /** Called in the same transaction. */
  add(
    db: Kysely<Schema>,
    code: { workspaceId: string; id: string; isVerifiable: boolean } & NextCode,
  ): Promise<void>;
  /** For a code that was not sent after all. */
  delete(workspaceId: string, id: string): Promise<void>;
  /** The first time counts. */
  verified(workspaceId: string, id: string): Promise<void>;
}

/** Codes that are read for each rule: more than any looks at. */
const maxOfWorkspace = 300;
const maxOfOne = 200;

export function createSentCodes({ db: ownDb, time }: { db: Kysely<Schema>; time: Time }): SentCodes {
  const now = () => time.now().getTime();

  return {
    async before(db, workspaceId, { userId, block }) {
      const ofDay = db
        .selectFrom('limit_code')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .where('sent_at', '>', now() - codeMemoryMs)
        .orderBy('sent_at', 'desc');
      // As tables of their own: nothing else limits each part of a union in every database.
      const rows = await db
        .selectFrom(ofDay.limit(maxOfWorkspace).as('last'))
        .selectAll()
        .union(db.selectFrom(ofDay.where('user_id', '=', userId).limit(maxOfOne).as('own')).selectAll())
        .union(
          db
            .selectFrom(
              ofDay
                .where('block', '=', block ?? null)
                .limit(maxOfOne)
                .as('near'),
            )
            .selectAll(),
        )
        .execute();
      return rows.map(toSentCode);
    },

    async add(db, { workspaceId, id, userId, recipient, block, isVerifiable }) {
      await db
        .insertInto('limit_code')
        .values({
          workspace_id: workspaceId,
          id,
          user_id: userId,
          recipient,
          block: block ?? null,
          verifiable: isVerifiable ? 1 : 0,
          sent_at: now(),
          verified_at: null,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      const deletable = time.trustedForDeletion()?.getTime();
      if (deletable !== undefined) {
        await db
          .deleteFrom('limit_code')
          .where('workspace_id', '=', workspaceId)
          .where('sent_at', '<=', deletable - codeMemoryMs)
          .execute();
      }
    },

    async delete(workspaceId, id) {
      await ownDb
        .deleteFrom('limit_code')
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .execute();
    },

    async verified(workspaceId, id) {
      await ownDb
        .updateTable('limit_code')
        .set({ verified_at: now() })
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .where('verified_at', 'is', null)
        .execute();
    },
  };
}

function toSentCode(row: SentCodeRow): SentCode {
  return {
    userId: row.user_id,
    recipient: row.recipient,
    block: row.block ?? undefined,
    isVerifiable: row.verifiable === 1,
    sentAt: Number(row.sent_at),
    verifiedAt: row.verified_at === null ? undefined : Number(row.verified_at),
  };
}
