import { type Kysely, sql, type Transaction } from 'kysely';
import { maskPersonal } from '../../lib/redact.ts';
import type { AppendAudit, AuditDetails, NewAuditEntry } from '../audit/audit-trail.ts';
import type { StoreContext } from '../context.ts';
import { orRollBack } from '../engine/transaction.ts';
import { addNotices } from '../outbox/notices.ts';
import type { NoticeSubject } from '../schema/approvals.ts';
import type { Row, Schema } from '../schema/schema.ts';
import { verbsBetween } from './campaign-moves.ts';
import type { Campaign, CampaignPatch, CampaignState } from './campaigns.ts';

/** A campaign as it was checked before its start: the move is made of no other, and at no other times. */
export type CheckedCampaign = Pick<Campaign, 'sequence' | 'startAt' | 'latestStart'>;

export interface CampaignMove {
  workspaceId: string;
  id: string;
  from: readonly CampaignState[];
  to: CampaignState;
  patch: CampaignPatch;
  checked?: CheckedCampaign | undefined;
  reserve?: Reserve | undefined;
}

/** Takes what a campaign needs to run. Called first in the transaction that moves it, and undone where nothing is moved. */
export type Reserve = (transaction: Transaction<Schema>) => Promise<void>;

type MoveOptions = Pick<StoreContext, 'log'> & { now: Date; appendAudit: AppendAudit };

/** See `move` in campaign-repository.ts. Illegal moves are logged and made from none of their states. */
export function moveCampaign(
  db: Kysely<Schema>,
  move: CampaignMove,
  options: MoveOptions,
): Promise<Row<'campaign'> | undefined> {
  return orRollBack(
    db,
    async (transaction) => {
      await move.reserve?.(transaction);
      return moveCampaignWithin(transaction, move, options);
    },
    (row) => row !== undefined,
  );
}

/** As `moveCampaign`, together with what else the transaction does, which has reserved before. */
export async function moveCampaignWithin(
  transaction: Transaction<Schema>,
  { workspaceId, id, from, to, patch, checked }: CampaignMove,
  options: MoveOptions,
): Promise<Row<'campaign'> | undefined> {
  const { now, log, appendAudit } = options;
  const legal = from.filter((state) => verbsBetween(state, to).length > 0);
  if (legal.length < from.length) {
    log.error({ campaign: id, from, to }, 'an illegal move of a campaign was refused');
  }
  if (legal.length === 0) {
    return undefined;
  }
  const isSentOn = to === 'running' || to === 'scheduled' || to === 'ready';
  const moved = await transaction
    .updateTable('campaign')
    .$if(isSentOn, (update) => update.where('text', 'is not', null).set({ endedAt: null }))
    .$if(to === 'ready', (update) => update.set(unscheduledColumns))
    .$if(checked !== undefined, (update) =>
      update
        .where('sequence', '=', checked?.sequence ?? null)
        .where('startAt', 'is not distinct from', checked?.startAt ?? null)
        .where('latestStart', 'is not distinct from', checked?.latestStart ?? null),
    )
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .where('state', 'in', legal)
    .set({
      state: to,
      stateChangedAt: now,
      ...(to !== 'paused' && { pause: null }),
      ...patchColumns(patch),
    })
    .set((eb) => ({
      ...(to === 'running' &&
        patch.startedAt === undefined && { startedAt: eb.fn.coalesce('startedAt', eb.val(now)) }),
      ...(isFinal(to) && { endedAt: sql<Date>`case when in_flight = 0 then cast(${now} as bigint) end` }),
    }))
    .returningAll()
    .executeTakeFirst();
  if (moved !== undefined) {
    await tellMove(transaction, moved, { id, to, patch, now });
    await appendAudit(transaction, moveEntry(moved, { id, from, to, patch }));
  }
  return moved;
}

const isFinal = (state: CampaignState) => state === 'done' || state === 'cancelled' || state === 'missed';

/** A draft is shown to nobody but its user, and is scheduled or started like a new one. */
const unscheduledColumns = {
  channelId: null,
  messageChannel: null,
  messageTs: null,
  startAt: null,
  latestStart: null,
  zone: null,
} as const;

/** Puts a notice of the move into the outbox. One that is a draft again has none. */
async function tellMove(
  transaction: Transaction<Schema>,
  { workspaceId, createdBy: userId, channelId }: Row<'campaign'>,
  { id, to, patch, now }: Pick<CampaignMove, 'id' | 'to' | 'patch'> & { now: Date },
): Promise<void> {
  if (to !== 'ready') {
    const needsUser = to === 'paused' && patch.pause?.by !== 'person';
    const subjects: NoticeSubject[] = needsUser ? ['campaign', 'campaign_news'] : ['campaign'];
    const notices = subjects.map((subject) => ({ workspaceId, subject, subjectId: id, userId, channelId }));
    await addNotices(transaction, notices, now);
    return;
  }
  await transaction
    .deleteFrom('outbox')
    .where('workspaceId', '=', workspaceId)
    .where('subject', 'in', ['campaign', 'campaign_news'])
    .where('subjectId', '=', id)
    .execute();
}

/** Returns the columns of the keys that are there: undefined clears one. */
function patchColumns(patch: CampaignPatch) {
  return {
    ...('channelId' in patch && { channelId: patch.channelId ?? null }),
    ...('startAt' in patch && { startAt: patch.startAt ?? null }),
    ...('latestStart' in patch && { latestStart: patch.latestStart ?? null }),
    ...('zone' in patch && { zone: patch.zone ?? null }),
    ...('pause' in patch && { pause: patch.pause ?? null }),
    ...('lastActionBy' in patch && { lastActionBy: patch.lastActionBy ?? null }),
    ...('startedAt' in patch && { startedAt: patch.startedAt ?? null }),
  };
}

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
function moveEntry(
  row: Row<'campaign'>,
  { id, from, to, patch }: Pick<CampaignMove, 'id' | 'from' | 'to' | 'patch'>,
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
        ...(to === 'scheduled' && { startAt: row.startAt?.toISOString() }),
        ...(pause?.error !== undefined && { reason: pause.error.reason }),
      },
    }),
  ];
}

/** @param campaign.id the row of a discarded campaign has none */
export function campaignEntry(
  action: string,
  row: Row<'campaign'>,
  { id = row.id, details = {} }: { id?: string | undefined; details?: AuditDetails } = {},
): NewAuditEntry {
  const { workspaceId, name, createdBy, route, senderId, recipients, pages } = row;
  return {
    workspaceId,
    action,
    subject: id,
    outcome: 'done',
    // What people call it may hold a number, which would stay here after it is erased everywhere else.
    details: { name: maskPersonal(name), createdBy, route, senderId, recipients, pages, ...details },
  };
}
