import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { ReachedLimit } from '../../domain/limits/reached-limit.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { CampaignRepository } from '../../store/campaigns/campaign-repository.ts';
import type { Campaign, CampaignPatch, CampaignState } from '../../store/campaigns/campaigns.ts';
import { type CampaignUser, ifOwn, ifSteerable } from '../operations/ownership.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import { type LimitCampaigns, moveReserved } from './limit-campaigns.ts';

/** Scheduled, running or paused. */
export const activeStates = ['scheduled', 'running', 'paused'] as const satisfies readonly CampaignState[];

/** The states of a campaign that a user has confirmed, and nothing of which was sent. */
const notStarted = ['scheduled', 'missed'] as const satisfies readonly CampaignState[];

export interface StartRequest {
  workspaceId: string;
  userId: string;
  id: string;
  /** The channel that shows the progress; the user's conversation with the app unless given. */
  channelId?: string | undefined;
  /** Now unless given. */
  at?: StartTime['at'] | undefined;
  /** See `StartTime`. */
  maxDelayMs?: number | undefined;
}

export interface StartTime {
  at: { time: Date; zone: string };
  /** How late the campaign may start, in milliseconds, if it cannot start at its time. No limit unless given. */
  maxDelayMs?: number | undefined;
}

export type StartResult =
  /** `first`: whether this call started it. */
  | { kind: 'started'; campaign: Campaign; first: boolean }
  /** All its recipients were suppressed. */
  | { kind: 'nobody' }
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
  /** It is not started, as all its recipients were suppressed. */
  | { kind: 'nobody'; campaign: Campaign }
  /** A limit was reached; the campaign is as it was. */
  | { kind: 'limited'; campaign: Campaign; limit: ReachedLimit }
  /** There is no such campaign, or the user may not steer it. */
  | { kind: 'gone' };

export interface Steering {
  /** Starts the user's own campaign, now or at its time. Only the first call has an effect. */
  start(request: StartRequest): Promise<StartResult>;
  /** Starts no more requests; those in flight end. */
  pause(request: SteeringRequest): Promise<SteeringResult>;
  resume(request: SteeringRequest): Promise<SteeringResult>;
  /** Like a pause, but final. A scheduled campaign does not start. */
  cancel(request: SteeringRequest): Promise<SteeringResult>;
  /** Starts a scheduled campaign before its time, or one that missed it. */
  startNow(request: SteeringRequest): Promise<SteeringResult>;
  /** Moves the start of a scheduled campaign, or of one that missed it. */
  changeTime(request: SteeringRequest & StartTime): Promise<SteeringResult>;
  /** Makes the user's own campaign a draft again that was scheduled, or missed its time. */
  unschedule(request: SteeringRequest): Promise<SteeringResult>;
  /** Ends a draft, or a campaign that missed its time: nobody finds it any more. Resolves with false for any other. */
  discard(request: SteeringRequest): Promise<boolean>;
  /** Returns a campaign that the user may see and steer. */
  find(user: CampaignUser, id: string): Promise<Campaign | undefined>;
}

export function createSteering(options: {
  campaigns: CampaignRepository;
  limiter: LimitCampaigns;
  workspaces: Workspaces;
  clock: Clock;
  onChange: (campaign: Campaign) => void;
  /** Has the scheduler act on the change. */
  wake: () => Promise<void>;
}): Steering {
  const { campaigns, limiter, workspaces, clock, onChange, wake } = options;

  async function find(user: CampaignUser, id: string): Promise<Campaign | undefined> {
    return ifSteerable(await campaigns.find(user.workspaceId, id), user);
  }

  async function steer(
    { id, ...user }: SteeringRequest,
    from: readonly CampaignState[],
    to: CampaignState,
    patch: CampaignPatch = {},
  ): Promise<SteeringResult> {
    const { workspaceId, userId: lastActionBy } = user;
    const campaign = await find(user, id);
    if (campaign === undefined) {
      return { kind: 'gone' };
    }
    if (!from.includes(campaign.state)) {
      return { kind: 'too_late', campaign };
    }
    const move = () => campaigns.move(workspaceId, id, from, to, { lastActionBy, ...patch });
    const limited = await withinLimits(campaign, lastActionBy, { to, at: patch.startAt }, move);
    if (limited.limit !== undefined) {
      return { kind: 'limited', campaign, limit: limited.limit };
    }
    const { moved } = limited;
    if (moved === undefined) {
      return { kind: 'too_late', campaign: (await campaigns.find(workspaceId, id)) ?? campaign };
    }
    onChange(moved);
    await wake();
    return { kind: 'done', campaign: (await campaigns.find(workspaceId, id)) ?? moved };
  }

  /** Moves a campaign, unless a limit keeps it from running then. */
  async function withinLimits<Moved>(
    campaign: Campaign,
    userId: string,
    { to, at }: { to: CampaignState; at: Date | undefined },
    move: () => Promise<Moved>,
  ): Promise<{ limit: ReachedLimit } | { limit: undefined; moved: Moved }> {
    if (to === 'running') {
      return moveReserved(campaign, { userId, limiter }, move);
    }
    const limit = to === 'scheduled' ? await limiter.foresee(campaign, at ?? campaign.startAt) : undefined;
    return limit === undefined ? { limit, moved: await move() } : { limit };
  }

  async function ifAnybody(
    request: SteeringRequest,
    steerIt: () => Promise<SteeringResult>,
  ): Promise<SteeringResult> {
    const campaign = await find(request, request.id);
    return campaign?.counts.recipients === 0 && notStarted.some((state) => state === campaign.state)
      ? { kind: 'nobody', campaign }
      : steerIt();
  }

  /** The message of a campaign that is a draft again is no longer its own: it is shown there a last time. */
  function showUnscheduled(campaign: Campaign, before: Campaign): void {
    onChange({ ...campaign, channelId: before.channelId, message: before.message });
  }

  return {
    find,

    async start(request) {
      const { workspaceId, userId, id } = request;
      if ((await workspaces.account(workspaceId)) === undefined) {
        return { kind: 'not_connected' };
      }
      const campaign = ifOwn(await campaigns.find(workspaceId, id), userId);
      if (campaign?.state === 'ready' && campaign.counts.recipients === 0) {
        return { kind: 'nobody' };
      }
      if (campaign?.state === 'ready') {
        const state = request.at === undefined ? 'running' : 'scheduled';
        const patch = startPatch(request, clock());
        const move = () => campaigns.move(workspaceId, id, ['ready'], state, patch);
        const limited = await withinLimits(campaign, userId, { to: state, at: patch.startAt }, move);
        if (limited.limit !== undefined) {
          return { kind: 'limited', limit: limited.limit };
        }
        const { moved: started } = limited;
        if (started !== undefined) {
          onChange(started);
          await wake();
          return { kind: 'started', campaign: started, first: true };
        }
      }
      const known = ifOwn(await campaigns.find(workspaceId, id), userId);
      return known === undefined || known.state === 'reading'
        ? { kind: 'gone' }
        : { kind: 'started', campaign: known, first: false };
    },

    pause: (request) =>
      steer(request, ['running'], 'paused', { pause: { by: 'person', userId: request.userId } }),

    async resume(request) {
      const { startAt, startedAt } = (await find(request, request.id)) ?? {};
      if (startAt === undefined || startedAt !== undefined) {
        return steer(request, ['paused'], 'running');
      }
      // Paused before it started, as the data was restored: it waits for its time again, or starts if that has passed.
      return startAt > clock()
        ? steer(request, ['paused'], 'scheduled')
        : steer(request, ['paused'], 'running', { startAt: undefined, latestStart: undefined });
    },

    cancel: (request) => steer(request, activeStates, 'cancelled'),

    startNow: (request) =>
      ifAnybody(request, () =>
        steer(request, notStarted, 'running', {
          startedAt: clock(),
          startAt: undefined,
          latestStart: undefined,
          // It is not resumed.
          lastActionBy: undefined,
        }),
      ),

    changeTime: ({ at, maxDelayMs, ...request }) =>
      ifAnybody(request, () =>
        steer(request, notStarted, 'scheduled', {
          ...timePatch({ at, maxDelayMs }),
          lastActionBy: undefined,
        }),
      ),

    async unschedule(request) {
      const before = ifOwn(await find(request, request.id), request.userId);
      if (before === undefined) {
        return { kind: 'gone' };
      }
      const moved = await campaigns.move(request.workspaceId, request.id, notStarted, 'ready');
      if (moved === undefined) {
        return {
          kind: 'too_late',
          campaign: (await campaigns.find(request.workspaceId, request.id)) ?? before,
        };
      }
      showUnscheduled(moved, before);
      return { kind: 'done', campaign: moved };
    },

    async discard(request) {
      const { workspaceId, id } = request;
      const campaign = await find(request, id);
      if (campaign?.state === 'missed') {
        const moved = await campaigns.move(workspaceId, id, ['missed'], 'ready');
        if (moved !== undefined) {
          showUnscheduled(moved, campaign);
        }
      }
      return campaign !== undefined && campaigns.discard(workspaceId, id);
    },
  };
}

/** A patch clears what it holds as undefined, so a key without a value is left out. */
function startPatch({ channelId, at, maxDelayMs }: StartRequest, now: Date): CampaignPatch {
  const patch: CampaignPatch = at === undefined ? { startedAt: now } : timePatch({ at, maxDelayMs });
  if (channelId !== undefined) {
    patch.channelId = channelId;
  }
  return patch;
}

function timePatch({ at, maxDelayMs }: StartTime): CampaignPatch {
  const latestStart = maxDelayMs === undefined ? undefined : addMilliseconds(at.time, maxDelayMs);
  return { startAt: at.time, zone: at.zone, latestStart };
}
