import type { ExpressionBuilder, Kysely, Selectable, Transaction } from 'kysely';
import { retryWrite } from '../retry-write.ts';
import type { Schema } from '../schema.ts';

/**
 * - `operation`: how an operation ended;
 * - `campaign`: the message that shows a campaign; due once the campaign has ended;
 * - `campaign_news`: that a campaign has ended or needs somebody, beside that message;
 * - `import`: that recipients were not read to their end, since the program stopped;
 * - `restored`: that the data was restored or copied.
 */
export type NoticeSubject = 'operation' | 'campaign' | 'campaign_news' | 'import' | 'restored';

/** Names a notice: there is at most one for each. */
export interface NoticeKey {
  workspaceId: string;
  subject: NoticeSubject;
  /** The id of the operation or campaign; for `restored` the user's. */
  subjectId: string;
}

/** What is known of earlier attempts. It is written down before each attempt, as it is true if no more is heard of it. */
export interface DeliveryState {
  /** Why it is not in its channel: Slack's error, or `unconfirmed` where it may or may not stand there. */
  channelError?: string | undefined;
  /** Whether the user may have been told before. */
  repeated: boolean;
}

export interface NewNotice extends NoticeKey {
  /** Who is to be told: a Slack user id. */
  userId: string;
  /** Where: a Slack channel id. Without one, in a message to the user. */
  channelId?: string | undefined;
  /** What people call the subject, where nothing else keeps it. Lies in the clear. */
  title?: string | undefined;
}

/** Something that somebody is to be told. */
export interface Notice extends NewNotice, DeliveryState {
  /** How many attempts failed. */
  attempts: number;
}

/**
 * What people are still to be told, each notice once. Attempts that fail are counted, and the next one is put off for
 * longer each time, so that one user or channel that cannot be reached keeps nobody else waiting.
 */
export interface Outbox {
  /** Ignored when there is a notice of that key. */
  add(notice: NewNotice): Promise<void>;

  /**
   * Returns the notice that is due and failed least often, the one due first before others; not one of `except`, as
   * `nameOf` names them, nor one that is being delivered.
   */
  next(except: ReadonlySet<string>): Promise<Notice | undefined>;

  /**
   * Calls `send`, whether the notice is due or not, and removes the notice when that resolves. When it throws, the
   * attempt is counted and the error thrown on. Where either cannot be written down just then, that is thrown, and it
   * is written down once it can be. Resolves with false where there is no such notice, or it is being delivered.
   */
  deliver(key: NoticeKey, send: (notice: Notice) => Promise<void>): Promise<boolean>;

  /** As `deliver`, for what is not told with this: nothing is removed or counted. */
  hold(key: NoticeKey, work: (notice: Notice) => Promise<void>): Promise<boolean>;

  /** Called within `deliver` or `hold`. */
  record(key: NoticeKey, attempted: DeliveryState): Promise<void>;

  /** At the start of the program everything is due at once. */
  recover(now: Date): Promise<void>;
}

/** The `channelError` of what may or may not stand in its channel. */
export const unconfirmedDelivery = 'unconfirmed';

const firstDelay = 2_000;
const maxDelay = 60 * 60_000;

/** How long the next attempt is put off after so many that failed, in milliseconds. */
function retryDelay(attempts: number): number {
  return Math.min(maxDelay, firstDelay * 2 ** (attempts - 1));
}

export function noticeName({ workspaceId, subject, subjectId }: NoticeKey): string {
  return JSON.stringify([workspaceId, subject, subjectId]);
}

export function createOutbox({ db, clock }: { db: Kysely<Schema>; clock: () => Date }): Outbox {
  const now = () => clock().getTime();
  /** One process has the database: what it delivers need not stand there. */
  const underWay = new Set<string>();

  const that =
    ({ workspaceId, subject, subjectId }: NoticeKey) =>
    (eb: ExpressionBuilder<Schema, 'outbox'>) =>
      eb.and({ workspace_id: workspaceId, subject, subject_id: subjectId });

  /** Calls back with a notice that nothing else has just then, until `release` is called. */
  async function take(
    key: NoticeKey,
    work: (notice: Notice, release: () => void) => Promise<void>,
  ): Promise<boolean> {
    const name = noticeName(key);
    if (underWay.has(name)) {
      return false;
    }
    underWay.add(name);
    const release = () => void underWay.delete(name);
    let row: Selectable<Schema['outbox']> | undefined;
    try {
      row = await db.selectFrom('outbox').selectAll().where(that(key)).executeTakeFirst();
    } finally {
      if (row === undefined) {
        release();
      }
    }
    if (row === undefined) {
      return false;
    }
    await work(toNotice(row), release);
    return true;
  }

  return {
    add: (notice) => addNotices(db, [notice], now()),

    async next(except) {
      const rows = await db
        .selectFrom('outbox')
        .selectAll()
        .where((eb) =>
          // What is put off beyond the longest delay was so while the clock was ahead.
          eb.or([eb('next_attempt_at', '<=', now()), eb('next_attempt_at', '>', now() + maxDelay)]),
        )
        .where((eb) =>
          eb.or([
            eb('subject', '<>', 'campaign'),
            eb.exists(
              eb
                .selectFrom('campaign')
                .select('sequence')
                .whereRef('campaign.workspace_id', '=', 'outbox.workspace_id')
                .whereRef('campaign.id', '=', 'outbox.subject_id')
                .where('campaign.ended_at', 'is not', null),
            ),
          ]),
        )
        .orderBy('attempts')
        .orderBy('next_attempt_at')
        .limit(underWay.size + except.size + 1)
        .execute();
      return rows.map(toNotice).find((notice) => {
        const name = noticeName(notice);
        return !underWay.has(name) && !except.has(name);
      });
    },

    deliver: (key, send) =>
      take(key, async (notice, release) => {
        let failure: { error: unknown } | undefined;
        try {
          await send(notice);
        } catch (error) {
          failure = { error };
        }
        const attempts = notice.attempts + 1;
        const next_attempt_at = now() + retryDelay(attempts);
        await retryWrite(async () => {
          await (failure === undefined
            ? db.deleteFrom('outbox').where(that(key)).execute()
            : db.updateTable('outbox').set({ attempts, next_attempt_at }).where(that(key)).execute());
          release();
        });
        if (failure !== undefined) {
          throw failure.error;
        }
      }),

    hold: (key, work) => take(key, (notice, release) => work(notice).finally(release)),

    async record(key, { channelError = null, repeated }) {
      await db
        .updateTable('outbox')
        .set({ channel_error: channelError, repeated: repeated ? 1 : 0 })
        .where(that(key))
        .execute();
    },

    async recover(at) {
      await db
        .updateTable('outbox')
        .set({ next_attempt_at: at.getTime() })
        .where('next_attempt_at', '>', at.getTime())
        .execute();
    },
  };
}

function toNotice(row: Selectable<Schema['outbox']>): Notice {
  return {
    workspaceId: row.workspace_id,
    subject: row.subject,
    subjectId: row.subject_id,
    userId: row.user_id,
    channelId: row.channel_id ?? undefined,
    channelError: row.channel_error ?? undefined,
    repeated: row.repeated === 1,
    title: row.title ?? undefined,
    attempts: row.attempts,
  };
}

/**
 * For data that may have forgotten what people were told: all of it may have been said before. A campaign's message that
 * stands already is left out, as it is changed and not posted again.
 */
export async function doubtNotices(transaction: Transaction<Schema>): Promise<void> {
  await transaction.updateTable('outbox').set({ repeated: 1 }).execute();
  await transaction
    .updateTable('outbox')
    .set({ channel_error: unconfirmedDelivery })
    .where('channel_id', 'is not', null)
    .where('channel_error', 'is', null)
    .where((eb) =>
      eb.or([
        eb('subject', '<>', 'campaign'),
        eb.not(
          eb.exists(
            eb
              .selectFrom('campaign')
              .select('sequence')
              .whereRef('campaign.workspace_id', '=', 'outbox.workspace_id')
              .whereRef('campaign.id', '=', 'outbox.subject_id')
              .where('campaign.message_ts', 'is not', null),
          ),
        ),
      ]),
    )
    .execute();
}

/** Of something that was begun before the data was restored: it may have ended since, and been told. */
export function doubtful(begunAt: number, restoredAt: Date | undefined): DeliveryState | undefined {
  const isDoubtful = restoredAt !== undefined && begunAt < restoredAt.getTime();
  return isDoubtful ? { repeated: true, channelError: unconfirmedDelivery } : undefined;
}

/** Ignores those there is a notice of already. */
export async function addNotices(
  db: Kysely<Schema>,
  notices: readonly (NewNotice & Partial<DeliveryState>)[],
  dueAt: number,
): Promise<void> {
  if (notices.length === 0) {
    return;
  }
  const values = notices.map((notice) => ({
    workspace_id: notice.workspaceId,
    subject: notice.subject,
    subject_id: notice.subjectId,
    user_id: notice.userId,
    channel_id: notice.channelId ?? null,
    channel_error: notice.channelError ?? null,
    repeated: notice.repeated ? (1 as const) : (0 as const),
    title: notice.title ?? null,
    next_attempt_at: dueAt,
  }));
  await db
    .insertInto('outbox')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
