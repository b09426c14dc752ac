import type { Kysely } from 'kysely';
import { maskPersonal } from '../../lib/redact.ts';
import type { AuditDetails, AuditTrail, NewAuditEntry } from '../audit/audit-trail.ts';
import type { Schema } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import type { CampaignRow } from './campaign-tables.ts';
import type { CampaignPatch, CampaignState } from './campaigns.ts';

type MoveAction = Exclude<CampaignState, 'reading' | 'done'>;

const moveActions: Readonly<Record<MoveAction, string>> = {
  ready: 'campaign.unschedule',
  scheduled: 'campaign.schedule',
  running: 'campaign.start',
  paused: 'campaign.pause',
  cancelled: 'campaign.cancel',
  missed: 'campaign.miss',
};

/** Returns the entry of a move, by the user of the current request. */
export function moveEntry(
  row: CampaignRow,
  {
    id,
    from,
    to,
    patch,
  }: { id: string; from: readonly CampaignState[]; to: CampaignState; patch: CampaignPatch },
): NewAuditEntry[] {
  if (to === 'reading' || to === 'done') {
    return [];
  }
  const isResumed = from.every((state) => state === 'paused') && (to === 'running' || to === 'scheduled');
  const { pause } = patch;
  return [
    campaignEntry(isResumed ? 'campaign.resume' : moveActions[to], row, {
      id,
      details: {
        ...(row.start_at !== null && to === 'scheduled' && { startAt: new Date(row.start_at).toISOString() }),
        ...(pause?.error !== undefined && { reason: pause.error.reason }),
      },
    }),
  ];
}

/** @param campaign.id the row of a discarded campaign has none */
export function campaignEntry(
  action: string,
  row: CampaignRow,
  { id = row.id ?? undefined, details = {} }: { id?: string | undefined; details?: AuditDetails } = {},
): NewAuditEntry {
  const { name, created_by: createdBy, route, sender_id: senderId, recipients, pages } = row;
  return {
    workspaceId: row.workspace_id,
    action,
    subject: id,
    outcome: 'done',
    // What people call it may hold a number, which would stay here after it is erased everywhere else.
    details: { name: maskPersonal(name), createdBy, route, senderId, recipients, pages, ...details },
  };
}

/** Campaigns of one transaction. */
const batchSize = 50;

/** See `CampaignRepository.recordEnded`. */
export async function recordEnded(
  db: Kysely<Schema>,
  { audit, now }: { audit: Pick<AuditTrail, 'prepare'>; now: number },
): Promise<void> {
  const isAny = await selectUnrecorded(db).limit(1).executeTakeFirst();
  if (isAny === undefined) {
    return;
  }
  const appendAudit = await audit.prepare();
  let recorded: number;
  do {
    recorded = await inTransaction(db, async (transaction) => {
      // What another instance has in hand, it records.
      const rows = await selectUnrecorded(transaction).limit(batchSize).forUpdate().skipLocked().execute();
      if (rows.length === 0) {
        return 0;
      }
      const ended = await transaction
        .updateTable('campaign')
        .set({ audited_at: now })
        .where(
          'sequence',
          'in',
          rows.map(({ sequence }) => sequence),
        )
        .returningAll()
        .execute();
      await appendAudit(transaction, ended.map(endEntry));
      return ended.length;
    });
  } while (recorded > 0);
}

function selectUnrecorded(db: Kysely<Schema>) {
  return db
    .selectFrom('campaign')
    .select('sequence')
    .where('ended_at', 'is not', null)
    .where('audited_at', 'is', null)
    .where('state', 'in', ['done', 'cancelled'])
    .orderBy('ended_at');
}

function endEntry(row: CampaignRow): NewAuditEntry {
  const { state, accepted, rejected, unconfirmed } = row;
  return campaignEntry('campaign.end', row, { details: { state, accepted, rejected, unconfirmed } });
}
