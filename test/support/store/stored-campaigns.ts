import assert from 'node:assert/strict';
import type { NewCampaign, ReadRow } from '../../../src/store/campaigns/campaigns.ts';
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
  change: Partial<NewCampaign> = {},
) {
  const writer = await store.campaigns.begin(newCampaign(change));
  assert.ok(writer);
  await writer.add(rows);
  return writer.finish();
}

export async function runningCampaign(
  store: Store,
  rows: readonly ReadRow[],
  change: Partial<NewCampaign> = {},
) {
  const { workspaceId, id } = await readyCampaign(store, rows, change);
  const campaign = await store.campaigns.move(workspaceId, id, ['ready'], 'running');
  assert.ok(campaign);
  return campaign;
}
