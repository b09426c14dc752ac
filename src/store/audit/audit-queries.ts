import { setImmediate } from 'node:timers/promises';
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../schema.ts';
import type { AuditEntryRow } from './audit-tables.ts';

/** One entry, as it is shown and exported. */
export interface AuditEntry {
  workspaceId: string;
  sequence: number;
  at: Date;
  userId: string | undefined;
  action: string;
  subject: string | undefined;
  outcome: string;
  surface: string;
  channelId: string | undefined;
  /** JSON, as it was written. */
  details: string | undefined;
  /** By which a copy of the entry can be compared with the audit. */
  mac: string;
}

/** Which entries are read: those for which all of it is true. */
export interface AuditQuery {
  workspaceId: string;
  userId?: string | undefined;
  actions?: readonly string[] | undefined;
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

export function createAuditQueries(db: Kysely<Schema>) {
  return {
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
        entries: found.slice(0, limit).map(toEntry),
        next: last && JSON.stringify([last.at, last.sequence]),
      };
    },

    async *all(query: AuditQuery): AsyncIterable<AuditEntry> {
      let last: AuditEntryRow | undefined;
      let read: AuditEntryRow[];
      do {
        let rows = filtered(db, query).orderBy('at').orderBy('sequence').limit(readSize);
        if (last !== undefined) {
          rows = rows.where(sql<boolean>`(at, sequence) > (${last.at}, ${last.sequence})`);
        }
        read = await rows.execute();
        yield* read.map(toEntry);
        last = read.at(-1);
        // The database's answers may all be there already, and would be handled without a turn of the event loop.
        await setImmediate();
      } while (read.length === readSize);
    },
  };
}

function filtered(
  db: Kysely<Schema>,
  { workspaceId, userId, actions, from, until }: AuditQuery,
): SelectQueryBuilder<Schema, 'audit_entry', AuditEntryRow> {
  let query = db.selectFrom('audit_entry').selectAll().where('workspace_id', '=', workspaceId);
  if (userId !== undefined) {
    query = query.where('user_id', '=', userId);
  }
  if (actions !== undefined) {
    query = query.where('action', 'in', actions);
  }
  if (from !== undefined) {
    query = query.where('at', '>=', from.getTime());
  }
  if (until !== undefined) {
    query = query.where('at', '<', until.getTime());
  }
  return query;
}

function toEntry(row: AuditEntryRow): AuditEntry {
  return {
    workspaceId: row.workspace_id,
    sequence: row.sequence,
    at: new Date(row.at),
    userId: row.user_id ?? undefined,
    action: row.action,
    subject: row.subject ?? undefined,
    outcome: row.outcome,
    surface: row.surface,
    channelId: row.channel_id ?? undefined,
    details: row.details ?? undefined,
    mac: row.mac,
  };
}
