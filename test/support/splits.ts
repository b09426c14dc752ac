import type { SplitRequest } from '../../src/services/campaigns/split.ts';
import { asSeen, type CampaignHarness, createdBy, workspaceId } from './campaign-harness.ts';

/** Two of them are on the network with quiet hours. */
export const numbersToSplit = [
  '+2348031234561',
  '+2348031234562',
  '+2348050000001',
  '+2348050000002',
  '+2348050000003',
];

/** A request to split a user's draft as they currently see it. */
export async function splitRequest(
  { services }: CampaignHarness,
  id: string,
  change: Partial<SplitRequest> = {},
): Promise<SplitRequest> {
  const { signal } = new AbortController();
  const own = { workspaceId, userId: createdBy, id, requestId: 'press', plainCells: false, signal };
  return { ...(await asSeen(services.campaigns, own)), by: 'quiet_hours', ...change };
}

export async function startable({ store }: CampaignHarness) {
  const drafts = await store.campaigns.recent({ workspaceId, states: ['ready'], limit: 50 });
  return Promise.all(
    drafts.map(async (draft) => {
      const chunks = await Array.fromAsync(store.campaigns.chunks(workspaceId, draft.id, ['waiting']));
      return { draft, to: chunks.flatMap(({ to }) => to) };
    }),
  );
}
