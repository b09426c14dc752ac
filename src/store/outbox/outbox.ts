import type { ExpressionBuilder, Kysely } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { RetryWrite } from '../retry-write.ts';
import type { Schema } from '../schema.ts';
import { maxNoticeRetryDelayMs, noticeRetryDelay } from './notice-retry-delay.ts';
import { addNotices, type NoticeRow, toNotice } from './notice-rows.ts';

/**
 * - `operation`: how an operation ended;
 * - `campaign`: the message that shows a campaign; due once the campaign has ended;
 * - `campaign_news`: that a campaign has ended or needs somebody, beside that message;
 * - `import`: that recipients were not read to their end, since the program stopped;
 * - `restored`: that the data was restored or copied;
 * - `approval`: a request for approval, in its channel;
 * - `approval_end`: how that ended, in the same message;
 * - `approval_news`: how that ended, for who asked;
 * - `limits`: that most of a budget is used.
 */
export type NoticeSubject =
  | 'operation'
  | 'campaign'
  | 'campaign_news'
  | 'import'
  | 'restored'
  | 'approval'
  | 'approval_end'
  | 'approval_news'
  | 'limits';

/** Names a notice: there is at most one for each. */
export interface NoticeKey {
  workspaceId: string;
  subject: NoticeSubject;
  /** The id of the operation, campaign or request; for `restored` the user's. */
  subjectId: string;
}

/** What is known of earlier attempts. Stored before each attempt, in the form that is true if the attempt is cut off. */
export interface DeliveryState {
  /** Why it is not in its channel: Slack's error, or `unconfirmed` where it may or may not have been posted. */
  channelError?: string | undefined;
  /** Whether the user may have been notified before. */
  repeated: boolean;
}

export interface NewNotice extends NoticeKey {
  /** The user to notify: a Slack user id. */
  userId: string;
  /** Where: a Slack channel id. Without one, in a message to the user. */
  channelId?: string | undefined;
  /** What users call the subject, where nothing else stores it. Lies in the clear. */
  title?: string | undefined;
}

export interface Notice extends NewNotice, DeliveryState {
  /** How many attempts failed. */
  attempts: number;
}

/**
 * The notices that users are still to get, each once. Attempts that fail are counted, and each next one is put off for
 * longer, so that one user or channel that cannot be reached keeps nobody else waiting.
 */
export interface Outbox {
  /** Ignored when there is a notice of that key. */
  add(notice: NewNotice): Promise<void>;

  /**
   * Returns the due notice that failed least often, of those the one due first; not one of `except`, as `noticeName`
   * names them, nor one that is being delivered.
   */
  next(except: ReadonlySet<string>): Promise<Notice | undefined>;

  /**
   * Calls `send`, whether the notice is due or not, and removes the notice when that resolves. When it throws, the
   * attempt is counted and the error thrown on. An error in storing either is thrown, and the write retried in the
   * background. Resolves with false where there is no such notice, or it is being delivered.
   */
  deliver(key: NoticeKey, send: (notice: Notice) => Promise<void>): Promise<boolean>;

  /** As `deliver`, for work that does not deliver the notice: nothing is removed or counted. */
  hold(key: NoticeKey, work: (notice: Notice) => Promise<void>): Promise<boolean>;

  /** Called within `deliver` or `hold`. */
  record(key: NoticeKey, state: DeliveryState): Promise<void>;

  /** Called at the start of the program: everything is due at once. */
  recover(now: Date): Promise<void>;
}

/** The `channelError` of a notice that may or may not have been posted in its channel. */
export const unconfirmedDelivery = 'unconfirmed';

export function noticeName({ workspaceId, subject, subjectId }: NoticeKey): string {
  return JSON.stringify([workspaceId, subject, subjectId]);
}

interface OutboxOptions {
  db: Kysely<Schema>;
  clock: Clock;
  retryWrite: RetryWrite;
}

export function createOutbox({ db, clock, retryWrite }: OutboxOptions): Outbox {
  const now = () => clock().getTime();
  /** The names of the notices that are being delivered. In memory, as one process has the database. */
  const inProgress = new Set<string>();

  /** Calls `work` with a notice that nothing else gets until `release` is called. */
  async function withNotice(
    key: NoticeKey,
    work: (notice: Notice, release: () => void) => Promise<void>,
  ): Promise<boolean> {
    const name = noticeName(key);
    if (inProgress.has(name)) {
      return false;
    }
    inProgress.add(name);
    const release = () => void inProgress.delete(name);
    let row: NoticeRow | undefined;
    try {
      row = await db.selectFrom('outbox').selectAll().where(hasKey(key)).executeTakeFirst();
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
      const rows = await selectDue(db, now())
        .orderBy('attempts')
        .orderBy('next_attempt_at')
        .limit(inProgress.size + except.size + 1)
        .execute();
      return rows.map(toNotice).find((notice) => {
        const name = noticeName(notice);
        return !inProgress.has(name) && !except.has(name);
      });
    },

    deliver: (key, send) =>
      withNotice(key, async (notice, release) => {
        let failure: { error: unknown } | undefined;
        try {
          await send(notice);
        } catch (error) {
          failure = { error };
        }
        const attempts = notice.attempts + 1;
        const next_attempt_at = now() + noticeRetryDelay(attempts);
        await retryWrite(async () => {
          await (failure === undefined
            ? db.deleteFrom('outbox').where(hasKey(key)).execute()
            : db.updateTable('outbox').set({ attempts, next_attempt_at }).where(hasKey(key)).execute());
          release();
        });
        if (failure !== undefined) {
          throw failure.error;
        }
      }),

    hold: (key, work) => withNotice(key, (notice, release) => work(notice).finally(release)),

    record: (key, state) => recordState(db, key, state),

    recover: (at) => makeAllDue(db, at),
  };
}

async function recordState(
  db: Kysely<Schema>,
  key: NoticeKey,
  { channelError, repeated }: DeliveryState,
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ channel_error: channelError ?? null, repeated: repeated ? 1 : 0 })
    .where(hasKey(key))
    .execute();
}

async function makeAllDue(db: Kysely<Schema>, at: Date): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ next_attempt_at: at.getTime() })
    .where('next_attempt_at', '>', at.getTime())
    .execute();
}

function hasKey({ workspaceId, subject, subjectId }: NoticeKey) {
  return (eb: ExpressionBuilder<Schema, 'outbox'>) =>
    eb.and({ workspace_id: workspaceId, subject, subject_id: subjectId });
}

/** Selects the notices that are due. Notices of campaigns are due once the campaign has ended. */
function selectDue(db: Kysely<Schema>, now: number) {
  return db
    .selectFrom('outbox')
    .selectAll()
    .where((eb) =>
      // What is put off for longer than the longest delay was put off while the clock was ahead.
      eb.or([eb('next_attempt_at', '<=', now), eb('next_attempt_at', '>', now + maxNoticeRetryDelayMs)]),
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
    );
}
