import { inQuietHours } from '../../domain/messages/quiet-hours.ts';
import { nextRun } from '../../domain/time/repeat.ts';
import type { CampaignRepository } from '../../store/campaigns/campaign-repository.ts';
import type { Campaign } from '../../store/campaigns/campaigns.ts';

/** In milliseconds. A start delayed only by a restart still counts as on time. */
const onTimeMs = 10 * 60_000;
/** In milliseconds. Keeps two runs from going out close together. */
const leastBeforeNextMs = 12 * 60 * 60_000;

/**
 * Whether a run may start now. A late run catches up only during the day and well before the next run, so of
 * several missed runs at most one is sent.
 *
 * @param next when the following run is scheduled
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

/**
 * Whether a campaign is a run that is too late, see `mayStillStart`. Its creator gets one message about all
 * missed runs.
 */
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
    // The schedule has ended, so only a run created earlier can be next.
    const made = await campaigns.runsOf(repeating, ['ready', 'scheduled', 'running', 'paused', 'done']);
    next = made.find((each) => each.occurrence && each.occurrence.at > occurrence.at)?.occurrence?.at;
  }
  return !mayStillStart({ startAt, latestStart }, next, now);
}
