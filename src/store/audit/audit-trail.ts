import type { KeyObject } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { type Kysely, type SelectQueryBuilder, sql, type Transaction } from 'kysely';
import { z } from 'zod';
import { toRecord } from '../../domain/access/private-values.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import { createAsyncCache } from '../../lib/async-cache.ts';
import { currentOrigin } from '../../lib/request-origin.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { RetryWrite } from '../engine/database.ts';
import type { Encryption } from '../engine/encryption/cipher.ts';
import { inTransaction } from '../engine/transaction.ts';
import type { Schema } from '../schema/schema.ts';
import { type AuditEntryRow, appendEntry, readAuditKey, type UnchainedEntry } from './audit-chain.ts';
import { expireAudit } from './expire-audit.ts';
import { type AuditCheck, type VerifyOptions, verifyAudit } from './verify-audit.ts';

/**
 * How an action ended. `done`: in the program's own data. `refused`: it was not allowed. `failed`: it broke off. The others
 * are outcomes of requests to the provider, see `Ending`.
 */
export const auditOutcomes = [
  'done',
  'refused',
  'failed',
  'accepted',
  'rejected',
  'not_sent',
  'unconfirmed',
] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

/** Any JSON value. */
type DetailValue = string | number | boolean | null | DetailValue[] | { [key: string]: DetailValue };
export type AuditDetails = Readonly<Record<string, DetailValue | undefined>>;

/** Something that was done. It lies in the clear: numbers masked, no texts, no codes, no keys. */
export interface NewAuditEntry {
  workspaceId: string;
  /** A Slack user id, by default the current request's. Undefined for what the program or Slack did without a user. */
  userId?: string | undefined;
  /** As `subject.verb`, see `AuditAction` of the services. */
  action: string;
  /** What it was done to, such as an id or a number, which is masked. */
  subject?: string | PhoneNumber | undefined;
  outcome: AuditOutcome;
  details?: AuditDetails | undefined;
}

/** Appends entries in the transaction of the change they record. */
export type AppendAudit = (
  transaction: Transaction<Schema>,
  entries: readonly NewAuditEntry[],
) => Promise<void>;

export type AuditTrail = ReturnType<typeof createAuditTrail>;

/**
 * Who did what, append-only: there is no function that changes an entry, or deletes one that has not expired. Each entry
 * has a MAC over itself and the entry before, with a key that cannot be read without the encryption keys. The chains of
 * the workspaces are apart, so that one can expire, or be exported and checked, without the others.
 */
export function createAuditTrail({
  db,
  encryption,
  clock,
  retryWrite,
}: {
  db: Kysely<Schema>;
  encryption: Encryption;
  clock: Clock;
  retryWrite: RetryWrite;
}) {
  const keys = createAsyncCache<KeyObject>({ max: 1 });
  const readKey = () => keys.get('', () => readAuditKey(db, encryption));
  let waiting = 0;

  return {
    /**
     * Appends an entry as of now, with the origin of the current request. Resolves when it is on the disk. Throws the error
     * of the first attempt; it is then retried in the background until it succeeds.
     */
    async append(entry: NewAuditEntry): Promise<void> {
      const stamped = stamp(entry, clock());
      let hasFailed = false;
      try {
        await retryWrite(async () => {
          const key = await readKey();
          await inTransaction(db, (transaction) => appendEntry(transaction, key, stamped));
          waiting -= hasFailed ? 1 : 0;
        });
      } catch (error) {
        hasFailed = true;
        waiting += 1;
        throw error;
      }
    },

    /** Called before a transaction begins. Returns what appends in it. */
    async prepare(): Promise<AppendAudit> {
      const key = await readKey();
      return async (transaction, entries) => {
        // In the order of their workspaces, so that no two transactions wait for each other’s chains.
        const ordered = entries.toSorted((one, other) => compareTexts(one.workspaceId, other.workspaceId));
        for (const entry of ordered) {
          await appendEntry(transaction, key, stamp(entry, clock()));
        }
      };
    },

    /** Returns how many entries could not be written yet. */
    waiting: () => waiting,
    ...createAuditQueries(db),
    /** Checks every entry, while others may be appended. */
    verify: (options: VerifyOptions): Promise<AuditCheck> => verifyAudit(db, encryption, options),

    /** See `expireAudit`. */
    async expire(before: Date): Promise<string[]> {
      const chain = await db.selectFrom('auditChain').select('workspaceId').limit(1).executeTakeFirst();
      return chain === undefined ? [] : expireAudit(db, await readKey(), before);
    },
  };
}

function compareTexts(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

function stamp(entry: NewAuditEntry, now: Date): UnchainedEntry {
  const { surface, userId, channelId } = currentOrigin();
  return {
    workspaceId: entry.workspaceId,
    at: now,
    userId: clean(entry.userId ?? userId),
    action: entry.action,
    subject: entry.subject === undefined ? undefined : clean(String(toRecord(entry.subject))),
    outcome: entry.outcome,
    surface,
    channelId: clean(channelId),
    details: entry.details && JSON.stringify(toRecord(entry.details, names)),
  };
}

/** What people name as they like, and may name by a number. */
const names = new Set(['name', 'campaign', 'phonebook', 'company']);

/** Makes a text that every database returns unchanged. */
function clean(text: string | undefined): string | undefined {
  return text?.toWellFormed().replaceAll('\0', '\u{fffd}');
}

/** One entry, as it is shown and exported. Copies of it can be compared with the audit by its `mac`. */
export type AuditEntry = Omit<AuditEntryRow, 'previous'>;

/** Which entries to read. All conditions apply. */
export interface AuditQuery {
  workspaceId: string;
  userId?: string | undefined;
  actions?: readonly string[] | undefined;
  /** What it was done to. */
  subject?: string | undefined;
  /** Written then or later. */
  from?: Date | undefined;
  /** Written earlier. */
  until?: Date | undefined;
}

/** `next` is the `after` of the next page, if there is one. */
export interface AuditEntryPage {
  entries: AuditEntry[];
  next: string | undefined;
}

/** Entries that are read at once. */
const readSize = 1_000;

const cursorSchema = z.tuple([z.number(), z.number()]);

function createAuditQueries(db: Kysely<Schema>) {
  return {
    /** Returns the newest entries first. */
    async page({
      after,
      limit,
      ...query
    }: AuditQuery & { after?: string | undefined; limit: number }): Promise<AuditEntryPage> {
      let rows = filtered(db, query).orderBy('at', 'desc').orderBy('sequence', 'desc');
      if (after !== undefined) {
        const [at, sequence] = cursorSchema.parse(JSON.parse(after));
        rows = rows.where(sql<boolean>`(at, sequence) < (${at}, ${sequence})`);
      }
      const found = await rows.limit(limit + 1).execute();
      const last = found.length > limit ? found[limit - 1] : undefined;
      return {
        entries: found.slice(0, limit),
        next: last && JSON.stringify([last.at.getTime(), last.sequence]),
      };
    },

    /** Yields all entries, the oldest first, reading page by page. */
    async *all(query: AuditQuery): AsyncIterable<AuditEntry> {
      let last: AuditEntryRow | undefined;
      let read: AuditEntryRow[];
      do {
        let rows = filtered(db, query).orderBy('at').orderBy('sequence').limit(readSize);
        if (last !== undefined) {
          rows = rows.where(sql<boolean>`(at, sequence) > (${last.at}, ${last.sequence})`);
        }
        read = await rows.execute();
        yield* read;
        last = read.at(-1);
        // The database's answers may all be there already, and would be handled without a turn of the event loop.
        await setImmediate();
      } while (read.length === readSize);
    },
  };
}

function filtered(
  db: Kysely<Schema>,
  { workspaceId, userId, actions, subject, from, until }: AuditQuery,
): SelectQueryBuilder<Schema, 'auditEntry', AuditEntryRow> {
  let query = db.selectFrom('auditEntry').selectAll().where('workspaceId', '=', workspaceId);
  if (userId !== undefined) {
    query = query.where('userId', '=', userId);
  }
  if (actions !== undefined) {
    query = query.where('action', 'in', actions);
  }
  if (subject !== undefined) {
    query = query.where('subject', '=', subject);
  }
  if (from !== undefined) {
    query = query.where('at', '>=', from);
  }
  if (until !== undefined) {
    query = query.where('at', '<', until);
  }
  return query;
}
