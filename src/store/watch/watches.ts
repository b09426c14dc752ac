import type { ExpressionBuilder, Transaction } from 'kysely';
import type { WatchChange, Watched, WatchFacts, WatchKind } from '../../domain/watch/watch.ts';
import type { NewAuditEntry } from '../audit/audit-trail.ts';
import type { StoreContext } from '../context.ts';
import { inTransaction } from '../engine/transaction.ts';
import { type ShownMessage, shownMessage } from '../operations/operation.ts';
import { addNotices } from '../outbox/notices.ts';
import type { Row, Schema } from '../schema/schema.ts';

export interface WatchKey {
  workspaceId: string;
  subject: string;
}

/** What is watched, and where its message is in Slack. */
export interface Watch extends Watched, WatchKey {
  kind: WatchKind;
  version: number;
  message: ShownMessage | undefined;
}

/** Whom notices are for, and where they go. */
export interface WatchPlace {
  userId: string;
  channelId: string | undefined;
}

const digestSubject = 'digest';
const lookSubject = (kind: WatchKind) => `look:${kind}`;
/** Rows that only drive the watcher (not shown). */
const helpers = ['look', 'digest'] as const;

/** What is watched for each workspace. Whatever is to be told goes into the outbox in the same transaction. */
export function createWatchStore(context: StoreContext) {
  const { db, clock, phoneHashes, audit } = context;
  return {
    /** Returns the workspaces that chose a channel. */
    async workspaces(): Promise<string[]> {
      const rows = await db.selectFrom('watch').select('workspaceId').where('kind', '=', 'digest').execute();
      return rows.map(({ workspaceId }) => workspaceId);
    },

    async all(workspaceId: string): Promise<Watch[]> {
      const rows = await db.selectFrom('watch').selectAll().where('workspaceId', '=', workspaceId).execute();
      return rows.flatMap((row) => toWatch(row) ?? []);
    },

    async find(key: WatchKey): Promise<Watch | undefined> {
      const row = await db.selectFrom('watch').selectAll().where(hasKey(key)).executeTakeFirst();
      return row && toWatch(row);
    },

    /**
     * Changes an alert based on its stored state, atomically across instances. Resolves with whether there is
     * something to post.
     *
     * @param entry the audit entry, if a person made the change: written if the change is posted
     */
    async change(
      key: WatchKey & { kind: WatchKind },
      destination: WatchPlace,
      decide: (row: Watch | undefined) => WatchChange | undefined,
      entry?: NewAuditEntry,
    ): Promise<boolean> {
      const appendAudit = entry && (await audit.prepare());
      return inTransaction(db, async (transaction) => {
        const { workspaceId, subject, kind } = key;
        const now = clock();
        const row = await lock(transaction, key);
        const change = decide(row && toWatch(row));
        if (change === undefined) {
          return false;
        }
        const { tells, state, since, changedAt, facts, mutedBy } = change;
        const version = (row?.version ?? 0) + Number(tells);
        const columns = { kind, state, since, changedAt, facts, version };
        if (row === undefined) {
          const { numInsertedOrUpdatedRows } = await transaction
            .insertInto('watch')
            .values({ workspaceId, subject, ...columns, mutedBy, shownVersion: 0 })
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst();
          if (numInsertedOrUpdatedRows !== 1n) {
            // Another instance was quicker.
            return false;
          }
        } else {
          const isNext = row.since.getTime() !== since.getTime();
          await transaction
            .updateTable('watch')
            .set({
              ...columns,
              mutedBy: mutedBy ?? null,
              ...(isNext ? { messageChannel: null, messageTs: null } : {}),
            })
            .where(hasKey(key))
            .execute();
        }
        if (tells) {
          const subjectId = watchNotice({ subject, since });
          const notice = { workspaceId, subject: 'watch' as const, subjectId, ...destination };
          await addNotices(transaction, [notice], now, { renew: true });
          if (entry !== undefined) {
            await appendAudit?.(transaction, [entry]);
          }
        }
        return tells;
      });
    },

    /** Forgets an account's subjects: the next account has its own sender IDs. */
    async forgetAccount(workspaceId: string): Promise<void> {
      await db
        .deleteFrom('watch')
        .where('workspaceId', '=', workspaceId)
        .where('kind', 'in', ['look', 'sender_id'])
        .execute();
    },

    /** Returns keyed hashes, for values that must not be stored in the clear. */
    hashes: (workspaceId: string, texts: readonly string[]): Promise<string[]> =>
      phoneHashes.of(workspaceId, texts),

    ...createShownWatches(context),
    ...createLooks(context),
    ...createDigests(context),

    /** Deletes alerts resolved before a time. Sender IDs stay: the next decision is recognised by them. */
    async expire(before: Date): Promise<void> {
      await db
        .deleteFrom('watch')
        .where('state', '=', 'cleared')
        .where('kind', 'not in', [...helpers, 'sender_id'])
        .where('changedAt', '<', before)
        .execute();
    },
  };
}

/** The notice of a subject since a time. */
export function readWatchNotice(subjectId: string): { subject: string; since: number } {
  const end = subjectId.lastIndexOf('@');
  return { subject: subjectId.slice(0, Math.max(0, end)), since: Number(subjectId.slice(end + 1)) };
}

export const watchNotice = ({ subject, since }: Pick<Watch, 'subject' | 'since'>): string =>
  `${subject}@${since.getTime()}`;

/** What Slack shows of a subject. */
function createShownWatches({ db }: StoreContext) {
  return {
    /** Remembers where the message of a subject was posted. */
    async setMessage({ workspaceId, subject, since }: Watch, { channel, ts }: ShownMessage): Promise<void> {
      await db
        .updateTable('watch')
        .set({ messageChannel: channel, messageTs: ts })
        .where(hasKey({ workspaceId, subject }))
        .where('since', '=', since)
        .execute();
    },

    /** Remembers that a message shows a subject as it is given. */
    async setShown({ workspaceId, subject, since, version }: Watch): Promise<void> {
      await db
        .updateTable('watch')
        .set({ shownVersion: version })
        .where(hasKey({ workspaceId, subject }))
        .where('since', '=', since)
        .where('shownVersion', '<', version)
        .execute();
    },
  };
}

/** When subjects that are checked less often were last checked, and the result. */
function createLooks({ db, clock }: StoreContext) {
  return {
    /** Returns the result of the last look, if that was long enough ago: this is the next one. */
    async startCheck(
      workspaceId: string,
      kind: WatchKind,
      everyMs: number,
    ): Promise<{ facts: WatchFacts } | undefined> {
      const now = clock();
      const thisCheck = { kind: 'look' as const, state: 'cleared' as const, since: now };
      return db
        .insertInto('watch')
        .values({
          workspaceId,
          subject: lookSubject(kind),
          ...thisCheck,
          changedAt: now,
          facts: { step: '' },
          version: 0,
          shownVersion: 0,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['workspaceId', 'subject'])
            .doUpdateSet(thisCheck)
            .where((eb) =>
              eb.or([
                eb('watch.since', '<=', new Date(now.getTime() - everyMs)),
                // The clock was ahead.
                eb('watch.since', '>', now),
              ]),
            ),
        )
        .returning('facts')
        .executeTakeFirst();
    },

    /** Returns the last result, and when it was stored; undefined before the first look. */
    seen: (workspaceId: string, kind: WatchKind) =>
      db
        .selectFrom('watch')
        .select(['facts', 'changedAt'])
        .where(hasKey({ workspaceId, subject: lookSubject(kind) }))
        .executeTakeFirst(),

    async setSeen(workspaceId: string, kind: WatchKind, facts: WatchFacts, changedAt: Date): Promise<void> {
      await db
        .updateTable('watch')
        .set({ facts, changedAt })
        .where(hasKey({ workspaceId, subject: lookSubject(kind) }))
        .execute();
    },
  };
}

/** The one message a day. */
function createDigests({ db, clock }: StoreContext) {
  return {
    /**
     * Starts watching the workspace.
     *
     * @param date the day of the last digest to skip, if watchers were off
     */
    async begin(workspaceId: string, date: string, { isOn }: { isOn: boolean }): Promise<void> {
      const now = clock();
      const row = { kind: 'digest' as const, state: 'cleared' as const, since: now, changedAt: now };
      await db
        .insertInto('watch')
        .values({
          workspaceId,
          subject: digestSubject,
          ...row,
          facts: { step: date },
          version: 0,
          shownVersion: 0,
        })
        .onConflict((conflict) =>
          isOn
            ? conflict.doNothing()
            : conflict
                .columns(['workspaceId', 'subject'])
                .doUpdateSet({ ...row, facts: { step: date }, mutedBy: null }),
        )
        .execute();
    },

    /** Stores who turned watchers off, until `stop`. */
    async beginRemoval(workspaceId: string, userId: string): Promise<void> {
      await db
        .updateTable('watch')
        .set({ mutedBy: userId })
        .where(hasKey({ workspaceId, subject: digestSubject }))
        .execute();
    },

    /** Returns who turned watchers off, if the cleanup isn't finished. */
    async removedBy(workspaceId: string): Promise<string | undefined> {
      const row = await db
        .selectFrom('watch')
        .select('mutedBy')
        .where(hasKey({ workspaceId, subject: digestSubject }))
        .executeTakeFirst();
      return row?.mutedBy;
    },

    /** Stops watching the workspace. */
    async stop(workspaceId: string): Promise<void> {
      await db
        .deleteFrom('watch')
        .where('workspaceId', '=', workspaceId)
        .where('kind', 'in', helpers)
        .execute();
    },

    /** Adds the notice of a date's digest, once; if not `isNeeded`, only marks the date as done. */
    digest: (
      workspaceId: string,
      { date, destination, isNeeded }: { date: string; destination: WatchPlace; isNeeded: boolean },
    ): Promise<boolean> =>
      inTransaction(db, async (transaction) => {
        const key = { workspaceId, subject: digestSubject };
        const row = await lock(transaction, key);
        if (row === undefined || row.facts.step >= date) {
          return false;
        }
        await transaction
          .updateTable('watch')
          .set({ facts: { step: date } })
          .where(hasKey(key))
          .execute();
        if (isNeeded) {
          const notice = { workspaceId, subject: 'digest' as const, subjectId: date, ...destination };
          await addNotices(transaction, [notice], clock());
        }
        return isNeeded;
      }),
  };
}

const lock = (transaction: Transaction<Schema>, key: WatchKey) =>
  transaction.selectFrom('watch').selectAll().where(hasKey(key)).forUpdate().executeTakeFirst();

const hasKey =
  ({ workspaceId, subject }: WatchKey) =>
  (eb: ExpressionBuilder<Schema, 'watch'>) =>
    eb.and({ workspaceId, subject });

function toWatch({ kind, messageChannel, messageTs, shownVersion, ...row }: Row<'watch'>): Watch | undefined {
  return kind === 'look' || kind === 'digest'
    ? undefined
    : {
        ...row,
        kind,
        isShown: shownVersion >= row.version,
        message: shownMessage(messageChannel, messageTs),
      };
}
