import type { Kysely, Transaction } from 'kysely';
import type { Log } from '../../lib/log.ts';
import type { AppendAudit } from '../audit/audit-trail.ts';
import { addNotices } from '../outbox/notices.ts';
import { type Schema, typed } from '../schema.ts';
import { orRollBack } from '../transaction.ts';
import { moveEntry } from './audit-entries.ts';
import { verbsBetween } from './campaign-moves.ts';
import type { CampaignRow } from './campaign-tables.ts';
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

interface MoveOptions {
  /** In milliseconds since 1970. */
  now: number;
  log: Pick<Log, 'error'> | undefined;
  appendAudit: AppendAudit;
}

/** See `CampaignRepository.move`. Illegal moves are logged and made from none of their states. */
export function moveCampaign(
  db: Kysely<Schema>,
  move: CampaignMove,
  options: MoveOptions,
): Promise<CampaignRow | undefined> {
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
): Promise<CampaignRow | undefined> {
  const { now, log, appendAudit } = options;
  const legal = from.filter((state) => verbsBetween(state, to).length > 0);
  if (legal.length < from.length) {
    log?.error({ campaign: id, from, to }, 'an illegal move of a campaign was refused');
  }
  if (legal.length === 0) {
    return undefined;
  }
  const isSentOn = to === 'running' || to === 'scheduled' || to === 'ready';
  const moved = await transaction
    .updateTable('campaign')
    .$if(isSentOn, (update) => update.where('text', 'is not', null).set({ ended_at: null }))
    .$if(to === 'ready', (update) => update.set(unscheduledColumns))
    .$if(checked !== undefined, (update) =>
      update
        .where('sequence', '=', checked?.sequence ?? null)
        .where('start_at', 'is not distinct from', checked?.startAt?.getTime() ?? null)
        .where('latest_start', 'is not distinct from', checked?.latestStart?.getTime() ?? null),
    )
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', 'in', legal)
    .set({
      state: to,
      state_changed_at: now,
      ...(to !== 'paused' && { pause: null }),
      ...patchColumns(patch),
    })
    .set((eb) => ({
      ...(to === 'running' &&
        patch.startedAt === undefined && { started_at: eb.fn.coalesce('started_at', eb.val(now)) }),
      ...(isFinal(to) && { ended_at: eb.case().when('in_flight', '=', 0).then(now).else(null).end() }),
    }))
    .returningAll()
    .executeTakeFirst();
  if (moved !== undefined && to === 'ready') {
    await deleteNotices(transaction, workspaceId, id);
  } else if (moved !== undefined) {
    const notices = noticesOf(moved, id, to === 'paused' && patch.pause?.by !== 'person');
    await addNotices(typed(transaction), notices, new Date(now));
  }
  if (moved !== undefined) {
    await appendAudit(transaction, moveEntry(moved, { id, from, to, patch }));
  }
  return moved;
}

const isFinal = (state: CampaignState) => state === 'done' || state === 'cancelled' || state === 'missed';

/** A draft is shown to nobody but its user, and is scheduled or started like a new one. */
const unscheduledColumns = {
  channel_id: null,
  message_channel: null,
  message_ts: null,
  start_at: null,
  latest_start: null,
  zone: null,
} as const;

async function deleteNotices(db: Kysely<Schema>, workspaceId: string, id: string): Promise<void> {
  await db
    .deleteFrom('outbox')
    .where('workspace_id', '=', workspaceId)
    .where('subject', 'in', ['campaign', 'campaign_news'])
    .where('subject_id', '=', id)
    .execute();
}

function noticesOf(
  { workspace_id: workspaceId, created_by: userId, channel_id }: CampaignRow,
  id: string,
  needsUser: boolean,
) {
  const notice = { workspaceId, subjectId: id, userId, channelId: channel_id ?? undefined };
  const campaign = { subject: 'campaign' as const, ...notice };
  return needsUser ? [campaign, { subject: 'campaign_news' as const, ...notice }] : [campaign];
}

/** Returns the columns of the keys that are there: undefined clears one. */
function patchColumns(patch: CampaignPatch) {
  return {
    ...('channelId' in patch && { channel_id: patch.channelId ?? null }),
    ...('startAt' in patch && { start_at: patch.startAt?.getTime() ?? null }),
    ...('latestStart' in patch && { latest_start: patch.latestStart?.getTime() ?? null }),
    ...('zone' in patch && { zone: patch.zone ?? null }),
    ...('pause' in patch && { pause: patch.pause === undefined ? null : JSON.stringify(patch.pause) }),
    ...('lastActionBy' in patch && { last_action_by: patch.lastActionBy ?? null }),
    ...('startedAt' in patch && { started_at: patch.startedAt?.getTime() ?? null }),
  };
}
