import { inQuietHours } from '../../domain/messages/quiet-hours.ts';
import { nextRun } from '../../domain/time/repeat.ts';
import type { CampaignRepository } from '../../store/campaigns/campaign-repository.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';

/** In milliseconds: a start that a restart of the program delays is on time. */
const onTimeMs = 10 * 60_000;
/** In milliseconds: nobody gets two runs shortly after each other. */
const leastBeforeNextMs = 12 * 60 * 60_000;

/**
 * Whether a run may start now. One that is late, as the program was down or its clock was changed, catches up only by day, and
 * long before the next one. So of any number that were due at most one does.
 *
 * @param next when the schedule has the run after it
 */
export function mayStillStart(
  { startAt, latestStart }: { startAt: Date; latestStart?: Date | undefined },
  next: Date | undefined,
  now: Date,
): boolean {
  if (latestStart !== undefined && latestStart < now) {
    return false;
  }
  return (
    now.getTime() - startAt.getTime() <= onTimeMs ||
    (!inQuietHours(now) && (next === undefined || next.getTime() - now.getTime() > leastBeforeNextMs))
  );
}

/** Whether a campaign is a run that is too late, see `mayStillStart`. Its creator is told of all that were missed together. */
export async function isTooLate(
  campaigns: Pick<CampaignRepository, 'repeatingOf' | 'runsOf'>,
  run: Campaign,
  now: Date,
): Promise<boolean> {
  const { occurrence, startAt, latestStart } = run;
  const repeating = await campaigns.repeatingOf(run);
  if (occurrence === undefined || startAt === undefined || repeating === undefined) {
    return false;
  }
  const { repeat, zone, state } = repeating;
  let next: Date | undefined;
  if (state === 'repeating' || state === 'paused') {
    next = repeat && zone !== undefined ? nextRun(repeat, zone, occurrence.at) : undefined;
  } else {
    // The schedule has ended: only a run that was made before can come next.
    const made = await campaigns.runsOf(repeating, ['ready', 'scheduled', 'running', 'paused', 'done']);
    next = made.find((each) => each.occurrence && each.occurrence.at > occurrence.at)?.occurrence?.at;
  }
  return !mayStillStart({ startAt, latestStart }, next, now);
}
