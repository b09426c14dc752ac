import { randomBytes } from 'node:crypto';
import type { ReachedLimit } from '../../../domain/limits/reached-limit.ts';
import { routeSchema } from '../../../domain/messages/routes.ts';
import { type CountryPages, countryPagesOfList } from '../../../domain/money/country-pages.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import type { Approval, ApprovalRepository, NewApproval, Yes } from '../../../store/approvals/approvals.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import type { RefuseOutdated } from '../../../store/installation/epoch.ts';
import type { VoidCause } from '../../../store/schema/approvals.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import { type LimitCampaigns, moveWithinLimits } from '../limit-campaigns.ts';
import {
  type CampaignApproval,
  campaignApprovalSchema,
  describeCampaignStart,
  digestRecipients,
  startHash,
} from './approved-content.ts';
import { type CampaignStart, moveOf } from './campaign-start.ts';

/** Where requests for approval are kept and decided. */
export interface ApprovalDesk {
  channelForCampaign(workspaceId: string, recipients: number): Promise<string | undefined>;
  request(request: Omit<NewApproval, 'expiresAt'> & { notAfter?: Date | undefined }): Promise<Approval>;
  waiting(query: { workspaceId: string; kind: 'campaign'; subjects: readonly string[] }): Promise<Approval[]>;
  changed(): Promise<void>;
}

/** Returns what pages to countries on a route probably cost. */
export type EstimateCost = (
  workspaceId: string,
  message: { route: ReturnType<typeof routeSchema.parse>; pages: CountryPages },
) => Promise<
  { kind: 'unknown' } | { kind: 'known'; total: string; perPage: string; unknown: readonly unknown[] }
>;

/** How an approver's yes to a campaign was carried out. */
export type ApprovedStart =
  | { kind: 'approved'; approval: Approval }
  | { kind: 'void'; cause: VoidCause }
  | { kind: 'ended' }
  /** A limit was reached. The request still waits. */
  | { kind: 'limited'; limit: ReachedLimit }
  | { kind: 'not_connected' };

/** Campaigns whose start waits for approval. */
export interface CampaignApprovals {
  /** Returns the channel in which the start of a campaign needs approval; undefined where it needs none. */
  channelFor(campaign: Campaign): Promise<string | undefined>;
  /** Returns the requests that wait for campaigns, by the campaigns' ids. */
  waitingFor(workspaceId: string, ids: readonly string[]): Promise<Map<string, Approval>>;
  /** Asks for approval of a start. Resolves with undefined where none is needed. */
  ask(campaign: Campaign, start: CampaignStart, userId: string): Promise<Approval | undefined>;
  /** Starts what was approved, if it is still the same. */
  approve(approval: Approval, yes: Yes, onApproved: (approval: Approval) => void): Promise<ApprovedStart>;
  /** Called after a campaign was moved or discarded. Never rejects. */
  changed(): Promise<void>;
}

export function createCampaignApprovals(options: {
  campaigns: CampaignRepository;
  approvals: Pick<ApprovalRepository, 'approveMove'>;
  desk: ApprovalDesk;
  workspaces: Pick<Workspaces, 'account'>;
  estimate: EstimateCost;
  limiter: LimitCampaigns;
  refuseOutdated: RefuseOutdated;
  clock: Clock;
  onChange: (campaign: Campaign) => void;
  wake: (campaign: Campaign) => Promise<void>;
}): CampaignApprovals {
  const { campaigns, approvals, desk, workspaces, clock, onChange, wake } = options;

  async function costOf({
    workspaceId,
    route,
    counts,
    countries,
    countryPages,
  }: Campaign): Promise<CampaignApproval['cost']> {
    const estimate = await options.estimate(workspaceId, {
      route: routeSchema.parse(route),
      pages: countryPagesOfList({ pages: counts.pages, countries, countryPages }),
    });
    // What is known of some of its countries alone is not what it costs.
    return estimate.kind === 'known' && estimate.unknown.length === 0
      ? { total: estimate.total, perPage: estimate.perPage }
      : undefined;
  }

  async function factsOf(campaign: Campaign, start: CampaignStart) {
    return { start, list: await digestRecipients(campaign, campaigns), cost: await costOf(campaign) };
  }

  async function waitingFor(workspaceId: string, ids: readonly string[]): Promise<Map<string, Approval>> {
    const waiting = await desk.waiting({ workspaceId, kind: 'campaign', subjects: ids });
    return new Map(waiting.map((approval) => [approval.subject, approval]));
  }

  return {
    channelFor: ({ workspaceId, counts }) => desk.channelForCampaign(workspaceId, counts.recipients),
    waitingFor,
    changed: () => desk.changed(),

    async ask(campaign, start, userId) {
      const { workspaceId, id, createdBy, state, counts } = campaign;
      const channelId = await desk.channelForCampaign(workspaceId, counts.recipients);
      if (channelId === undefined) {
        return undefined;
      }
      const waiting = (await waitingFor(workspaceId, [id])).get(id);
      if (waiting !== undefined) {
        return waiting;
      }
      if (state === 'ready' || state === 'missed') {
        options.refuseOutdated(id);
      }
      const content = describeCampaignStart(campaign, await factsOf(campaign, start));
      const { recipients, suppressed } = counts;
      return desk.request({
        workspaceId,
        id: randomBytes(16).toString('base64url'),
        kind: 'campaign',
        subject: id,
        requestedBy: userId,
        owner: createdBy,
        channelId,
        content: JSON.stringify(content),
        campaign: { state, recipients, suppressed },
        notAfter: start.startAt === undefined ? undefined : new Date(start.startAt),
      });
    },

    async approve(approval, yes, onApproved) {
      const { workspaceId, subject: id } = approval;
      const { hash, start } = campaignApprovalSchema.parse(JSON.parse(approval.content));
      if ((await workspaces.account(workspaceId)) === undefined) {
        return { kind: 'not_connected' };
      }
      const campaign = await campaigns.find(workspaceId, id);
      if (campaign === undefined) {
        return { kind: 'void', cause: 'moved_on' };
      }
      const facts = await factsOf(campaign, start);
      const { to, patch } = moveOf(start, clock());
      const limited = await moveWithinLimits(
        campaign,
        { userId: approval.requestedBy, limiter: options.limiter, to, at: patch.startAt },
        (reserve) =>
          approvals.approveMove(
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
        onChange(result.campaign);
        await wake(result.campaign);
      }
      return result;
    },
  };
}
