import type { StoreContext } from '../context.ts';
import { inTransaction } from '../engine/transaction.ts';
import { addNotices } from '../outbox/notices.ts';

/** When a workspace is told that its balance is low, and where. */
export interface BalanceAlert {
  workspaceId: string;
  /** A Slack channel id. */
  channelId: string;
  /** Told below this amount: a decimal in the account's currency. */
  below: string;
  /** The admin who set it. */
  setBy: string;
}

export function createBalanceAlertStore({ db, clock }: StoreContext) {
  const shown = ['workspaceId', 'channelId', 'below', 'setBy'] as const;

  return {
    find: (workspaceId: string): Promise<BalanceAlert | undefined> =>
      db.selectFrom('balanceAlert').select(shown).where('workspaceId', '=', workspaceId).executeTakeFirst(),

    all: (): Promise<BalanceAlert[]> =>
      db.selectFrom('balanceAlert').select(shown).orderBy('workspaceId').execute(),

    /** Replaces the workspace's alert, which may then be due at once. */
    async save({ workspaceId, ...alert }: BalanceAlert): Promise<void> {
      const columns = { ...alert, isLow: false };
      await db
        .insertInto('balanceAlert')
        .values({ workspaceId, ...columns, alerts: 0 })
        .onConflict((conflict) => conflict.column('workspaceId').doUpdateSet(columns))
        .execute();
    },

    async remove(workspaceId: string): Promise<void> {
      await db.deleteFrom('balanceAlert').where('workspaceId', '=', workspaceId).execute();
    },

    /** Forgets what the last judgement said: the next one is of another account. */
    async forgetJudgement(workspaceId: string): Promise<void> {
      await db
        .updateTable('balanceAlert')
        .set({ isLow: false })
        .where('workspaceId', '=', workspaceId)
        .execute();
    },

    /**
     * Stores whether the balance is low, and adds a notice to the outbox if it was not before: once, however many instances
     * judge. Returns whether it added one.
     */
    judge: (workspaceId: string, isLow: boolean): Promise<boolean> =>
      inTransaction(db, async (transaction) => {
        const row = await transaction
          .selectFrom('balanceAlert')
          .selectAll()
          .where('workspaceId', '=', workspaceId)
          .forUpdate()
          .executeTakeFirst();
        if (row === undefined) {
          return false;
        }
        const becameLow = isLow && !row.isLow;
        const alerts = row.alerts + Number(becameLow);
        await transaction
          .updateTable('balanceAlert')
          .set({ isLow, alerts })
          .where('workspaceId', '=', workspaceId)
          .execute();
        if (becameLow) {
          const { channelId, setBy: userId } = row;
          const subjectId = `${alerts}`;
          const notice = { workspaceId, subject: 'balance' as const, subjectId, userId, channelId };
          await addNotices(transaction, [notice], clock());
        }
        return becameLow;
      }),
  };
}
