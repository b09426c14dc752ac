import { randomBytes } from 'node:crypto';
import { compareSeen, type Seen } from '../../../domain/limits/seen.ts';
import type { Approval, ApprovalGrant } from '../../../store/approvals/approvals.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import type { ApprovalRequest, Approvals, Approved, ShownToApprover } from '../../approvals/approvals.ts';
import type { Context } from '../../context.ts';
import type { Costs } from '../../costs/costs.ts';
import type { Limits } from '../../limits/limits.ts';
import type { SendingFacts } from '../../sender-ids/sending-facts.ts';
import type { Workspaces } from '../../workspaces/workspaces.ts';
import type { CampaignChanges } from '../campaign-changes.ts';
import {
  type CampaignStart,
  campaignApprovalSchema,
  describeCampaignStart,
  isSamePrice,
  moveOf,
  startedAt,
  startingAt,
} from './campaign-start.ts';

/** Campaigns whose start waits for approval. */
export type CampaignApprovals = ReturnType<typeof createCampaignApprovals>;

export function createCampaignApprovals(
  { store, settings, time }: Context,
  {
    workspaces,
    limits,
    approvals,
    costs,
    sendingFacts,
    changes,
  }: {
    workspaces: Workspaces;
    limits: Limits;
    approvals: Approvals;
    costs: Costs;
    sendingFacts: SendingFacts;
    changes: CampaignChanges;
  },
) {
  const { campaigns } = store;
  // Counts the list as reviewed: opt-outs and splits don't remove the need for approval.
  const sizeOf = ({ listSize }: Campaign) => ({ recipients: listSize });

  // A message that is sent at once needs no approval, so one for later doesn't either.
  const channelFor = async (campaign: Campaign) =>
    campaign.isMessage ? undefined : approvals.channelFor(campaign.workspaceId, sizeOf(campaign));

  /**
   * Returns the current facts about a campaign that would start at this time, to show and to compare with
   * the facts shown.
   */
  async function factsAt(campaign: Campaign, start: Date): Promise<Seen> {
    const { workspaceId, route, senderId, counts } = campaign;
    const quiet = Math.min(counts.quiet, counts.recipients);
    const durationMs = (counts.recipients / settings.campaignMessagesPerSecond) * 1000;
    const sending = { workspaceId, route, senderId, quiet, start, durationMs };
    const [facts, channelId] = await Promise.all([sendingFacts(sending), channelFor(campaign)]);
    return { ...facts, ...(channelId !== undefined && { approval: 'needed' as const }) };
  }

  function requestOf(campaign: Campaign, start: CampaignStart, userId: string): ApprovalRequest {
    const { workspaceId, id, createdBy, state, counts, version } = campaign;
    const { startAt, latestStart } = start;
    const last = startAt !== undefined && startAt <= time.now().getTime() ? latestStart : startAt;
    return {
      workspaceId,
      id: randomBytes(16).toString('base64url'),
      kind: 'campaign',
      subject: id,
      requestedBy: userId,
      owner: createdBy,
      size: sizeOf(campaign),
      campaign: { state, recipients: counts.recipients, version },
      // A run that catches up after its time can be approved as late as it may start.
      notAfter: last === undefined ? undefined : new Date(last),
      async describe() {
        if (state === 'ready' || state === 'missed') {
          store.refuseOutdated(id);
        }
        const { approval: _, ...seen } = await factsAt(campaign, startingAt(start, time.now()));
        const estimate = await costs.estimateCampaign(campaign);
        return { ...describeCampaignStart(campaign, { start, estimate }), seen };
      },
    };
  }

  return {
    /** Returns the channel in which the start of a campaign needs approval; undefined where it needs none. */
    channelFor,
    factsAt,

    /** Returns the requests that wait for campaigns, by the campaigns' ids. */
    async waitingFor(workspaceId: string, ids: readonly string[]): Promise<Map<string, Approval>> {
      const waiting = await approvals.waiting({ workspaceId, kind: 'campaign', subjects: ids });
      return new Map(waiting.map((approval) => [approval.subject, approval]));
    },

    /** Asks for approval of a start. Resolves with undefined where none is needed. */
    ask: async (campaign: Campaign, start: CampaignStart, userId: string) =>
      campaign.isMessage ? undefined : approvals.ask(requestOf(campaign, start, userId)),

    /** Asks for approval of a run, and advances its repeating campaign in the same transaction. */
    askForRun: (run: Campaign, start: CampaignStart, onward: Parameters<Approvals['askWith']>[1]) =>
      approvals.askWith(requestOf(run, start, run.createdBy), onward),

    /**
     * Returns the current facts about the start that a request asks for, or undefined if its campaign is
     * gone.
     */
    async factsOfRequest({ workspaceId, subject, content }: Approval): Promise<Seen | undefined> {
      const campaign = await campaigns.find(workspaceId, subject);
      const { start } = campaignApprovalSchema.parse(JSON.parse(content));
      return campaign && factsAt(campaign, startingAt(start, time.now()));
    },

    /**
     * Starts an approved campaign at the approved time if it hasn't changed. Recipients who opted out since
     * then don't count as a change.
     */
    async approve(
      approval: Approval,
      { seen, startAt, ...grant }: ApprovalGrant & ShownToApprover,
      onApproved: (approval: Approval) => void,
    ): Promise<Approved> {
      const { workspaceId, subject: id, requestedBy: userId } = approval;
      const content = campaignApprovalSchema.parse(JSON.parse(approval.content));
      const { version, start, prices } = content;
      await workspaces.connected(workspaceId);
      const campaign = await campaigns.find(workspaceId, id);
      if (campaign === undefined || approval.campaign === undefined) {
        return { kind: 'void', cause: 'moved_on' };
      }
      const isAsked = campaign.version === version && campaign.counts.recipients > 0;
      if (!isAsked || !isSamePrice(prices, await costs.estimateCampaign(campaign))) {
        return { kind: 'void', cause: 'changed' };
      }
      const now = time.now();
      const approved = startAt !== undefined && startAt > now ? startedAt(start, startAt) : start;
      // If the approver picked another time because of quiet hours, they haven't agreed to send during them.
      const { quietHours: _, ...others } = seen;
      const known: Seen = { ...(startAt === undefined ? seen : others), approval: 'given' };
      const unchanged = compareSeen(known, await factsAt(campaign, startingAt(approved, now)));
      if (unchanged.kind === 'not_as_shown') {
        return unchanged;
      }
      const from = [approval.campaign.state];
      const checked = { sequence: campaign.sequence, version };
      const { to, patch } = moveOf(approved, now, campaign.startedAt);
      const target = { userId, to, at: patch.startAt, unchanged };
      const result = await limits.campaigns.move(campaign, target, (reserve) =>
        store.approvals.approveMove(
          approval,
          { ...grant, content: JSON.stringify({ ...content, start: approved }) },
          { id, from, to, patch: { ...patch, seen: unchanged.seen }, checked, reserve },
        ),
      );
      if (result.kind === 'changed') {
        return { kind: 'void', cause: 'changed' };
      }
      if (result.kind === 'approved') {
        onApproved(result.approval);
        await changes.moved(result.campaign);
      }
      return result;
    },
  };
}
