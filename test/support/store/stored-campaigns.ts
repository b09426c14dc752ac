import assert from 'node:assert/strict';
import type { CheckedCampaign, Reserve } from '../../../src/store/campaigns/campaign-moves.ts';
import type { CampaignRepository } from '../../../src/store/campaigns/campaign-repository.ts';
import type {
  Campaign,
  CampaignPatch,
  CampaignState,
  ChunkEnding,
  NewCampaign,
  ReadRow,
} from '../../../src/store/campaigns/campaigns.ts';
import type { PaceRequest } from '../../../src/store/campaigns/sending/settle-and-claim.ts';
import type { TurnResult } from '../../../src/store/campaigns/sending/turns.ts';
import type { Store } from '../../../src/store/store.ts';

export function newCampaign(change: Partial<NewCampaign> = {}): NewCampaign {
  return {
    workspaceId: 'T1',
    id: 'sale',
    createdBy: 'U1',
    name: 'Sale',
    route: 'dnd',
    senderId: 'PalmMarket',
    personal: false,
    text: 'Everything must go',
    ...change,
  };
}

export function recipient(
  number: string,
  change: Partial<Extract<ReadRow, { kind: 'recipient' }>> = {},
): ReadRow {
  return { kind: 'recipient', line: 1, number, pages: 1, quiet: false, ...change };
}

/** Stores a campaign with these rows, in the state `ready`. */
export async function readyCampaign(
  store: Store,
  rows: readonly ReadRow[],
  { columns, ...change }: Partial<NewCampaign & Pick<Campaign, 'columns'>> = {},
) {
  const writer = await store.campaigns.begin(newCampaign(change));
  assert.ok(writer);
  await (columns && writer.setColumns(columns));
  await writer.add(rows);
  return writer.finish();
}

export async function runningCampaign(
  store: Store,
  rows: readonly ReadRow[],
  change: Partial<NewCampaign & Pick<Campaign, 'columns'>> = {},
) {
  const { workspaceId, id } = await readyCampaign(store, rows, change);
  const campaign = await moveSeen(store.campaigns, workspaceId, id, ['ready'], 'running');
  assert.ok(campaign);
  return campaign;
}

/** Moves a campaign at its current version, unless another one is given. */
export async function moveSeen(
  campaigns: CampaignRepository,
  workspaceId: string,
  id: string,
  from: readonly CampaignState[],
  to: CampaignState,
  patch: CampaignPatch = {},
  { checked, reserve }: { checked?: CheckedCampaign | undefined; reserve?: Reserve | undefined } = {},
): Promise<Campaign | undefined> {
  if (to !== 'running' && to !== 'scheduled' && to !== 'repeating') {
    return campaigns.move(workspaceId, id, from, to, patch, { checked });
  }
  const seen = checked ?? (await campaigns.find(workspaceId, id)) ?? { sequence: 0, version: '' };
  return campaigns.move(workspaceId, id, from, to, patch, { checked: seen, reserve });
}

/** A pace that keeps nobody waiting. */
export const anyPace: PaceRequest = { maxRate: 1e9, chunkSize: 100, successes: 0, at: 0 };

/** Takes the campaign's lease where it runs, stores the endings, and claims up to `count` chunks. */
export async function settleAndClaim(
  { campaigns, instances }: Pick<Store, 'campaigns' | 'instances'>,
  campaign: { workspaceId: string; id: string },
  endings: readonly ChunkEnding[],
  count: number,
): Promise<TurnResult | undefined> {
  const lease = (await campaigns.leases.take(campaign)) ?? { run: instances.run(), epoch: 0 };
  return campaigns.settleAndClaim(campaign, { lease, endings, count, pace: anyPace });
}
