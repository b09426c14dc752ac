import { randomBytes } from 'node:crypto';
import type { Approval, Yes } from '../../../store/approvals/approvals.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import type { Approvals, Approved } from '../../approvals/approvals.ts';
import type { Context } from '../../context.ts';
import type { Costs } from '../../costs/costs.ts';
import type { Limits } from '../../limits/limits.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import {
  type CampaignApproval,
  type CampaignStart,
  campaignApprovalSchema,
  describeCampaignStart,
  digestRecipients,
  moveOf,
  startHash,
} from './campaign-start.ts';

/** Campaigns whose start waits for approval. */
export type CampaignApprovals = ReturnType<typeof createCampaignApprovals>;

export function createCampaignApprovals(
  { store, time }: Context,
  {
    workspaces,
    limits,
    approvals,
    costs,
    announce,
  }: {
    workspaces: Workspaces;
    limits: Limits;
    approvals: Approvals;
    costs: Costs;
    /** Called with a campaign that was moved. */
    announce: (campaign: Campaign) => Promise<void>;
  },
) {
  const { campaigns } = store;
  const sizeOf = ({ counts }: Campaign) => ({ recipients: counts.recipients });

  async function factsOf(campaign: Campaign, start: CampaignStart) {
    return { start, list: await digestRecipients(campaign, campaigns), cost: await costOf(campaign, costs) };
  }

  return {
    /** Returns the channel in which the start of a campaign needs approval; undefined where it needs none. */
    channelFor: (campaign: Campaign) => approvals.channelFor(campaign.workspaceId, sizeOf(campaign)),

    /** Returns the requests that wait for campaigns, by the campaigns' ids. */
    async waitingFor(workspaceId: string, ids: readonly string[]): Promise<Map<string, Approval>> {
      const waiting = await approvals.waiting({ workspaceId, kind: 'campaign', subjects: ids });
      return new Map(waiting.map((approval) => [approval.subject, approval]));
    },

    /** Asks for approval of a start. Resolves with undefined where none is needed. */
    ask(campaign: Campaign, start: CampaignStart, userId: string): Promise<Approval | undefined> {
      const { workspaceId, id, createdBy, state, counts } = campaign;
      const { recipients, suppressed } = counts;
      return approvals.ask({
        workspaceId,
        id: randomBytes(16).toString('base64url'),
        kind: 'campaign',
        subject: id,
        requestedBy: userId,
        owner: createdBy,
        size: sizeOf(campaign),
        campaign: { state, recipients, suppressed },
        notAfter: start.startAt === undefined ? undefined : new Date(start.startAt),
        async describe() {
          if (state === 'ready' || state === 'missed') {
            store.refuseOutdated(id);
          }
          return describeCampaignStart(campaign, await factsOf(campaign, start));
        },
      });
    },

    /** Starts what was approved, if it is still the same. */
    async approve(approval: Approval, yes: Yes, onApproved: (approval: Approval) => void): Promise<Approved> {
      const { workspaceId, subject: id, requestedBy: userId } = approval;
      const { hash, start } = campaignApprovalSchema.parse(JSON.parse(approval.content));
      if ((await workspaces.account(workspaceId)) === undefined) {
        return { kind: 'not_connected' };
      }
      const campaign = await campaigns.find(workspaceId, id);
      if (campaign === undefined) {
        return { kind: 'void', cause: 'moved_on' };
      }
      const facts = await factsOf(campaign, start);
      const { to, patch } = moveOf(start, time.now());
      const limited = await limits.campaigns.move(campaign, { userId, to, at: patch.startAt }, (reserve) =>
        store.approvals.approveMove(
          approval,
          yes,
          { id, from: [campaign.state], to, patch, checked: campaign, reserve },
          // Recipients are only ever removed, which the counts show: with the same counts, it is the list just read.
          (current) => startHash(current, facts) === hash,
        ),
      );
      if (limited.limit !== undefined) {
        return { kind: 'limited', limit: limited.limit };
      }
      const { moved: result } = limited;
      if (result.kind === 'changed') {
        return { kind: 'void', cause: 'changed' };
      }
      if (result.kind === 'approved') {
        onApproved(result.approval);
        await announce(result.campaign);
      }
      return result;
    },
  };
}

async function costOf(campaign: Campaign, costs: Costs): Promise<CampaignApproval['cost']> {
  const estimate = await costs.estimateCampaign(campaign);
  // What is known of some of its countries alone is not what it costs.
  return estimate.kind === 'known' && estimate.unknown.length === 0
    ? { total: estimate.total, perPage: estimate.perPage }
    : undefined;
}
