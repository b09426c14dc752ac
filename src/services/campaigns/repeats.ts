import { addHours } from 'date-fns/addHours';
import { ifSteerable } from '../../domain/access/ownership.ts';
import { nextRun } from '../../domain/time/repeat.ts';
import { withoutLogFields } from '../../lib/log-fields.ts';
import { withOrigin } from '../../lib/request-origin.ts';
import { startInterval } from '../../lib/time/interval.ts';
import { isHeld, unpreparedPause } from '../../store/campaigns/campaign-moves.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';
import type { CampaignRepeat } from '../../store/schema/campaigns.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { Context } from '../context.ts';
import { ifRefused, orGone } from '../refusal.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { CampaignApprovals } from './approval/campaign-approvals.ts';
import { type CampaignStart, moveOf, timesAt } from './approval/campaign-start.ts';
import type { CampaignChanges } from './campaign-changes.ts';
import { isTooLate, mayStillStart } from './catch-up.ts';
import {
  decideRuns,
  findHeldRuns,
  heldRepeatingOf,
  leaveOut,
  moveOn,
  newRunId,
  preparedBeforeHours,
  runName,
  undecidedRuns,
} from './held-runs.ts';
import { importRecipients } from './import/import-recipients.ts';
import type { Steering, SteeringRequest, SteeringResult } from './steering.ts';

/** In milliseconds: due times are polled, as the clock may be set and the machine may sleep. */
const pollMs = 1_000;

/** A campaign that repeats, while it does. */
interface Repeating extends Campaign {
  repeat: CampaignRepeat;
  startAt: Date;
  zone: string;
}

interface RepeatsDeps {
  workspaces: Workspaces;
  approvals: Approvals;
  campaignApprovals: CampaignApprovals;
  steering: Pick<Steering, 'cancel' | 'discard'>;
  changes: CampaignChanges;
}

/**
 * Repeating campaigns. Each run is a campaign of its own with the remaining recipients, so it has its own
 * approval, limits and outcome. The schedule advances in the transaction that stores a run or skips it, so a
 * crash never repeats or loses one.
 */
export function createRepeats(context: Context, deps: RepeatsDeps) {
  const { store, time, timers, report } = context;
  const { campaigns } = store;
  const prepareRun = createRunPreparation(context, deps);

  async function work(signal: AbortSignal): Promise<void> {
    const [due, toPrepare] = [
      await campaigns.dueRuns(time.now()),
      await campaigns.dueToRepeat(addHours(time.now(), preparedBeforeHours)),
    ];
    const all = new Map(toPrepare.map((campaign) => [campaign.sequence, campaign]));
    if (due.some(({ state }) => state === 'ready')) {
      // Expire the requests first, before their campaigns count as missed.
      await deps.approvals.changed();
    }
    for (const run of due) {
      const campaign = await campaigns.repeatingOf(run);
      if (campaign !== undefined) {
        all.set(campaign.sequence, campaign);
      }
    }
    for (const campaign of all.values()) {
      if (signal.aborted) {
        return;
      }
      // One failing campaign doesn't block the others. It is retried, after the next start if the program is
      // stopping.
      try {
        const ofCampaign = due.filter(({ occurrence }) => occurrence?.of === campaign.sequence);
        await leaveMissed(context, deps.changes, campaign, ofCampaign);
        const now = await campaigns.find(campaign.workspaceId, campaign.id);
        const repeating = now && asRepeating(now);
        if (repeating !== undefined && repeating.startAt <= addHours(time.now(), preparedBeforeHours)) {
          await prepareRun(repeating, signal);
        }
      } catch (error) {
        if (!signal.aborted) {
          report(error);
        }
      }
    }
  }

  /** Returns a campaign's prepared runs that can still be skipped, earliest first. */
  const preparedRuns = (campaign: Campaign) => campaigns.runsOf(campaign, ['scheduled', 'ready']);

  return {
    /** Prepares the runs whose time has come. Returns a stop function that waits for the current one. */
    start: () =>
      startInterval({
        ms: pollMs,
        run: (signal) => withOrigin({ surface: 'background' }, () => withoutLogFields(() => work(signal))),
        onError: report,
        timers,
      }),

    /** Returns the runs that are scheduled as campaigns of their own, earliest first: they go out even if it stops repeating. */
    scheduledRuns: (campaign: Campaign) => campaigns.runsOf(campaign, ['scheduled']),

    /** Returns when the next run starts that is not skipped, if there is one. */
    async nextRun(campaign: Campaign): Promise<Date | undefined> {
      const { startAt, state } = campaign;
      const prepared = (await preparedRuns(campaign)).flatMap(({ occurrence }) => occurrence?.at ?? []);
      return prepared.find((at) => at > time.now()) ?? (state === 'repeating' ? startAt : undefined);
    },

    /** Returns the runs that may have been sent since the restored backup: a person has to answer. */
    heldRuns: (campaign: Campaign) => findHeldRuns(context, campaign),

    /** Returns the repeating campaign of a run held before its start. It has to be answered first. */
    heldRepeatingOf: (run: Campaign) => heldRepeatingOf(context, run),

    /** Returns the runs that were last missed together. */
    lastMissed: (campaign: Campaign) => campaigns.lastMissed(campaign),

    /** Leaves out the run at a time, prepared or not. */
    async skip({ at, ...request }: SteeringRequest & { at: Date }): Promise<SteeringResult> {
      const { workspaceId, id, userId: by } = request;
      const campaign = orGone(ifSteerable(await campaigns.find(workspaceId, id), request), 'campaign');
      const repeating = asRepeating(campaign);
      const isNext = repeating?.startAt.getTime() === at.getTime();
      const isLeftOut =
        repeating !== undefined &&
        isNext &&
        (await decideRuns(context, deps.changes, repeating, {
          by,
          moves: [
            moveOn(repeating, nextRun(repeating.repeat, repeating.zone, at), { from: 'repeating', by }),
          ],
          leftOut: leaveOut(context, repeating, [at], 'cancelled'),
        }));
      const run = (await preparedRuns(campaign)).find(
        ({ occurrence }) => occurrence?.at.getTime() === at.getTime(),
      );
      // A draft may be scheduled or discarded between these two calls.
      const isEnded =
        run !== undefined &&
        ((run.state === 'ready' && (await deps.steering.discard({ ...request, id: run.id }))) ||
          (await deps.steering.cancel({ ...request, id: run.id }).catch(ifRefused(['gone'], () => undefined)))
            ?.kind === 'done');
      const now = (await campaigns.find(workspaceId, id)) ?? campaign;
      return { kind: isLeftOut || isEnded ? 'done' : 'too_late', campaign: now };
    },
  };
}

/**
 * Marks runs that were due while the program was down and are now too late as missed. Those that may still
 * start stay.
 */
async function leaveMissed(
  context: Context,
  changes: CampaignChanges,
  campaign: Campaign,
  due: readonly Campaign[],
): Promise<void> {
  const { campaigns } = context.store;
  const now = context.time.now();
  const late: Campaign[] = [];
  for (const run of due) {
    if (await isTooLate(campaigns, run, now)) {
      late.push(run);
    }
  }
  // Runs held since a restore wait for a person's answer.
  const unapproved = isHeld(campaign) ? [] : due.filter(({ state }) => state === 'ready');
  const repeating = asRepeating(campaign);
  const passed = repeating === undefined ? [] : undecidedRuns(repeating, now);
  const latest = passed.at(-1);
  const next = repeating && latest && nextRun(repeating.repeat, repeating.zone, latest);
  const catchesUp =
    repeating !== undefined &&
    latest !== undefined &&
    mayStillStart({ ...timesAt(latest, repeating), startAt: latest }, next, now);
  const missed = catchesUp ? passed.slice(0, -1) : passed;
  if (late.length === 0 && unapproved.length === 0 && missed.length === 0) {
    return;
  }
  const unscheduled = (await campaigns.runsOf(campaign, ['ready'])).filter(
    ({ id, occurrence, retryOf }) =>
      retryOf !== undefined &&
      missed.some((at) => at.getTime() === occurrence?.at.getTime()) &&
      unapproved.every((run) => run.id !== id),
  );
  await decideRuns(context, changes, campaign, {
    moves: [
      ...[...late, ...unapproved, ...unscheduled].map((run) => ({
        ...{ id: run.id, from: [run.state], to: 'missed' as const, checked: run },
        // A draft has no times yet.
        patch:
          run.startAt === undefined
            ? { ...timesAt(run.occurrence?.at ?? now, campaign), zone: campaign.zone }
            : {},
      })),
      ...(missed.length > 0 ? [moveOn(campaign, catchesUp ? latest : next, { from: 'repeating' })] : []),
    ],
    leftOut: leaveOut(context, campaign, missed, 'missed'),
    // The expired request sends its own message.
    isTold: late.length > 0 || missed.length > 0,
  });
}

/** Returns a function that stores and schedules the next run. */
function createRunPreparation(
  context: Context,
  { workspaces, campaignApprovals, changes }: RepeatsDeps,
): (repeating: Repeating, signal: AbortSignal) => Promise<void> {
  const { campaigns } = context.store;

  /** Resolves with undefined where nothing can be scheduled now. */
  async function importRun(repeating: Repeating, signal: AbortSignal): Promise<Campaign | undefined> {
    const { workspaceId, createdBy: userId, text = '', route, senderId, repeat, startAt: at } = repeating;
    const written = await importRecipients(
      {
        workspaceId,
        userId,
        id: newRunId(context, repeating),
        source: { kind: 'run', campaign: repeating, at },
        active: [senderId],
        form: {
          name: runName(repeating, at),
          text,
          route,
          senderId,
          device: senderId,
          plainCells: repeat.plainCells,
          withoutAccents: repeating.withoutAccents,
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
      await changes.moved(held);
    }
    return undefined;
  }

  return async (repeating, signal) => {
    const { repeat, zone, startAt } = repeating;
    const known = await campaigns.findOccurrence(repeating, startAt);
    const run = known === undefined ? await importRun(repeating, signal) : known.run;
    // Another instance is about to create it.
    const isUnderWay = known === undefined ? run === undefined : run?.state === 'reading';
    if (isUnderWay) {
      return;
    }
    const onward = moveOn(repeating, nextRun(repeat, zone, startAt), { from: 'repeating' });
    // A person who edits a run also chooses when it starts.
    if (run?.state !== 'ready' || run.retryOf !== repeating.id) {
      await decideRuns(context, changes, repeating, { moves: [onward] });
      return;
    }
    const { latestStart, channelId } = repeating;
    const start: CampaignStart = {
      verb: 'start',
      startAt: startAt.getTime(),
      zone,
      ...(latestStart === undefined ? {} : { latestStart: latestStart.getTime() }),
      ...(channelId === undefined ? {} : { channelId }),
    };
    const asked = await campaignApprovals.askForRun(run, start, onward);
    if (asked.kind === 'asked') {
      await changes.moved(asked.moved);
      return;
    }
    const { to, patch } = moveOf(start, context.time.now());
    // If a limit blocks the run, it pauses at its start, so its creator is told and can resume it. Each run
    // asks for its own approval.
    const { approval: _, ...seen } = repeating.seen ?? {};
    const scheduled = {
      id: run.id,
      from: ['ready'] as const,
      to,
      patch: { ...patch, seen },
      checked: run,
    };
    const isDecided =
      asked.kind === 'not_needed' &&
      (await decideRuns(context, changes, repeating, { moves: [scheduled, onward] }));
    if (isDecided) {
      return;
    }
    // It was skipped, edited or stopped while its recipients were read.
    const { workspaceId, sequence } = repeating;
    const now = await campaigns.find(workspaceId, repeating.id);
    const isStillNext =
      now?.sequence === sequence && now.state === 'repeating' && now.startAt?.getTime() === startAt.getTime();
    if (!isStillNext) {
      await campaigns.discard(workspaceId, run.id, ['ready']);
    }
  };
}

function asRepeating(campaign: Campaign): Repeating | undefined {
  const { state, repeat, startAt, zone } = campaign;
  return state === 'repeating' && repeat !== undefined && startAt !== undefined && zone !== undefined
    ? { ...campaign, repeat, startAt, zone }
    : undefined;
}
