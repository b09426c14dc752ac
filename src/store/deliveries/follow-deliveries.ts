import { type Expression, type Kysely, sql } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { AuditTrail } from '../audit/audit-trail.ts';
import type { Encryption } from '../encryption/cipher.ts';
import type { PhoneHashes } from '../encryption/phone-hashes.ts';
import type { Schema } from '../schema.ts';
import type { DeliveryRow } from './delivery-rows.ts';
import { endPending } from './end-pending.ts';
import { knownProviderIds } from './known-messages.ts';
import { resolveOperation } from './resolve-operation.ts';

export interface FollowOptions {
  db: Kysely<Schema>;
  encryption: Encryption;
  phoneHashes: PhoneHashes;
  audit: Pick<AuditTrail, 'prepare'>;
  /** See `InstallationState`. */
  restoredAt: Date | undefined;
  clock: Clock;
  databaseNow: () => Expression<number>;
}

/** What came of reports. */
export interface Followed {
  /** Operations that were unconfirmed, and are not any more. */
  resolved: number;
  /** Notices that are to be delivered. */
  notices: number;
}

const pageSize = 200;

/** Looks at each delivery that is pending, once. One that has to wait for an answer stays pending. */
export async function followDeliveries(options: FollowOptions, signal: AbortSignal): Promise<Followed> {
  let resolved = 0;
  let notices = 0;
  let last: DeliveryRow | undefined;
  while (!signal.aborted) {
    const page = await readPending(options.db, last);
    last = page.at(-1);
    if (last === undefined) {
      break;
    }
    for (const [workspaceId, rows] of Map.groupBy(page, (row) => row.workspace_id)) {
      const more = await followRows(options, workspaceId, rows);
      resolved += more.resolved;
      notices += more.notices;
    }
  }
  return { resolved, notices };
}

/** In the order of what they are read by, after the last one of the page before. */
function readPending(db: Kysely<Schema>, last: DeliveryRow | undefined): Promise<DeliveryRow[]> {
  let rows = db.selectFrom('delivery').selectAll().where('pending', '=', 1);
  if (last !== undefined) {
    const { received_at, workspace_id, provider_id, hash } = last;
    rows = rows.where(
      sql<boolean>`(received_at, workspace_id, provider_id, hash) >
        (${received_at}, ${workspace_id}, ${provider_id}, ${hash})`,
    );
  }
  return rows
    .orderBy('received_at')
    .orderBy('workspace_id')
    .orderBy('provider_id')
    .orderBy('hash')
    .limit(pageSize)
    .execute();
}

async function followRows(
  options: FollowOptions,
  workspaceId: string,
  rows: readonly DeliveryRow[],
): Promise<Followed> {
  const { db } = options;
  const ids = [...new Set(rows.map((row) => row.provider_id))];
  const known = await knownProviderIds(db, workspaceId, ids);
  const hashes = [...new Set(rows.filter((row) => !known.has(row.provider_id)).map(({ hash }) => hash))];
  const sentTo = await hashesOfOperations(db, hashes);
  const done: DeliveryRow[] = [];
  let resolved = 0;
  for (const row of rows) {
    const mayBeSearched = !known.has(row.provider_id) && sentTo.has(row.hash);
    const result = mayBeSearched ? await resolveOperation(options, row) : 'settled';
    resolved += result === 'resolved' ? 1 : 0;
    if (result !== 'waits') {
      done.push(row);
    }
  }
  return { resolved, notices: resolved + (await endPending(options, workspaceId, done)) };
}

async function hashesOfOperations(db: Kysely<Schema>, hashes: readonly string[]): Promise<Set<string>> {
  if (hashes.length === 0) {
    return new Set();
  }
  const rows = await db
    .selectFrom('operation_number')
    .select('hash')
    .distinct()
    .where('hash', 'in', hashes)
    .execute();
  return new Set(rows.map(({ hash }) => hash));
}
