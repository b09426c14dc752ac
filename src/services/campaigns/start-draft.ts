import { ifOwn } from '../../domain/access/ownership.ts';
import { compareSeen, type NotAsShown, type Seen } from '../../domain/limits/seen.ts';
import type { Approval } from '../../store/approvals/approvals.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';
import type { CampaignRepeat } from '../../store/schema/campaigns.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Context } from '../context.ts';
import type { CampaignLimiter } from '../limits/campaign-limiter.ts';
import { orGone, Refusal } from '../refusal.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { CampaignApprovals } from './approval/campaign-approvals.ts';
import { type CampaignStart, moveOf, startableStates, startingAt } from './approval/campaign-start.ts';
import type { CampaignChanges } from './campaign-changes.ts';

export interface StartRequest {
  workspaceId: string;
  userId: string;
  id: string;
  /** The version the user reviewed, see `Campaign`. */
  version: string;
  /** Facts shown in the review that may have changed. */
  seen: Seen;
  /** The channel that shows the progress. Defaults to the user's conversation with the app. */
  channelId?: string | undefined;
  /** Defaults to now. */
  at?: StartTime['at'] | undefined;
  /** See `StartTime`. */
  maxDelayMs?: number | undefined;
  /** Makes the campaign repeat, starting at `at`. */
  repeat?: CampaignRepeat | undefined;
}

export interface StartTime {
  at: { time: Date; zone: string };
  /** How late the campaign may start, in milliseconds. Defaults to no limit. */
  maxDelayMs?: number | undefined;
}

export interface Changed {
  kind: 'changed';
  campaign: Campaign;
  /** The version that the user saw. */
  shownVersion: string;
}

export type StartResult =
  /** `first`: whether this call started it. */
  | { kind: 'started'; campaign: Campaign; first: boolean }
  /** It waits for an approver. */
  | { kind: 'approval'; approval: Approval }
  /** It has changed since the review. Nothing was done. */
  | Changed
  | NotAsShown;

export interface StartDeps {
  workspaces: Workspaces;
  limiter: CampaignLimiter;
  approvals: Approvals;
  campaignApprovals: CampaignApprovals;
  changes: CampaignChanges;
}

/** Starts drafts that were reviewed. */
export function createStart(
  { store: { campaigns }, time }: Context,
  { workspaces, limiter, approvals, campaignApprovals, changes }: StartDeps,
) {
  /** Each run gets its own approval, and counts towards the limits when it's created. */
  async function startRepeating(
    campaign: Campaign,
    { at, maxDelayMs, channelId, version, seen }: StartRequest,
    repeat: CampaignRepeat,
  ): Promise<StartResult | undefined> {
    const { workspaceId, id } = campaign;
    const latestStart = at && maxDelayMs !== undefined ? new Date(at.time.getTime() + maxDelayMs) : undefined;
    const patch = { repeat, startAt: at?.time, latestStart, zone: at?.zone, channelId, seen };
    const checked = { sequence: campaign.sequence, version };
    const moved = await campaigns.move(workspaceId, id, ['ready'], 'repeating', patch, { checked });
    if (moved !== undefined) {
      await changes.moved(moved);
      await approvals.changed();
    }
    return moved && { kind: 'started', campaign: moved, first: true };
  }

  /** Starts a reviewed draft. Resolves with `undefined` if the draft has changed or is gone. */
  async function startDraft(campaign: Campaign, request: StartRequest): Promise<StartResult | undefined> {
    const { workspaceId, userId, id, version } = request;
    if (campaign.version !== version) {
      return { kind: 'changed', campaign, shownVersion: version };
    }
    if (campaign.counts.recipients === 0) {
      throw new Refusal({ kind: 'nobody_left', campaign });
    }
    const { at, channelId } = request;
    const start: CampaignStart = {
      verb: 'start',
      ...(at === undefined ? {} : timesOf({ at, maxDelayMs: request.maxDelayMs })),
      ...(channelId === undefined ? {} : { channelId }),
    };
    const now = await campaignApprovals.factsAt(campaign, startingAt(start, time.now()));
    const unchanged = compareSeen(request.seen, now);
    if (unchanged.kind === 'not_as_shown') {
      return unchanged;
    }
    if (request.repeat !== undefined) {
      return startRepeating(campaign, { ...request, seen: unchanged.seen }, request.repeat);
    }
    const approval = await campaignApprovals.ask(campaign, start, userId);
    if (approval !== undefined) {
      return { kind: 'approval', approval };
    }
    const { to, patch } = moveOf(start, time.now());
    const target = { userId, to, at: patch.startAt, unchanged };
    const started = await limiter.move(campaign, target, (reserve) =>
      campaigns.move(
        workspaceId,
        id,
        startableStates.start,
        to,
        { ...patch, seen: unchanged.seen },
        { checked: { sequence: campaign.sequence, version }, reserve },
      ),
    );
    if (started === undefined) {
      return undefined;
    }
    await changes.moved(started);
    await approvals.changed();
    return { kind: 'started', campaign: started, first: true };
  }

  return {
    /**
     * Starts the user's own campaign, now or scheduled, or asks for approval. Only the first call has an
     * effect.
     */
    async start(request: StartRequest): Promise<StartResult> {
      const { workspaceId, userId, id } = request;
      await workspaces.connected(workspaceId);
      const campaign = ifOwn(await campaigns.find(workspaceId, id), userId);
      const result = campaign?.state === 'ready' ? await startDraft(campaign, request) : undefined;
      if (result !== undefined) {
        return result;
      }
      const known = ifOwn(await campaigns.find(workspaceId, id), userId);
      if (known?.state === 'ready') {
        return { kind: 'changed', campaign: known, shownVersion: request.version };
      }
      const started = orGone(known?.state === 'reading' ? undefined : known, 'review');
      return { kind: 'started', campaign: started, first: false };
    },
  };
}

export function timesOf({
  at,
  maxDelayMs,
}: StartTime): Pick<CampaignStart, 'startAt' | 'latestStart' | 'zone'> {
  const startAt = at.time.getTime();
  return {
    startAt,
    zone: at.zone,
    ...(maxDelayMs === undefined ? {} : { latestStart: startAt + maxDelayMs }),
  };
}
