import { randomBytes } from 'node:crypto';
import { addHours } from 'date-fns/addHours';
import { ownId } from '../../domain/access/ownership.ts';
import { withEpoch } from '../../domain/access/request-keys.ts';
import { nextRun } from '../../domain/time/repeat.ts';
import { shownDay } from '../../domain/time/shown-time.ts';
import { localClock } from '../../domain/time/start-time.ts';
import { isHeld } from '../../store/campaigns/campaign-moves.ts';
import type { Campaign, CampaignPatch, CampaignState } from '../../store/campaigns/campaigns.ts';
import type { LeftOutRun, RunDecision } from '../../store/campaigns/occurrences.ts';
import { jobTopics } from '../../store/engine/jobs/jobs.ts';
import type { Context } from '../context.ts';
import { timesAt } from './approval/campaign-start.ts';
import type { CampaignChanges } from './campaign-changes.ts';

/** In hours. A run can be viewed, edited, skipped and approved from this long before it starts. */
export const preparedBeforeHours = 12;

/**
 * What a person can answer about runs whose fate was lost in a restore: they were sent, or the latest should
 * be sent.
 */
export const runAnswers = ['sent', 'latest'] as const;
export type RunAnswer = (typeof runAnswers)[number];

/**
 * A run that may have been sent, skipped or edited after the backup. `run`: set if it was already prepared.
 */
export interface HeldRun {
  at: Date;
  run?: Campaign | undefined;
}

/**
 * Returns the runs of a campaign held after a restore that may have been sent, skipped or edited since the
 * backup, earliest first. If the campaign no longer repeats, that can be a single held run.
 */
export async function findHeldRuns({ store }: Context, campaign: Campaign): Promise<HeldRun[]> {
  const { repeat, zone, startAt, occurrence } = campaign;
  const { restoredAt } = store.installation;
  if (occurrence !== undefined && isHeldRun(campaign)) {
    return [{ at: occurrence.at, run: campaign }];
  }
  if (!isHeld(campaign) || repeat === undefined || zone === undefined || restoredAt === undefined) {
    return [];
  }
  const prepared = await store.campaigns.runsOf(campaign, ['ready', 'paused']);
  // A draft that no person has edited waited to be scheduled or approved when the backup was made.
  const held = prepared.filter(
    (run) =>
      run.startedAt === undefined &&
      (run.state === 'paused' ? isHeld(run) : run.retryOf !== undefined && run.createdAt < restoredAt),
  );
  const runs = new Map<number, HeldRun>();
  for (const run of held) {
    if (run.occurrence !== undefined) {
      runs.set(run.occurrence.at.getTime(), { at: run.occurrence.at, run });
    }
  }
  const until = addHours(restoredAt, preparedBeforeHours);
  for (const at of undecidedRuns({ repeat, zone, startAt }, until)) {
    runs.set(at.getTime(), runs.get(at.getTime()) ?? { at });
  }
  return [...runs.values()].sort((one, other) => one.at.getTime() - other.at.getTime());
}

/** Stores the decisions about runs. Resolves with false if something has changed since it was read. */
export async function decideRuns(
  { store: { campaigns, jobs }, report }: Context,
  changes: CampaignChanges,
  repeating: Campaign,
  decision: RunDecision,
): Promise<boolean> {
  const moved = await campaigns.decideRuns(repeating, decision);
  for (const campaign of moved ?? []) {
    await changes.moved(campaign);
  }
  if (moved !== undefined && decision.isTold === true) {
    // If this fails, the check that runs every minute finds it.
    await jobs.enqueue(jobTopics.notices, '').catch(report);
  }
  return moved !== undefined;
}

/**
 * Whether a campaign is a run held before its start, which may have been sent, skipped or edited since the
 * backup.
 */
export function isHeldRun(campaign: Campaign): boolean {
  const { occurrence, state, startedAt } = campaign;
  return occurrence !== undefined && state === 'paused' && startedAt === undefined && isHeld(campaign);
}

/** Returns the repeating campaign of a held run if that campaign also waits for an answer. */
export async function heldRepeatingOf({ store }: Context, run: Campaign): Promise<Campaign | undefined> {
  if (!isHeldRun(run)) {
    return undefined;
  }
  const repeating = await store.campaigns.repeatingOf(run);
  return repeating?.state === 'paused' && isHeld(repeating) ? repeating : undefined;
}

/** Returns the times of a schedule from the next run on, until a moment. */
export function undecidedRuns(
  { repeat, zone, startAt }: Pick<Campaign, 'repeat' | 'zone' | 'startAt'>,
  until: Date,
): Date[] {
  const times: Date[] = [];
  let at = startAt;
  while (repeat !== undefined && zone !== undefined && at !== undefined && at <= until) {
    times.push(at);
    at = nextRun(repeat, zone, at);
  }
  return times;
}

/** Turns a person's answer about held runs into their new states and the campaign's next run. */
export function decideHeldRuns(
  context: Context,
  campaign: Campaign,
  { held, answer, by }: { held: readonly HeldRun[]; answer: RunAnswer; by: string },
): RunDecision {
  const { repeat, zone, startAt } = campaign;
  const last = held.at(-1);
  const latest = answer === 'latest' ? last : undefined;
  const state = answer === 'latest' ? 'missed' : 'cancelled';
  const others = held.filter((each) => each !== latest);
  // Continue after the last held run, unless the latest one still has to be created.
  const isMade = latest?.run?.state === 'paused';
  const isAhead = last === undefined || startAt === undefined || startAt > last.at;
  const behind =
    isAhead || repeat === undefined || zone === undefined ? startAt : nextRun(repeat, zone, last.at);
  const next = latest === undefined || isMade ? behind : latest.at;
  const paused = others.flatMap(({ run }) => (run?.state === 'paused' ? run : []));
  const drafts = held.flatMap(({ run }) => (run?.state === 'ready' ? run : []));
  return {
    by,
    moves: [
      ...paused.map((run) => endHeld(run, state, by)),
      ...(latest?.run !== undefined && isMade
        ? [endHeld(latest.run, 'scheduled', by, context.time.now())]
        : []),
      // A run answered on its own belongs to a campaign that no longer repeats.
      ...(repeat === undefined ? [] : [moveOn(campaign, next, { from: 'paused', by })]),
    ],
    discarded: drafts.map((run) => ({ run, isMadeAgain: run === latest?.run })),
    leftOut: leaveOut(
      context,
      campaign,
      others.flatMap(({ at, run }) => (run === undefined ? at : [])),
      state,
    ),
    isTold: answer === 'latest' && others.length > 0,
  };
}

/** @param now if the start time has passed, the approved start may already have happened */
function endHeld(run: Campaign, to: CampaignState, by: string, now?: Date): RunDecision['moves'][number] {
  const { id, pause, startAt } = run;
  const { approval: _, ...seen } = run.seen ?? {};
  const isPast = now !== undefined && startAt !== undefined && startAt <= now;
  return {
    id,
    from: ['paused'],
    to,
    // Keep the pause, so that the screen still says it may have been sent.
    patch: { lastActionBy: by, ...(to === 'cancelled' && { pause }), ...(isPast && { seen }) },
    checked: run,
  };
}

/** Returns the move of a campaign to its next run. Without one, the campaign is done. */
export function moveOn(
  campaign: Campaign,
  next: Date | undefined,
  { from, by }: { from: 'repeating' | 'paused'; by?: string | undefined },
): RunDecision['moves'][number] {
  const acted: CampaignPatch = by === undefined ? {} : { lastActionBy: by };
  return {
    id: campaign.id,
    from: [from],
    to: next === undefined ? 'done' : 'repeating',
    patch: next === undefined ? acted : { ...acted, ...timesAt(next, campaign) },
    checked: campaign,
  };
}

/** Returns the records of runs that won't be created. */
export function leaveOut(
  context: Context,
  campaign: Campaign,
  times: readonly Date[],
  state: LeftOutRun['state'],
): LeftOutRun[] {
  return times.map((at) => ({ id: newRunId(context, campaign), name: runName(campaign, at), at, state }));
}

/** Uses the current epoch of the data, so that buttons from before a restore can't start the run. */
export function newRunId({ store }: Context, { createdBy }: Campaign): string {
  return ownId(createdBy, withEpoch(store.installation.epoch, randomBytes(16).toString('base64url')));
}

export const runName = ({ name, zone }: Campaign, at: Date): string =>
  `${name} (${shownDay(localClock(at, zone ?? 'UTC'))})`;
