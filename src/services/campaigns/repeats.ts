import { type CampaignUser, ifSteerable, ownId } from '../../domain/access/ownership.ts';
import { idempotencyKey, withEpoch } from '../../domain/access/request-keys.ts';
import { nextRun } from '../../domain/time/repeat.ts';
import { clockIn } from '../../domain/time/start-time.ts';
import { withoutLogFields } from '../../lib/log-fields.ts';
import { withOrigin } from '../../lib/request-origin.ts';
import { startInterval } from '../../lib/time/interval.ts';
import { unpreparedPause } from '../../store/campaigns/campaign-moves.ts';
import type { Campaign, CampaignPatch } from '../../store/campaigns/campaigns.ts';
import type { CampaignRepeat } from '../../store/schema/campaigns.ts';
import type { Context } from '../context.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { CampaignApprovals } from './approval/campaign-approvals.ts';
import { type CampaignStart, moveOf, timesAt } from './approval/campaign-start.ts';
import { importRecipients } from './import/import-recipients.ts';
import type { SteeringRequest, SteeringResult } from './steering.ts';

/** In milliseconds: a run can be seen, edited, skipped and approved this long before it starts. */
const preparedBefore = 12 * 60 * 60_000;
/** In milliseconds: due times are polled, as the clock may be set and the machine may sleep. */
const pollMs = 1_000;

/** A campaign that repeats, while it does. */
interface Repeating extends Campaign {
  repeat: CampaignRepeat;
  startAt: Date;
  zone: string;
}

interface RepeatsOthers {
  workspaces: Workspaces;
  campaignApprovals: CampaignApprovals;
  cancel: (request: SteeringRequest) => Promise<SteeringResult>;
  discard: (request: SteeringRequest) => Promise<boolean>;
  /** Called with a campaign that was moved. */
  announce: (campaign: Campaign) => Promise<void>;
}

/**
 * Campaigns that repeat. Each run is a campaign of its own with the recipients that are left, and so has its own approval,
 * limits and outcome. Its id follows from its time, and the campaign that repeats moves on to its next time only once the
 * run is stored: none is made twice or left out, whenever the program stops.
 */
export function createRepeats(context: Context, others: RepeatsOthers) {
  const { store, time, timers, report } = context;
  const { campaigns } = store;
  const { announce, cancel, discard } = others;
  const prepareRun = createRunPreparation(context, others);

  /** Moves on to the time after a run, or ends. Resolves with undefined where the campaign is no longer as it was read. */
  async function advance(repeating: Repeating, by?: string): Promise<Campaign | undefined> {
    const { workspaceId, id, repeat, zone, startAt, latestStart } = repeating;
    const next = nextRun(repeat, zone, startAt);
    const acted = by === undefined ? {} : { lastActionBy: by };
    const patch: CampaignPatch =
      next === undefined ? acted : { ...acted, ...timesAt(next, { startAt, latestStart }) };
    const to = next === undefined ? 'done' : 'repeating';
    const moved = await campaigns.move(workspaceId, id, ['repeating'], to, patch, { checked: repeating });
    if (moved !== undefined) {
      await announce(moved);
    }
    return moved;
  }

  async function prepareDue(signal: AbortSignal): Promise<void> {
    const dueBy = new Date(time.now().getTime() + preparedBefore);
    for (const campaign of await campaigns.dueToRepeat(dueBy)) {
      const repeating = asRepeating(campaign);
      if (!signal.aborted && repeating !== undefined) {
        // What fails for one keeps no other waiting, and is tried again; what a stop breaks off, after the next start.
        const isPrepared = await prepareRun(repeating, signal).catch((error: unknown) => {
          if (!signal.aborted) {
            report(error);
          }
          return false;
        });
        if (isPrepared) {
          await advance(repeating);
        }
      }
    }
  }

  /** Returns the run of a campaign at a time, while it can be skipped. */
  async function preparedRun(campaign: Campaign, at: Date): Promise<Campaign | undefined> {
    const run = await campaigns.find(campaign.workspaceId, runId(context, campaign, at));
    return run?.state === 'scheduled' || run?.state === 'ready' ? run : undefined;
  }

  return {
    /** Prepares the runs whose time has come. Returns a stop function that waits for the current one. */
    start: () =>
      startInterval({
        ms: pollMs,
        run: (signal) =>
          withOrigin({ surface: 'background' }, () => withoutLogFields(() => prepareDue(signal))),
        onError: report,
        timers,
      }),

    /** Returns when the next run starts that is not skipped; undefined where there is none. */
    async nextRun(campaign: Campaign): Promise<Date | undefined> {
      const { repeat, zone, startAt, state } = campaign;
      const first = repeat && zone !== undefined ? nextRun(repeat, zone, time.now()) : undefined;
      if (first !== undefined && (await preparedRun(campaign, first)) !== undefined) {
        return first;
      }
      return state === 'repeating' ? startAt : undefined;
    },

    /** Leaves out the run at a time, prepared or not. */
    async skip({ at, ...request }: SteeringRequest & { at: Date }): Promise<SteeringResult> {
      const { workspaceId, id, userId } = request;
      const campaign = ifSteerable(await campaigns.find(workspaceId, id), request);
      if (campaign === undefined) {
        return { kind: 'gone' };
      }
      const repeating = asRepeating(campaign);
      const isNext = repeating !== undefined && repeating.startAt.getTime() === at.getTime();
      const isSkipped = isNext
        ? (await advance(repeating, userId)) !== undefined
        : await endRun(await preparedRun(campaign, at), request);
      const now = (await campaigns.find(workspaceId, id)) ?? campaign;
      return { kind: isSkipped ? 'done' : 'too_late', campaign: now };
    },
  };

  async function endRun(run: Campaign | undefined, user: CampaignUser): Promise<boolean> {
    if (run === undefined) {
      return false;
    }
    const request = { ...user, id: run.id };
    return run.state === 'ready' ? discard(request) : (await cancel(request)).kind === 'done';
  }
}

/** Returns a function that stores and schedules the next run. It resolves with false where another instance is about to. */
function createRunPreparation(
  context: Context,
  { workspaces, campaignApprovals, announce }: RepeatsOthers,
): (repeating: Repeating, signal: AbortSignal) => Promise<boolean> {
  const { campaigns } = context.store;

  /** Resolves with undefined where nothing can be scheduled now. */
  async function importRun(
    repeating: Repeating,
    id: string,
    signal: AbortSignal,
  ): Promise<Campaign | undefined> {
    const { workspaceId, createdBy: userId, text = '', route, senderId, repeat, name } = repeating;
    const { date } = clockIn(repeating.startAt, repeating.zone);
    const written = await importRecipients(
      {
        workspaceId,
        userId,
        id,
        source: { kind: 'run', campaign: repeating },
        form: {
          name: `${name} (${date})`,
          text,
          route,
          senderId,
          device: senderId,
          plainCells: repeat.plainCells,
        },
        onProgress: () => signal.throwIfAborted(),
      },
      context,
      workspaces,
    );
    if (written.kind !== 'faults') {
      return written.kind === 'written' ? written.campaign : undefined;
    }
    const checked = repeating;
    const patch = { pause: unpreparedPause };
    const held = await campaigns.move(workspaceId, repeating.id, ['repeating'], 'paused', patch, { checked });
    if (held !== undefined) {
      await announce(held);
    }
    return undefined;
  }

  async function schedule(run: Campaign, start: CampaignStart): Promise<void> {
    const { workspaceId, id, createdBy } = run;
    if ((await campaignApprovals.ask(run, start, createdBy)) !== undefined) {
      return;
    }
    const { to, patch } = moveOf(start, context.time.now());
    // What a limit refuses is paused at its start, so that its creator is told and can resume it.
    const moved = await campaigns.move(workspaceId, id, ['ready'], to, patch, { checked: run });
    if (moved !== undefined) {
      await announce(moved);
    }
  }

  return async (repeating, signal) => {
    const id = runId(context, repeating, repeating.startAt);
    const known = await campaigns.find(repeating.workspaceId, id);
    const run = known ?? (await importRun(repeating, id, signal));
    if (run === undefined || run.state === 'reading') {
      return false;
    }
    if (run.state === 'ready') {
      await schedule(run, startOf(repeating));
    }
    return true;
  };
}

function asRepeating(campaign: Campaign): Repeating | undefined {
  const { state, repeat, startAt, zone } = campaign;
  return state === 'repeating' && repeat !== undefined && startAt !== undefined && zone !== undefined
    ? { ...campaign, repeat, startAt, zone }
    : undefined;
}

/** It has the epoch of the data as it is now, so a campaign from before it was restored can go on. */
function runId({ store }: Context, { createdBy, sequence }: Campaign, at: Date): string {
  const epoch = withEpoch(store.installation.epoch, 'run');
  return ownId(createdBy, idempotencyKey(epoch, String(sequence), String(at.getTime())));
}

function startOf({ startAt, latestStart, zone, channelId }: Repeating): CampaignStart {
  return {
    verb: 'start',
    startAt: startAt.getTime(),
    zone,
    ...(latestStart === undefined ? {} : { latestStart: latestStart.getTime() }),
    ...(channelId === undefined ? {} : { channelId }),
  };
}
