import assert from 'node:assert/strict';
import type { StartRequest } from '../../src/services/campaigns/start-draft.ts';
import type { EsimPlan } from '../../src/services/esims/esim-plans.ts';
import type { Approval } from '../../src/store/approvals/approvals.ts';
import { asSeen, type CampaignHarness, createdBy, startOf, workspaceId } from './campaign-harness.ts';

/** Neither asks for anything, nor owns it. */
export const approver = 'U0APPROVER';

/** Switches approvals on: of campaigns to more than one recipient, and of every purchase. */
export function switchOn({ services }: CampaignHarness): Promise<void> {
  const settings = { recipients: 1, price: '0', channelId: 'C0SUPPORT' };
  return services.approvals.saveSettings(workspaceId, settings, 'U0ADMIN');
}

/** Asks for the start of a campaign that is imported. */
export async function askToStart(
  { services }: CampaignHarness,
  id: string,
  change: Partial<StartRequest> = {},
): Promise<Approval> {
  const asked = await services.campaigns.start(
    await asSeen(services.campaigns, { ...startOf(id), ...change }),
  );
  assert.ok(asked.kind === 'approval', asked.kind);
  return asked.approval;
}

/** An order of the first plan with a price, by a person who sees whether it needs approval. */
export async function orderOf({ services }: CampaignHarness, key: string) {
  const { plans } = await services.esims.plans(workspaceId, { page: 0 });
  const plan: EsimPlan | undefined = plans.find(({ price }) => price !== undefined);
  assert.ok(plan);
  const approvalIn = await services.esimOrders.approvals.channelFor(workspaceId, plan);
  const seen = approvalIn === undefined ? {} : { approval: 'needed' as const };
  return { workspaceId, userId: createdBy, key, plan, seen, iso3: plan.countries[0] };
}

/** Asks for a purchase. */
export async function askToBuy(harness: CampaignHarness, key: string): Promise<Approval> {
  const asked = await harness.services.esimOrders.create(await orderOf(harness, key));
  assert.ok(asked.kind === 'approval', asked.kind);
  return asked.approval;
}

export const decide = ({ id }: Approval, userId: string = approver) => ({
  workspaceId,
  userId,
  id,
  seen: {},
});

/** How a request stands. */
export async function standing({ services }: CampaignHarness, { id }: Approval) {
  const approval = await services.approvals.find(workspaceId, id);
  assert.ok(approval);
  return approval;
}
