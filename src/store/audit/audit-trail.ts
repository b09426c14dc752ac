import type { KeyObject } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { createAsyncCache } from '../../lib/async-cache.ts';
import { maskPersonal } from '../../lib/redact.ts';
import { currentOrigin } from '../../lib/request-origin.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { RetryWrite } from '../retry-write.ts';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import { appendEntry, type UnchainedEntry } from './append-entry.ts';
import {
  type AuditEntry,
  type AuditEntryPage,
  type AuditQuery,
  createAuditQueries,
} from './audit-queries.ts';
import { readAuditKey } from './audit-register.ts';
import { expireAudit } from './expire-audit.ts';
import { type AuditCheck, type VerifyOptions, verifyAudit } from './verify-audit.ts';

/**
 * How what was done ended. `done`: in the program's own data. `refused`: it was not allowed. `failed`: it broke off. The
 * others are outcomes of requests to the provider, see `Ending`.
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
  /** A Slack user id; by default the one of the current request. Undefined for what the program or Slack did without a user. */
  userId?: string | undefined;
  /** As `subject.verb`, see `AuditAction` of the services. */
  action: string;
  /** What it was done to, such as an id or a masked number. */
  subject?: string | undefined;
  outcome: AuditOutcome;
  details?: AuditDetails | undefined;
}

/** Appends entries in a transaction that does what they say. */
export type AppendAudit = (
  transaction: Transaction<Schema>,
  entries: readonly NewAuditEntry[],
) => Promise<void>;

/**
 * Who did what, append-only: there is no function that changes an entry, or deletes one that has not expired. Each entry
 * has a MAC over itself and the entry before, with a key that cannot be read without the encryption keys. The chains of
 * the workspaces are apart, so that one can expire, or be exported and checked, without the others.
 */
export interface AuditTrail {
  /**
   * Appends an entry as of now, with the origin of the current request. Resolves when it is on the disk. Throws the error
   * of the first attempt; it is then retried in the background until it succeeds.
   */
  append(entry: NewAuditEntry): Promise<void>;
  /** Called before a transaction begins. Returns what appends in it. */
  prepare(): Promise<AppendAudit>;
  /** Returns how many entries could not be written yet. */
  waiting(): number;
  /** Returns the newest entries first. */
  page(query: AuditQuery & { after?: string | undefined; limit: number }): Promise<AuditEntryPage>;
  /** Yields all entries, the oldest first, reading page by page. */
  all(query: AuditQuery): AsyncIterable<AuditEntry>;
  /** Checks every entry, while others may be appended. */
  verify(options: VerifyOptions): Promise<AuditCheck>;
  /** See `expireAudit`. */
  expire(before: Date): Promise<string[]>;
}

interface AuditTrailOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  clock: Clock;
  retryWrite: RetryWrite;
}

export function createAuditTrail({ db, encryption, clock, retryWrite }: AuditTrailOptions): AuditTrail {
  const keys = createAsyncCache<KeyObject>({ max: 1 });
  const readKey = () => keys.get('', () => readAuditKey(db, encryption));
  let waiting = 0;

  async function write(entry: UnchainedEntry): Promise<void> {
    const key = await readKey();
    await inTransaction(db, (transaction) => appendEntry(transaction, key, entry));
  }

  return {
    async append(entry) {
      const stamped = stamp(entry, clock());
      let hasFailed = false;
      try {
        await retryWrite(async () => {
          await write(stamped);
          waiting -= hasFailed ? 1 : 0;
        });
      } catch (error) {
        hasFailed = true;
        waiting += 1;
        throw error;
      }
    },

    async prepare() {
      const key = await readKey();
      return async (transaction, entries) => {
        // In the order of their workspaces, so that no two transactions wait for each other’s chains.
        const ordered = entries.toSorted((one, other) => compareTexts(one.workspaceId, other.workspaceId));
        for (const entry of ordered) {
          await appendEntry(transaction, key, stamp(entry, clock()));
        }
      };
    },

    waiting: () => waiting,
    ...createAuditQueries(db),
    verify: (options) => verifyAudit(db, encryption, options),

    async expire(before) {
      const chain = await db.selectFrom('audit_chain').select('workspace_id').limit(1).executeTakeFirst();
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
    workspace_id: entry.workspaceId,
    at: now.getTime(),
    user_id: clean(entry.userId ?? userId),
    action: entry.action,
    subject: clean(entry.subject),
    outcome: entry.outcome,
    surface,
    channel_id: clean(channelId),
    details: entry.details === undefined ? null : JSON.stringify(entry.details, maskNames),
  };
}

/** What people name as they like, and may name by a number. */
const names = new Set(['name', 'campaign', 'phonebook', 'company']);

function maskNames(key: string, value: unknown): unknown {
  return names.has(key) && typeof value === 'string' ? maskPersonal(value) : value;
}

/** A text that every database returns as it was written. */
function clean(text: string | undefined): string | null {
  return text === undefined ? null : text.toWellFormed().replaceAll('\0', '\u{fffd}');
}
