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
    below: string | null;
    within_a_day: 0 | 1;
    /** A Slack user id. */
    set_by: string;
    /** What the last judgement said. */
    is_low: 0 | 1;
    is_short: 0 | 1;
    /** How many alerts there were. */
    alerts: number;
  };
}

/** When a workspace is told that its balance runs out, and where. */
export interface BalanceAlert {
  workspaceId: string;
  /** A Slack channel id. */
  channelId: string;
  /** Told below this amount: a decimal in the account's currency. */
  below?: string | undefined;
  /** Told when the balance lasts less than a day. */
  withinADay: boolean;
  /** The admin who set it. */
  setBy: string;
}

/** What is so now. Undefined: that is not known, and stays as it was. */
export interface BalanceJudgement {
  isLow: boolean | undefined;
  isShort: boolean | undefined;
}

export interface BalanceAlertStore {
  find(workspaceId: string): Promise<BalanceAlert | undefined>;
  all(): Promise<BalanceAlert[]>;
  /** Replaces the workspace's alert, which may then be due at once. */
  save(alert: BalanceAlert): Promise<void>;
  remove(workspaceId: string): Promise<void>;
  /** Forgets what the last judgement said: the next one is of another account. */
  forgetFalls(workspaceId: string): Promise<void>;
  /**
   * Adds a notice to the outbox if something is so that was not before: once per fall, however many instances judge.
   * Returns whether it did.
   */
  judge(workspaceId: string, judgement: BalanceJudgement): Promise<boolean>;
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

    async save({ workspaceId, channelId, below, withinADay, setBy }) {
      const columns = {
        channel_id: channelId,
        below: below ?? null,
        within_a_day: withinADay ? (1 as const) : (0 as const),
        set_by: setBy,
        is_low: 0 as const,
        is_short: 0 as const,
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

    async forgetFalls(workspaceId) {
      await db
        .updateTable('balance_alert')
        .set({ is_low: 0, is_short: 0 })
        .where('workspace_id', '=', workspaceId)
        .execute();
    },

    judge: (workspaceId, { isLow, isShort }) =>
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
        const now = { is_low: flag(isLow, row.is_low), is_short: flag(isShort, row.is_short) };
        const fell = now.is_low > row.is_low || now.is_short > row.is_short;
        const alerts = row.alerts + Number(fell);
        await transaction
          .updateTable('balance_alert')
          .set({ ...now, alerts })
          .where('workspace_id', '=', workspaceId)
          .execute();
        if (fell) {
          const { channel_id: channelId, set_by: userId } = row;
          const subjectId = `${alerts}`;
          await addNotices(
            transaction,
            [{ workspaceId, subject: 'balance', subjectId, userId, channelId }],
            clock().getTime(),
          );
        }
        return fell;
      }),
  };
}

function flag(now: boolean | undefined, before: 0 | 1): 0 | 1 {
  if (now === undefined) {
    return before;
  }
  return now ? 1 : 0;
}

function toAlert(row: BalanceAlertTables['balance_alert']): BalanceAlert {
  return {
    workspaceId: row.workspace_id,
    channelId: row.channel_id,
    below: row.below ?? undefined,
    withinADay: row.within_a_day === 1,
    setBy: row.set_by,
  };
}
