import { inQuietHours, meetsQuietHours, quietHoursEnd } from '../../../../domain/messages/quiet-hours.ts';
import { clockIn, nextFullHour } from '../../../../domain/time/start-time.ts';
import type { Preview } from '../../../../services/campaigns/preflight/preview.ts';
import { defaultStart, type StartForm } from './start-inputs.ts';

/** What the preview is first shown with: at 08:00 in Lagos where that reaches recipients whom a start now would not. */
export function initialStartForm(
  { quietUntil, durationMs }: Preview,
  now: Date,
  origin: string | undefined,
): StartForm {
  const isMorningBetter =
    quietUntil !== undefined && (inQuietHours(now) || !meetsQuietHours(quietUntil, durationMs));
  return { ...defaultStart, when: isMorningBetter ? 'morning' : 'now', channelId: origin };
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
