import { type CampaignUser, ifOwn, ifSteerable } from '../../domain/access/ownership.ts';
import { compareSeen, type NotAsShown, type Seen, type Unchanged } from '../../domain/limits/seen.ts';
import { checkSenderFields } from '../../domain/messages/message-checks.ts';
import { routeSchema } from '../../domain/messages/routes.ts';
import { concernOf } from '../../provider/response/refusals.ts';
import type { Approval } from '../../store/approvals/approvals.ts';
import { isHeld, type Reserve } from '../../store/campaigns/campaign-moves.ts';
import type { Campaign, CampaignPatch, CampaignState } from '../../store/campaigns/campaigns.ts';
import type { Context } from '../context.ts';
import type { MoveTarget } from '../limits/campaign-limiter.ts';
import { orGone, Refusal } from '../refusal.ts';
import type { SenderIdService } from '../sender-ids/sender-id-service.ts';
import {
  type CampaignStart,
  isStartedAnew,
  isStillApproved,
  moveOf,
  resumesAt,
  startableStates,
  startingAt,
} from './approval/campaign-start.ts';
import {
  decideHeldRuns,
  decideRuns,
  findHeldRuns,
  heldRepeatingOf,
  isHeldRun,
  type RunAnswer,
} from './held-runs.ts';
import { type Changed, createStart, type StartDeps, type StartTime, timesOf } from './start-draft.ts';

/** What may still be sent. */
export const activeStates = [
  'scheduled',
  'repeating',
  'running',
  'paused',
] as const satisfies readonly CampaignState[];

/** The states of a confirmed campaign that has sent nothing yet. */
const notStarted = ['scheduled', 'repeating', 'missed'] as const satisfies readonly CampaignState[];

/** The user has to be the campaign's creator or an admin. */
export interface SteeringRequest extends CampaignUser {
  id: string;
}

/** A request that starts or continues a campaign names the version and the facts that its user saw. */
export interface SendingRequest extends SteeringRequest {
  version: string;
  seen: Seen;
}

export interface ChangeSenderRequest extends SteeringRequest {
  version: string;
  sender: string;
}

export interface ResumeRequest extends SendingRequest {
  /** The user's answer about runs that may have been sent before the restore, and the latest run they saw. */
  runs?: { answer: RunAnswer; latest: Date } | undefined;
}

export type SteeringResult =
  | { kind: 'done'; campaign: Campaign }
  /** The campaign has ended, or somebody else steered it first. */
  | { kind: 'too_late'; campaign: Campaign }
  /** It has changed since the user saw it. Nothing was done. */
  | Changed
  /** The request waits for an approver; the campaign is unchanged. */
  | { kind: 'approval'; campaign: Campaign; approval: Approval }
  /**
   * `campaign` is a repeating campaign or a run, and it isn't known which runs were sent before the restore.
   * See `ResumeRequest`.
   */
  | { kind: 'unanswered'; campaign: Campaign };

export type SendingResult = SteeringResult | NotAsShown;

/** Returns how many numbers in the countries that a campaign is paused for can be left out. */
export function countToLeaveOut({ state, pause }: Pick<Campaign, 'state' | 'pause'>): number {
  return state === 'paused' && pause?.areLeftOut !== true
    ? Object.values(pause?.countries ?? {}).reduce((sum, count) => sum + count, 0)
    : 0;
}

/** Whether the sender can be changed: the provider refused it, or it was changed but hasn't been used yet. */
export function canChangeSender({ state, pause }: Pick<Campaign, 'state' | 'pause'>): boolean {
  const concern = concernOf(pause?.error?.reason ?? '');
  return state === 'paused' && (concern === 'sender' || concern === 'device' || pause?.isEdited === true);
}

export type Steering = ReturnType<typeof createSteering>;

export function createSteering(
  context: Context,
  deps: StartDeps & { senderIds: Pick<SenderIdService, 'activeFor'> },
) {
  const { campaigns } = context.store;
  const { now: clock } = context.time;

  /** Returns a campaign that the user may see and steer. */
  async function find(user: CampaignUser, id: string): Promise<Campaign | undefined> {
    return ifSteerable(await campaigns.find(user.workspaceId, id), user);
  }

  const findGiven = async (request: SteeringRequest) => orGone(await find(request, request.id), 'campaign');

  const { move, moveToStart, ifAsShown } = createMoves(context, deps);
  const steer = async (request: SteeringRequest, to: Move) => move(request, await findGiven(request), to);
  const steerToStart = async (request: SendingRequest, start: CampaignStart): Promise<SendingResult> =>
    moveToStart(request, await findGiven(request), start);

  /**
   * Resumes a paused repeating campaign. Applies the user's answer about held runs, also for a run whose
   * campaign no longer repeats.
   */
  async function repeatAgain(
    { runs, ...request }: ResumeRequest,
    campaign: Campaign,
  ): Promise<SendingResult> {
    const { version } = request;
    const held = campaign.state === 'paused' ? await findHeldRuns(context, campaign) : [];
    if (held.length === 0) {
      return move(request, campaign, { from: ['paused'], to: 'repeating', version });
    }
    if (campaign.version !== version) {
      return { kind: 'changed', campaign, shownVersion: version };
    }
    if (runs === undefined || runs.latest.getTime() !== held.at(-1)?.at.getTime()) {
      return { kind: 'unanswered', campaign };
    }
    const decision = decideHeldRuns(context, campaign, { held, answer: runs.answer, by: request.userId });
    const isDecided = await decideRuns(context, deps.changes, campaign, decision);
    await deps.approvals.changed();
    const now = (await campaigns.find(request.workspaceId, request.id)) ?? campaign;
    return { kind: isDecided ? 'done' : 'too_late', campaign: now };
  }

  return {
    find,
    ...createStart(context, deps),
    ...createDrafting(context, deps),

    /** Starts no further requests; those in flight end. */
    pause: (request: SteeringRequest) =>
      steer(request, {
        from: ['running'],
        to: 'paused',
        patch: { pause: { by: 'person', userId: request.userId } },
      }),

    async resume(request: ResumeRequest): Promise<SendingResult> {
      const campaign = await findGiven(request);
      const repeating = await heldRepeatingOf(context, campaign);
      if (repeating !== undefined) {
        return { kind: 'unanswered', campaign: repeating };
      }
      if (campaign.repeat !== undefined || isHeldRun(campaign)) {
        return repeatAgain(request, campaign);
      }
      if (campaign.state !== 'paused') {
        return { kind: 'too_late', campaign };
      }
      if (isStartedAnew(campaign, clock())) {
        return moveToStart(request, campaign, { verb: 'resume' });
      }
      const { seen: before } = campaign;
      const { approval: _, ...shown }: Seen = { ...before, ...request.seen };
      const now = clock();
      const at = resumesAt(campaign, now);
      const to = at > now ? 'scheduled' : 'running';
      const { version } = request;
      // Approval isn't checked here: a started campaign was already allowed, and a scheduled one is checked
      // when it starts.
      const seen: Seen = { ...shown, approval: 'given' };
      return ifAsShown(campaign, { version, seen, at }, (unchanged) => {
        const { approval: _given, ...facts } = unchanged.seen;
        const stored = before?.approval === undefined ? facts : { ...facts, approval: before.approval };
        return move(request, campaign, { from: ['paused'], to, version, unchanged, patch: { seen: stored } });
      });
    },

    /** Like a pause, but final. A scheduled campaign does not start. */
    cancel: (request: SteeringRequest) => steer(request, { from: activeStates, to: 'cancelled' }),

    /**
     * Skips the recipients in the countries that paused the campaign, so that the rest can be sent once it
     * resumes.
     */
    async leaveOutCountries(request: SteeringRequest): Promise<SteeringResult> {
      const campaign = await findGiven(request);
      const canLeaveOut = countToLeaveOut(campaign) > 0;
      const left = canLeaveOut ? await campaigns.leaveOutCountries(campaign, request.userId) : undefined;
      if (left === undefined) {
        return { kind: 'too_late', campaign };
      }
      await deps.changes.moved(left);
      return { kind: 'done', campaign: left };
    },

    /**
     * Changes the sender of a campaign that paused because the provider refused it. The new version needs a
     * review, and approval where required, before it resumes.
     *
     * @param request.sender as typed
     */
    async changeSender({
      sender,
      version,
      ...request
    }: ChangeSenderRequest): Promise<SteeringResult | { kind: 'fault'; fault: string }> {
      const campaign = await findGiven(request);
      if (!canChangeSender(campaign)) {
        return { kind: 'too_late', campaign };
      }
      const route = routeSchema.parse(campaign.route);
      const active = await deps.senderIds.activeFor(request.workspaceId, { route, senderId: sender });
      const { senderId, device } = checkSenderFields(sender.trim(), route, active);
      const same = sender.trim() === campaign.senderId ? 'Choose another one.' : undefined;
      const fault = senderId ?? device ?? same;
      if (fault !== undefined) {
        return { kind: 'fault', fault };
      }
      const { workspaceId, id, userId } = request;
      const by = { senderId: sender.trim(), userId };
      const changed = await campaigns.changeSender(workspaceId, { id, version }, by);
      if (changed === undefined) {
        const now = (await campaigns.find(workspaceId, id)) ?? campaign;
        return { kind: 'changed', campaign: now, shownVersion: version };
      }
      await deps.changes.moved(changed);
      await deps.approvals.changed();
      return { kind: 'done', campaign: changed };
    },

    /** Starts a scheduled campaign before its time, or one that missed it. */
    startNow: (request: SendingRequest) => steerToStart(request, { verb: 'start_now' }),

    /** Moves the start of a scheduled campaign, or of one that missed it. */
    changeTime: ({ at, maxDelayMs, ...request }: SendingRequest & StartTime) =>
      steerToStart(request, { verb: 'change_time', ...timesOf({ at, maxDelayMs }) }),
  };
}

/** `version`: what the user saw. Not needed to stop a campaign. */
type Move = { from: readonly CampaignState[]; patch?: CampaignPatch } & (
  | ({ version: string } & Extract<MoveTarget, { unchanged: Unchanged }>)
  | { to: 'repeating'; version: string }
  | { to: 'paused' | 'cancelled' | 'done'; version?: undefined }
);

/** Moves campaigns that the user may steer. */
function createMoves(
  { store: { campaigns }, time: { now: clock } }: Context,
  { limiter, approvals, campaignApprovals, changes }: StartDeps,
) {
  async function move(
    { workspaceId, userId: lastActionBy, id }: SteeringRequest,
    campaign: Campaign,
    asked: Move,
  ): Promise<SteeringResult> {
    const { from, patch = {} } = asked;
    if (!from.includes(campaign.state)) {
      return { kind: 'too_late', campaign };
    }
    if (asked.version !== undefined && campaign.version !== asked.version) {
      return { kind: 'changed', campaign, shownVersion: asked.version };
    }
    // Keep the pause, so that the screen still says it may have been sent before the restore.
    const kept = asked.to === 'cancelled' && isHeld(campaign) && { pause: campaign.pause };
    const patched = { lastActionBy, ...patch, ...kept };
    const moved = await limiter.move(
      campaign,
      { ...asked, userId: lastActionBy, at: patch.startAt },
      (reserve?: Reserve) =>
        asked.version === undefined
          ? campaigns.move(workspaceId, id, from, asked.to, patched)
          : campaigns.move(workspaceId, id, from, asked.to, patched, {
              checked: { sequence: campaign.sequence, version: asked.version },
              reserve,
            }),
    );
    if (moved === undefined) {
      const now = (await campaigns.find(workspaceId, id)) ?? campaign;
      return asked.version !== undefined && from.includes(now.state)
        ? { kind: 'changed', campaign: now, shownVersion: asked.version }
        : { kind: 'too_late', campaign: now };
    }
    await changes.moved(moved);
    await approvals.changed();
    return { kind: 'done', campaign: (await campaigns.find(workspaceId, id)) ?? moved };
  }

  /**
   * Calls `goOn` if the campaign and the facts still match what the user saw. An approval already given isn't
   * part of the facts shown.
   */
  async function ifAsShown(
    campaign: Campaign,
    { version, seen, at }: { version: string; seen: Seen; at: Date },
    goOn: (unchanged: Unchanged) => Promise<SteeringResult>,
  ): Promise<SendingResult> {
    if (campaign.version !== version) {
      return { kind: 'changed', campaign, shownVersion: version };
    }
    const compared = compareSeen(seen, await campaignApprovals.factsAt(campaign, at));
    if (compared.kind === 'unchanged') {
      return goOn(compared);
    }
    const { approval: _, ...facts } = compared.seen;
    return seen.approval === 'given' ? { ...compared, seen: facts } : compared;
  }

  /** Makes a start of a campaign that was scheduled before, or asks for approval of it. */
  async function moveToStart(
    request: SendingRequest,
    campaign: Campaign,
    start: CampaignStart,
  ): Promise<SendingResult> {
    const from: readonly CampaignState[] = startableStates[start.verb];
    const { version } = request;
    if (campaign.counts.recipients === 0 && notStarted.some((state) => state === campaign.state)) {
      throw new Refusal({ kind: 'nobody_left', campaign });
    }
    if (!from.includes(campaign.state)) {
      return { kind: 'too_late', campaign };
    }
    // A resume uses the approved version. Another start time makes a new version.
    const isApproved = start.verb === 'resume' && isStillApproved(campaign, clock());
    const { approval: _, ...before } = campaign.seen ?? {};
    const seen: Seen = { ...before, ...request.seen, ...(isApproved && { approval: 'given' }) };
    return ifAsShown(campaign, { version, seen, at: startingAt(start, clock()) }, async (unchanged) => {
      const approval = isApproved ? undefined : await campaignApprovals.ask(campaign, start, request.userId);
      if (approval !== undefined) {
        return { kind: 'approval', campaign, approval };
      }
      const { to, patch } = moveOf(start, clock(), campaign.startedAt);
      return move(request, campaign, {
        from,
        to,
        version,
        unchanged,
        patch: { ...patch, seen: unchanged.seen },
      });
    });
  }

  return { move, moveToStart, ifAsShown };
}

function createDrafting({ store: { campaigns } }: Context, { approvals, changes }: StartDeps) {
  /** The message of a campaign that is a draft again is no longer its own: it is shown there a last time. */
  function showUnscheduled(campaign: Campaign, before: Campaign): void {
    changes.changed({ ...campaign, channelId: before.channelId, message: before.message });
  }

  return {
    /** Makes the user's own campaign a draft again that was scheduled, or missed its time. */
    async unschedule({ workspaceId, id, userId }: SteeringRequest): Promise<SteeringResult> {
      const before = orGone(ifOwn(await campaigns.find(workspaceId, id), userId), 'campaign');
      // Drafts have no outcome, so a partly sent campaign that waits for the end of quiet hours would lose
      // its own.
      const moved =
        before.startedAt === undefined
          ? await campaigns.move(workspaceId, id, notStarted, 'ready')
          : undefined;
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
      const discarded =
        campaign !== undefined && (await campaigns.discard(workspaceId, id, ['reading', 'ready', 'missed']));
      if (discarded && campaign.state === 'missed') {
        showUnscheduled({ ...campaign, state: 'ready' }, campaign);
      }
      await approvals.changed();
      return discarded;
    },
  };
}
