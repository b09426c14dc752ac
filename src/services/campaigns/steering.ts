import { type CampaignUser, ifOwn, ifSteerable } from '../../domain/access/ownership.ts';
import type { ReachedLimit } from '../../domain/limits/reached-limit.ts';
import { nextRun } from '../../domain/time/repeat.ts';
import type { Approval } from '../../store/approvals/approvals.ts';
import type { Reserve } from '../../store/campaigns/campaign-moves.ts';
import type { Campaign, CampaignPatch, CampaignState } from '../../store/campaigns/campaigns.ts';
import type { CampaignRepeat } from '../../store/schema/campaigns.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Context } from '../context.ts';
import type { CampaignLimiter } from '../limits/campaign-limiter.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { CampaignApprovals } from './approval/campaign-approvals.ts';
import {
  type CampaignStart,
  isHeldPastStart,
  moveOf,
  reviewedContent,
  startableStates,
  timesAt,
} from './approval/campaign-start.ts';

/** What may still be sent. */
export const activeStates = [
  'scheduled',
  'repeating',
  'running',
  'paused',
] as const satisfies readonly CampaignState[];

/** The states of a campaign that a user has confirmed, and nothing of which was sent. */
const notStarted = ['scheduled', 'repeating', 'missed'] as const satisfies readonly CampaignState[];

export interface StartRequest {
  workspaceId: string;
  userId: string;
  id: string;
  /** What the user reviewed, see `reviewedContent`. Undefined: it is not held against what would be sent. */
  reviewed?: string | undefined;
  /** The channel that shows the progress; the user's conversation with the app unless given. */
  channelId?: string | undefined;
  /** Now unless given. */
  at?: StartTime['at'] | undefined;
  /** See `StartTime`. */
  maxDelayMs?: number | undefined;
  /** It repeats, for the first time at `at`. */
  repeat?: CampaignRepeat | undefined;
}

export interface StartTime {
  at: { time: Date; zone: string };
  /** How late the campaign may start, in milliseconds, if it cannot start at its time. No limit unless given. */
  maxDelayMs?: number | undefined;
}

export type StartResult =
  /** `first`: whether this call started it. */
  | { kind: 'started'; campaign: Campaign; first: boolean }
  /** It waits for an approver. */
  | { kind: 'approval'; approval: Approval }
  /** All its recipients were removed. */
  | { kind: 'nobody'; campaign: Campaign }
  /** Another one has taken the place of what was reviewed. */
  | { kind: 'changed' }
  /** A limit was reached. It can be started later. */
  | { kind: 'limited'; limit: ReachedLimit }
  | { kind: 'gone' }
  | { kind: 'not_connected' };

/** The user has to be the campaign's creator or an admin. */
export interface SteeringRequest extends CampaignUser {
  id: string;
}

export type SteeringResult =
  | { kind: 'done'; campaign: Campaign }
  /** The campaign has ended, or somebody else steered it first. */
  | { kind: 'too_late'; campaign: Campaign }
  /** What was asked for waits for an approver; the campaign is as it was. */
  | { kind: 'approval'; campaign: Campaign; approval: Approval }
  /** It is not started, as all its recipients were removed. */
  | { kind: 'nobody'; campaign: Campaign }
  /** A limit was reached; the campaign is as it was. */
  | { kind: 'limited'; campaign: Campaign; limit: ReachedLimit }
  /** There is no such campaign, or the user may not steer it. */
  | { kind: 'gone' };

interface SteeringOthers {
  workspaces: Workspaces;
  limiter: CampaignLimiter;
  approvals: Approvals;
  campaignApprovals: CampaignApprovals;
  /** Called with a campaign that is shown otherwise than before. */
  onChange: (campaign: Campaign) => void;
  /** Called with a campaign that was moved. */
  announce: (campaign: Campaign) => Promise<void>;
}

export function createSteering(context: Context, others: SteeringOthers) {
  const { campaigns } = context.store;
  const { now: clock } = context.time;

  /** Returns a campaign that the user may see and steer. */
  async function find(user: CampaignUser, id: string): Promise<Campaign | undefined> {
    return ifSteerable(await campaigns.find(user.workspaceId, id), user);
  }

  const { move, moveToStart } = createMoves(context, others);
  const steer = async (request: SteeringRequest, to: Move) =>
    move(request, await find(request, request.id), to);
  const steerToStart = async (request: SteeringRequest, start: CampaignStart) =>
    moveToStart(request, await find(request, request.id), start);

  /** Lets a campaign repeat that was held. Runs that were due meanwhile are left out: they may have been sent. */
  function repeatAgain(request: SteeringRequest, campaign: Campaign): Promise<SteeringResult> {
    const { repeat, zone } = campaign;
    const next = repeat && zone !== undefined ? nextRun(repeat, zone, clock()) : undefined;
    return next === undefined
      ? move(request, campaign, { from: ['paused'], to: 'done' })
      : move(request, campaign, { from: ['paused'], to: 'repeating', patch: timesAt(next, campaign) });
  }

  return {
    find,
    ...createStart(context, others),
    ...createDrafting(context, others),

    /** Starts no more requests; those in flight end. */
    pause: (request: SteeringRequest) =>
      steer(request, {
        from: ['running'],
        to: 'paused',
        patch: { pause: { by: 'person', userId: request.userId } },
      }),

    async resume(request: SteeringRequest): Promise<SteeringResult> {
      const campaign = await find(request, request.id);
      if (campaign?.repeat !== undefined) {
        return repeatAgain(request, campaign);
      }
      if (campaign !== undefined && isHeldPastStart(campaign, clock())) {
        return moveToStart(request, campaign, { verb: 'resume' });
      }
      // Paused before it started, as the data was restored: it waits for its time again.
      const { startAt, startedAt } = campaign ?? {};
      const to = startAt !== undefined && startedAt === undefined ? 'scheduled' : 'running';
      return move(request, campaign, { from: ['paused'], to });
    },

    /** Like a pause, but final. A scheduled campaign does not start. */
    cancel: (request: SteeringRequest) => steer(request, { from: activeStates, to: 'cancelled' }),

    /** Starts a scheduled campaign before its time, or one that missed it. */
    startNow: (request: SteeringRequest) => steerToStart(request, { verb: 'start_now' }),

    /** Moves the start of a scheduled campaign, or of one that missed it. */
    changeTime: ({ at, maxDelayMs, ...request }: SteeringRequest & StartTime) =>
      steerToStart(request, { verb: 'change_time', ...timesOf({ at, maxDelayMs }) }),
  };
}

interface Move {
  from: readonly CampaignState[];
  to: CampaignState;
  patch?: CampaignPatch;
}

/** Moves campaigns that were found; `undefined` for one that the user may not steer. */
function createMoves(
  { store: { campaigns }, time: { now: clock } }: Context,
  { limiter, approvals, campaignApprovals, announce }: SteeringOthers,
) {
  /** To be sent, a campaign has to be as it was found. */
  async function move(
    { workspaceId, userId: lastActionBy, id }: SteeringRequest,
    campaign: Campaign | undefined,
    { from, to, patch = {} }: Move,
  ): Promise<SteeringResult> {
    if (campaign === undefined) {
      return { kind: 'gone' };
    }
    if (!from.includes(campaign.state)) {
      return { kind: 'too_late', campaign };
    }
    const checked = to === 'cancelled' || to === 'paused' ? undefined : campaign;
    const limited = await limiter.move(
      campaign,
      { userId: lastActionBy, to, at: patch.startAt },
      (reserve?: Reserve) =>
        campaigns.move(workspaceId, id, from, to, { lastActionBy, ...patch }, { checked, reserve }),
    );
    if (limited.limit !== undefined) {
      return { kind: 'limited', campaign, limit: limited.limit };
    }
    const { moved } = limited;
    if (moved === undefined) {
      return { kind: 'too_late', campaign: (await campaigns.find(workspaceId, id)) ?? campaign };
    }
    await announce(moved);
    await approvals.changed();
    return { kind: 'done', campaign: (await campaigns.find(workspaceId, id)) ?? moved };
  }

  /** Makes a start of a campaign that was scheduled before, or asks for approval of it. */
  async function moveToStart(
    request: SteeringRequest,
    campaign: Campaign | undefined,
    start: CampaignStart,
  ): Promise<SteeringResult> {
    const from: readonly CampaignState[] = startableStates[start.verb];
    if (campaign?.counts.recipients === 0 && notStarted.some((state) => state === campaign.state)) {
      return { kind: 'nobody', campaign };
    }
    if (campaign !== undefined && from.includes(campaign.state)) {
      const approval = await campaignApprovals.ask(campaign, start, request.userId);
      if (approval !== undefined) {
        return { kind: 'approval', campaign, approval };
      }
    }
    return move(request, campaign, { from, ...moveOf(start, clock()) });
  }

  return { move, moveToStart };
}

function createStart(
  { store: { campaigns }, time }: Context,
  { workspaces, limiter, approvals, campaignApprovals, announce }: SteeringOthers,
) {
  /** Each run asks for approval, and counts in limits, as it comes. */
  async function startRepeating(
    campaign: Campaign,
    { at, maxDelayMs, channelId }: StartRequest,
    repeat: CampaignRepeat,
  ): Promise<StartResult | undefined> {
    const { workspaceId, id } = campaign;
    const latestStart = at && maxDelayMs !== undefined ? new Date(at.time.getTime() + maxDelayMs) : undefined;
    const patch = { repeat, startAt: at?.time, latestStart, zone: at?.zone, channelId };
    const moved = await campaigns.move(workspaceId, id, ['ready'], 'repeating', patch, { checked: campaign });
    if (moved !== undefined) {
      await announce(moved);
      await approvals.changed();
    }
    return moved && { kind: 'started', campaign: moved, first: true };
  }

  /** Starts a draft that was reviewed. Resolves with undefined where it is no longer there as it was found. */
  async function startDraft(campaign: Campaign, request: StartRequest): Promise<StartResult | undefined> {
    const { workspaceId, userId, id, reviewed } = request;
    if (reviewed !== undefined && reviewedContent(campaign) !== reviewed) {
      return { kind: 'changed' };
    }
    if (campaign.counts.recipients === 0) {
      return { kind: 'nobody', campaign };
    }
    if (request.repeat !== undefined) {
      return startRepeating(campaign, request, request.repeat);
    }
    const start = startOf(request);
    const approval = await campaignApprovals.ask(campaign, start, userId);
    if (approval !== undefined) {
      return { kind: 'approval', approval };
    }
    const { to, patch } = moveOf(start, time.now());
    const limited = await limiter.move(campaign, { userId, to, at: patch.startAt }, (reserve) =>
      campaigns.move(workspaceId, id, startableStates.start, to, patch, { checked: campaign, reserve }),
    );
    if (limited.limit !== undefined) {
      return { kind: 'limited', limit: limited.limit };
    }
    const { moved: started } = limited;
    if (started === undefined) {
      return undefined;
    }
    await announce(started);
    await approvals.changed();
    return { kind: 'started', campaign: started, first: true };
  }

  return {
    /** Starts the user's own campaign, now or at its time, or asks for approval of that. Only the first call has an effect. */
    async start(request: StartRequest): Promise<StartResult> {
      const { workspaceId, userId, id } = request;
      if ((await workspaces.account(workspaceId)) === undefined) {
        return { kind: 'not_connected' };
      }
      const campaign = ifOwn(await campaigns.find(workspaceId, id), userId);
      const result = campaign?.state === 'ready' ? await startDraft(campaign, request) : undefined;
      if (result !== undefined) {
        return result;
      }
      const known = ifOwn(await campaigns.find(workspaceId, id), userId);
      if (known?.state === 'ready') {
        return { kind: 'changed' };
      }
      return known === undefined || known.state === 'reading'
        ? { kind: 'gone' }
        : { kind: 'started', campaign: known, first: false };
    },
  };
}

function createDrafting({ store: { campaigns } }: Context, { approvals, onChange }: SteeringOthers) {
  /** The message of a campaign that is a draft again is no longer its own: it is shown there a last time. */
  function showUnscheduled(campaign: Campaign, before: Campaign): void {
    onChange({ ...campaign, channelId: before.channelId, message: before.message });
  }

  return {
    /** Makes the user's own campaign a draft again that was scheduled, or missed its time. */
    async unschedule({ workspaceId, id, userId }: SteeringRequest): Promise<SteeringResult> {
      const before = ifOwn(await campaigns.find(workspaceId, id), userId);
      if (before === undefined) {
        return { kind: 'gone' };
      }
      const moved = await campaigns.move(workspaceId, id, notStarted, 'ready');
      if (moved === undefined) {
        return { kind: 'too_late', campaign: (await campaigns.find(workspaceId, id)) ?? before };
      }
      showUnscheduled(moved, before);
      await approvals.changed();
      return { kind: 'done', campaign: moved };
    },

    /** Ends a draft, or a campaign that missed its time: nobody finds it any more. Resolves with false for any other. */
    async discard(request: SteeringRequest): Promise<boolean> {
      const { workspaceId, id } = request;
      const campaign = ifSteerable(await campaigns.find(workspaceId, id), request);
      if (campaign?.state === 'missed') {
        const moved = await campaigns.move(workspaceId, id, ['missed'], 'ready');
        if (moved !== undefined) {
          showUnscheduled(moved, campaign);
        }
      }
      const discarded = campaign !== undefined && (await campaigns.discard(workspaceId, id));
      await approvals.changed();
      return discarded;
    },
  };
}

function startOf({ channelId, at, maxDelayMs }: StartRequest): CampaignStart {
  return {
    verb: 'start',
    ...(at === undefined ? {} : timesOf({ at, maxDelayMs })),
    ...(channelId === undefined ? {} : { channelId }),
  };
}

function timesOf({ at, maxDelayMs }: StartTime): Pick<CampaignStart, 'startAt' | 'latestStart' | 'zone'> {
  const startAt = at.time.getTime();
  return {
    startAt,
    zone: at.zone,
    ...(maxDelayMs === undefined ? {} : { latestStart: startAt + maxDelayMs }),
  };
}
