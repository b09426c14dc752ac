import type { Kysely } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import { addNotices } from '../outbox/notice-rows.ts';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';

export interface BalanceAlertTables {
  balance_alert: {
    workspace_id: string;
    channel_id: string;
    /** A decimal. */
    below: string;
    /** A Slack user id. */
    set_by: string;
    /** Whether the balance was below it when it was last judged. */
    is_low: 0 | 1;
    /** How many alerts there were. */
    alerts: number;
  };
}

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

export interface BalanceAlertStore {
  find(workspaceId: string): Promise<BalanceAlert | undefined>;
  all(): Promise<BalanceAlert[]>;
  /** Replaces the workspace's alert, which may then be due at once. */
  save(alert: BalanceAlert): Promise<void>;
  remove(workspaceId: string): Promise<void>;
  /** Forgets what the last judgement said: the next one is of another account. */
  forgetJudgement(workspaceId: string): Promise<void>;
  /**
   * Stores whether the balance is low, and adds a notice to the outbox if it was not before: once, however many instances
   * judge. Returns whether it added one.
   */
  judge(workspaceId: string, isLow: boolean): Promise<boolean>;
}

export function createBalanceAlertStore(db: Kysely<Schema>, clock: Clock): BalanceAlertStore {
  return {
    async find(workspaceId) {
      const row = await db
        .selectFrom('balance_alert')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst();
      return row && toAlert(row);
    },

    async all() {
      const rows = await db.selectFrom('balance_alert').selectAll().orderBy('workspace_id').execute();
      return rows.map(toAlert);
    },

    async save({ workspaceId, channelId, below, setBy }) {
      const columns = {
        channel_id: channelId,
        below,
        set_by: setBy,
        is_low: 0 as const,
      };
      await db
        .insertInto('balance_alert')
        .values({ workspace_id: workspaceId, ...columns, alerts: 0 })
        .onConflict((conflict) => conflict.column('workspace_id').doUpdateSet(columns))
        .execute();
    },

    async remove(workspaceId) {
      await db.deleteFrom('balance_alert').where('workspace_id', '=', workspaceId).execute();
    },

    async forgetJudgement(workspaceId) {
      await db
        .updateTable('balance_alert')
        .set({ is_low: 0 })
        .where('workspace_id', '=', workspaceId)
        .execute();
    },

    judge: (workspaceId, isLow) =>
      inTransaction(db, async (transaction) => {
        const row = await transaction
          .selectFrom('balance_alert')
          .selectAll()
          .where('workspace_id', '=', workspaceId)
          .forUpdate()
          .executeTakeFirst();
        if (row === undefined) {
          return false;
        }
        const becameLow = isLow && row.is_low === 0;
        const alerts = row.alerts + Number(becameLow);
        await transaction
          .updateTable('balance_alert')
          .set({ is_low: isLow ? 1 : 0, alerts })
          .where('workspace_id', '=', workspaceId)
          .execute();
        if (becameLow) {
          const { channel_id: channelId, set_by: userId } = row;
          const subjectId = `${alerts}`;
          await addNotices(
            transaction,
            [{ workspaceId, subject: 'balance', subjectId, userId, channelId }],
            clock().getTime(),
          );
        }
        return becameLow;
      }),
  };
}

function toAlert(row: BalanceAlertTables['balance_alert']): BalanceAlert {
  return {
    workspaceId: row.workspace_id,
    channelId: row.channel_id,
    below: row.below,
    setBy: row.set_by,
  };
}
