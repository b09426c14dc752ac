import { z } from 'zod';
import { seenSchema } from '../../../domain/limits/seen.ts';
import { isHeld } from '../../../store/campaigns/campaign-moves.ts';
import type { Campaign, CampaignPatch, CampaignState } from '../../../store/campaigns/campaigns.ts';
import type { CostEstimate } from '../../costs/estimate.ts';

/**
 * A way in which a campaign gets to start, as a user asked for it:
 *
 * - `start`: a draft, now or at a time;
 * - `start_now`: one that was scheduled, or missed its time;
 * - `change_time`: the same, at another time;
 * - `resume`: one that was scheduled and is paused since the data was restored, and whose time has passed; or one that was
 *   changed while it was paused.
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

/** The states from which a campaign gets to start. */
export const startableStates = {
  start: ['ready'],
  start_now: ['scheduled', 'missed'],
  change_time: ['scheduled', 'missed'],
  resume: ['paused'],
} as const satisfies Record<CampaignStart['verb'], readonly CampaignState[]>;

/** Returns where a start moves a campaign, and with what. `startedAt`: of one that was sent in part. */
export function moveOf(
  { verb, startAt, latestStart, zone, channelId }: CampaignStart,
  now: Date,
  startedAt?: Date | undefined,
): { to: Extract<CampaignState, 'running' | 'scheduled'>; patch: CampaignPatch } {
  if (verb === 'resume' && startAt === undefined) {
    return { to: 'running', patch: startedAt ? {} : { startAt: undefined, latestStart: undefined } };
  }
  // A patch clears what it holds as undefined. It is not resumed, so nobody acted on it last.
  const asNew: CampaignPatch = verb === 'start' ? {} : { lastActionBy: undefined };
  const place: CampaignPatch = channelId === undefined ? {} : { channelId };
  if (startAt !== undefined) {
    const times = { startAt: new Date(startAt), zone, latestStart: toDate(latestStart) };
    return { to: 'scheduled', patch: { ...times, ...asNew, ...place } };
  }
  const atOnce: CampaignPatch = {
    startedAt: startedAt ?? now,
    ...(verb !== 'start' && { startAt: undefined, latestStart: undefined }),
  };
  return { to: 'running', patch: { ...atOnce, ...asNew, ...place } };
}

/** Returns when a start that is made now begins to send. */
export function startingAt({ startAt }: CampaignStart, now: Date): Date {
  return startAt === undefined ? now : new Date(startAt);
}

/** Returns a start that was asked for at once as one at a time, which may be late. */
export function startedAt({ verb, channelId, zone }: CampaignStart, at: Date): CampaignStart {
  return {
    verb,
    startAt: at.getTime(),
    zone: zone ?? 'Africa/Lagos',
    ...(channelId !== undefined && { channelId }),
  };
}

function toDate(milliseconds: number | undefined): Date | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds);
}

/** Returns the times of a run at another time, which may start as late as the one before. */
export function timesAt(
  at: Date,
  { startAt, latestStart }: Pick<Campaign, 'startAt' | 'latestStart'>,
): Pick<CampaignPatch, 'startAt' | 'latestStart'> {
  return startAt === undefined || latestStart === undefined
    ? { startAt: at, latestStart: undefined }
    : { startAt: at, latestStart: new Date(at.getTime() + latestStart.getTime() - startAt.getTime()) };
}

/**
 * Whether a paused campaign goes on as a start does, with a review, and with approval where that is needed: it was held past
 * its time before it started, or somebody changed it.
 */
export function isStartedAnew(
  { state, startAt, startedAt, pause }: Pick<Campaign, 'state' | 'startAt' | 'startedAt' | 'pause'>,
  now: Date,
): boolean {
  const isHeldPastStart = startAt !== undefined && startedAt === undefined && startAt <= now;
  return state === 'paused' && (isHeldPastStart || pause?.isEdited === true);
}

/** Returns when a paused campaign sends that is resumed now: one that was paused before its time waits for that again. */
export function resumesAt(
  campaign: Pick<Campaign, 'state' | 'startAt' | 'startedAt' | 'pause'>,
  now: Date,
): Date {
  const { startAt = now, startedAt } = campaign;
  return startedAt === undefined && !isStartedAnew(campaign, now) ? startAt : now;
}

/**
 * Whether the approval of a paused campaign covers that it starts now. An approval is of a version, which says until when that
 * may be, and of one start: restored data doesn't know whether there was one.
 */
export function isStillApproved(
  { seen, pause, latestStart }: Pick<Campaign, 'seen' | 'pause' | 'latestStart'>,
  now: Date,
): boolean {
  const isSame = seen?.approval === 'given' && pause?.isEdited !== true && !isHeld({ pause });
  return isSame && (latestStart === undefined || now <= latestStart);
}

/** What approvers are shown of a campaign. No phone number. */
export const campaignApprovalSchema = z.object({
  /** What is approved, see `versionOf`. */
  version: z.string(),
  start: campaignStartSchema,
  name: z.string(),
  text: z.string(),
  personal: z.boolean(),
  route: z.string(),
  senderId: z.string(),
  counts: z.object({
    recipients: z.number(),
    duplicates: z.number(),
    suppressed: z.number(),
    /** Absent where there is none. */
    acceptedBefore: z.number().exactOptional(),
    invalid: z.number(),
    pages: z.number(),
    fewestPages: z.number(),
    mostPages: z.number(),
  }),
  /** As `KeptEstimate`. Requests of earlier versions have a cost only where the price of every page was known. */
  cost: z
    .object({ total: z.string(), pages: z.number().default(0), unknownPages: z.number().default(0) })
    .exactOptional(),
  /** Of a page to each country whose price is known. */
  prices: z.record(z.string(), z.string()).default({}),
  /** What the request shows of the facts that may change until it is decided. */
  seen: seenSchema,
});
export type CampaignApproval = z.infer<typeof campaignApprovalSchema>;

/** Returns what approvers are shown. */
export function describeCampaignStart(
  { version, name, text = '', personal, route, senderId, counts }: Campaign,
  { start, estimate }: { start: CampaignStart; estimate: CostEstimate },
): Omit<CampaignApproval, 'seen'> {
  const { recipients, duplicates, suppressed, acceptedBefore, invalid } = counts;
  const { pages, fewestPages, mostPages } = counts;
  return {
    version,
    start,
    name,
    text,
    personal,
    route,
    senderId,
    counts: {
      recipients,
      duplicates,
      suppressed,
      ...(acceptedBefore > 0 && { acceptedBefore }),
      invalid,
      pages,
      fewestPages,
      mostPages,
    },
    ...(estimate.kind === 'known' && {
      cost: { total: estimate.total, pages: estimate.pages, unknownPages: estimate.unknownPages },
    }),
    prices: Object.fromEntries(pricesOf(estimate).map(({ country, perPage }) => [country, perPage])),
  };
}

/**
 * Whether a page costs to each country what it did, or is of no known price as before. There may be fewer pages and countries,
 * as people may have opted out.
 */
export function isSamePrice(before: CampaignApproval['prices'], now: CostEstimate): boolean {
  return (
    pricesOf(now).every(({ country, perPage }) => before[country] === perPage) &&
    now.unknown.every(({ country }) => before[country] === undefined)
  );
}

const pricesOf = (estimate: CostEstimate) => (estimate.kind === 'known' ? estimate.prices : []);
