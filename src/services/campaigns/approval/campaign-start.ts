import { z } from 'zod';
import type { Campaign, CampaignPatch, CampaignState } from '../../../store/campaigns/campaigns.ts';

/**
 * A way in which a campaign gets to start, as a user asked for it:
 *
 * - `start`: a draft, now or at a time;
 * - `start_now`: one that was scheduled, or missed its time;
 * - `change_time`: the same, at another time;
 * - `resume`: one that was scheduled and is paused since the data was restored, and whose time has passed.
 */
export const campaignStartSchema = z.object({
  verb: z.enum(['start', 'start_now', 'change_time', 'resume']),
  /** In milliseconds since 1970, as `latestStart`. Now unless given. */
  startAt: z.number().exactOptional(),
  latestStart: z.number().exactOptional(),
  zone: z.string().exactOptional(),
  /** Where the progress of a draft is shown: a Slack channel id. */
  channelId: z.string().exactOptional(),
});
export type CampaignStart = z.infer<typeof campaignStartSchema>;

/** The states from which a campaign gets to start. In none of them has anything been sent. */
export const startableStates = {
  start: ['ready'],
  start_now: ['scheduled', 'missed'],
  change_time: ['scheduled', 'missed'],
  resume: ['paused'],
} as const satisfies Record<CampaignStart['verb'], readonly CampaignState[]>;

/** Returns where a start moves a campaign, and with what. */
export function moveOf(
  { verb, startAt, latestStart, zone, channelId }: CampaignStart,
  now: Date,
): { to: Extract<CampaignState, 'running' | 'scheduled'>; patch: CampaignPatch } {
  if (verb === 'resume') {
    return { to: 'running', patch: { startAt: undefined, latestStart: undefined } };
  }
  // A patch clears what it holds as undefined. It is not resumed, so nobody acted on it last.
  const asNew: CampaignPatch = verb === 'start' ? {} : { lastActionBy: undefined };
  const place: CampaignPatch = channelId === undefined ? {} : { channelId };
  if (startAt !== undefined) {
    const times = { startAt: new Date(startAt), zone, latestStart: toDate(latestStart) };
    return { to: 'scheduled', patch: { ...times, ...asNew, ...place } };
  }
  const atOnce: CampaignPatch =
    verb === 'start' ? { startedAt: now } : { startedAt: now, startAt: undefined, latestStart: undefined };
  return { to: 'running', patch: { ...atOnce, ...asNew, ...place } };
}

function toDate(milliseconds: number | undefined): Date | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds);
}

/** Returns whether a campaign was held before it started, and its time has passed: to resume it is to start it now. */
export function isHeldPastStart(
  { state, startAt, startedAt }: Pick<Campaign, 'state' | 'startAt' | 'startedAt'>,
  now: Date,
): boolean {
  return state === 'paused' && startAt !== undefined && startedAt === undefined && startAt <= now;
}
