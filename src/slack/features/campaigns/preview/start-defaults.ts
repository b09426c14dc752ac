import { inQuietHours, meetsQuietHours, quietHoursEnd } from '../../../../domain/messages/quiet-hours.ts';
import { clockIn, nextFullHour, readStart } from '../../../../domain/time/start-time.ts';
import type { Preview } from '../../../../services/campaigns/preflight/preview.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { defaultStart, type StartForm, writeMaxDelay } from './start-inputs.ts';

/**
 * What the preview is first shown with: the place that was chosen before an edit, and the time unless that has passed;
 * otherwise at 08:00 in Lagos where that reaches recipients whom a start now would not.
 */
export function initialStartForm(
  { quietUntil, durationMs }: Preview,
  {
    now,
    zone,
    origin,
    former,
  }: { now: Date; zone: string; origin: string | undefined; former: StartForm | undefined },
): StartForm {
  if (former?.when === 'at') {
    const { date = '', time = '' } = former;
    if (readStart({ date, time, zone }, now).ok) {
      return former;
    }
  }
  const isMorningBetter =
    quietUntil !== undefined && (inQuietHours(now) || !meetsQuietHours(quietUntil, durationMs));
  const when = isMorningBetter ? 'morning' : 'now';
  return { ...defaultStart, channelId: origin, ...former, when, date: undefined, time: undefined };
}

/** The time and the place of a campaign that is edited. */
export function formerStartForm(
  { channelId, startAt, latestStart }: Pick<Campaign, 'channelId' | 'startAt' | 'latestStart'>,
  zone: string,
): StartForm {
  const place = { ...defaultStart, inChannel: channelId !== undefined, channelId };
  if (startAt === undefined) {
    return place;
  }
  return {
    ...place,
    when: 'at',
    ...clockIn(startAt, zone),
    maxDelay: writeMaxDelay({ startAt, latestStart }),
  };
}

/** Replaces a choice that is no longer offered, and fills in a time where none was chosen yet. */
export function completeStartForm(
  form: StartForm,
  { campaign: { route, counts }, quietUntil }: Preview,
  { now, zone }: { now: Date; zone: string },
): StartForm {
  if (form.when === 'morning' && quietUntil === undefined) {
    return { ...form, when: 'now' };
  }
  if (form.when !== 'at' || form.date !== undefined || form.time !== undefined) {
    return form;
  }
  const next = nextFullHour(now, zone);
  const isSwallowed = route === 'generic' && counts.quiet > 0 && inQuietHours(next);
  const { date, time } = clockIn(isSwallowed ? quietHoursEnd(next) : next, zone);
  return { ...form, date, time };
}
