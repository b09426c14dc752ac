import { addMilliseconds } from 'date-fns/addMilliseconds';
import type { Time } from '../../lib/time.ts';
import type { Campaign, CampaignState, CampaignRepository as Kept } from '../../store/campaigns/campaigns.ts';
import { isHeld } from '../../store/campaigns/hold-campaigns.ts';
import type { DndChecker } from '../numbers/dnd-check.ts';
import type { Operations } from '../operations/operations.ts';
import { type CampaignUser, ifOwn, ifSteerable } from '../operations/ownership.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { CampaignService, SteeringRequest, SteeringResult } from './campaigns.ts';
import { prepareCampaigns } from './import/campaign-imports.ts';
import { createPreflight } from './preflight/preflight.ts';
import { campaignFile, linesOf } from './result-files.ts';
import { type CampaignLimits, createCampaignScheduler } from './sending/campaign-scheduler.ts';

const underWay = ['scheduled', 'running', 'paused'] as const;

export function createCampaignService(options: {
  campaigns: Kept;
  workspaces: Workspaces;
  numbers: DndChecker;
  operations: Operations;
  unicode: boolean;
  limits: CampaignLimits;
  time: Time;
  /** Hears of faults that nobody waits for. */
  report: (error: unknown) => void;
  ended: (state: string) => void;
}): CampaignService {
  const { campaigns, workspaces, numbers, operations, unicode, limits, time, report } = options;
  const listeners = new Set<(campaign: Campaign) => void>();
  const changed = (campaign: Campaign) => {
    for (const listener of listeners) {
      try {
        listener(campaign);
      } catch (error) {
        report(error);
      }
    }
  };
  const runner = createCampaignScheduler({
    campaigns,
    workspaces,
    limits,
    time,
    changed,
    report,
    ended: options.ended,
  });

  const { ready, previewOf, preview, checkDnd, sendTest } = createPreflight({
    campaigns,
    workspaces,
    numbers,
    operations,
    messagesPerSecond: limits.messagesPerSecond,
    clock: time.now,
  });
  const { importRecipients, retry } = prepareCampaigns({ campaigns, workspaces, unicode, previewOf });

  async function find(user: CampaignUser, id: string): Promise<Campaign | undefined> {
    return ifSteerable(await campaigns.find(user.workspaceId, id), user);
  }

  /** Changes a campaign's state for someone who may: its author, or an admin. */
  async function steer(
    { id, ...user }: SteeringRequest,
    from: readonly CampaignState[],
    to: CampaignState,
    patch: Parameters<Kept['move']>[4] = {},
  ): Promise<SteeringResult> {
    const { workspaceId } = user;
    const campaign = await find(user, id);
    if (campaign === undefined) {
      return { kind: 'gone' };
    }
    const moved = await campaigns.move(workspaceId, id, from, to, patch);
    if (moved === undefined) {
      return { kind: 'too_late', campaign: (await campaigns.find(workspaceId, id)) ?? campaign };
    }
    changed(moved);
    await runner.wake();
    return { kind: 'done', campaign: (await campaigns.find(workspaceId, id)) ?? moved };
  }

  return {
    importRecipients,
    retry,
    preview,
    checkDnd,
    sendTest,

    async start({ workspaceId, userId, id, channelId, at, maxDelayMs: lateLimit }) {
      if ((await workspaces.account(workspaceId)) === undefined) {
        return { kind: 'not_connected' };
      }
      const patch = {
        ...(channelId === undefined ? {} : { channelId }),
        ...(at === undefined
          ? { startedAt: time.now() }
          : {
              startAt: at.time,
              zone: at.zone,
              ...(lateLimit === undefined ? {} : { latestStart: addMilliseconds(at.time, lateLimit) }),
            }),
      };
      const mine = await ready(workspaceId, id, userId);
      const started =
        mine && (await campaigns.move(workspaceId, id, ['ready'], at ? 'scheduled' : 'running', patch));
      if (started !== undefined) {
        changed(started);
        await runner.wake();
        return { kind: 'started', campaign: started, first: true };
      }
      const known = ifOwn(await campaigns.find(workspaceId, id), userId);
      return known === undefined || known.state === 'reading'
        ? { kind: 'gone' }
        : { kind: 'started', campaign: known, first: false };
    },

    pause: (request) =>
      steer(request, ['running'], 'paused', {
        lastActionBy: request.userId,
        pause: { by: 'person', userId: request.userId },
      }),

    async resume(request) {
      const patch = { lastActionBy: request.userId };
      const { startAt, startedAt } = (await find(request, request.id)) ?? {};
      // Held before it began: it waits for its time again, or starts now where that has passed.
      if (startAt === undefined || startedAt !== undefined) {
        return steer(request, ['paused'], 'running', patch);
      }
      if (startAt > time.now()) {
        return steer(request, ['paused'], 'scheduled', patch);
      }
      return steer(request, ['paused'], 'running', { ...patch, startAt: undefined, latestStart: undefined });
    },

    cancel: (request) => steer(request, underWay, 'cancelled', { lastActionBy: request.userId }),

    async resultFile({ which, id, ...user }) {
      const campaign = await find(user, id);
      return campaign?.text !== undefined && linesOf(campaign, which) > 0
        ? campaignFile(campaign, which, campaigns)
        : undefined;
    },

    find,
    findAny: campaigns.find,

    listRecent: ({ workspaceId, userId, states, limit }) =>
      campaigns.recent({
        workspaceId,
        limit,
        ...(userId === undefined ? {} : { createdBy: userId }),
        ...(states === undefined ? {} : { states }),
      }),

    throughput: (campaign) => runner.pace(campaign),

    watch(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    setProgressMessage: ({ workspaceId, id }, message) => campaigns.setMessage(workspaceId, id, message),

    listActive: () => campaigns.inState(underWay),

    async listHeld(workspaceId) {
      const paused = await campaigns.inState(['paused']);
      return paused.filter((campaign) => campaign.workspaceId === workspaceId && isHeld(campaign));
    },

    startSending: () => runner.begin(),

    stopSending: () => runner.stop(),
  };
}
