import { z } from 'zod';
import { seenSchema } from '../../../domain/limits/seen.ts';
import { isHeld } from '../../../store/campaigns/campaign-moves.ts';
import type { Campaign, CampaignPatch, CampaignState } from '../../../store/campaigns/campaigns.ts';
import type { CostEstimate } from '../../costs/estimate.ts';

/**
 * How a user asked to start a campaign:
 *
 * - `start`: a draft, now or scheduled;
 * - `start_now`: a scheduled or missed campaign, immediately;
 * - `change_time`: a scheduled or missed campaign, at another time;
 * - `resume`: a paused campaign that was held past its start time after a restore, or was edited while
 *   paused.
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

/** The states a campaign can be started from. */
export const startableStates = {
  start: ['ready'],
  start_now: ['scheduled', 'missed'],
  change_time: ['scheduled', 'missed'],
  resume: ['paused'],
} as const satisfies Record<CampaignStart['verb'], readonly CampaignState[]>;

/** Returns the state and changes that a start leads to. `startedAt`: set if the campaign was partly sent. */
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
  const inChannel: CampaignPatch = channelId === undefined ? {} : { channelId };
  if (startAt !== undefined) {
    const latest = latestStart === undefined ? undefined : new Date(latestStart);
    const times = { startAt: new Date(startAt), zone, latestStart: latest };
    return { to: 'scheduled', patch: { ...times, ...asNew, ...inChannel } };
  }
  const atOnce: CampaignPatch = {
    startedAt: startedAt ?? now,
    ...(verb !== 'start' && { startAt: undefined, latestStart: undefined }),
  };
  return { to: 'running', patch: { ...atOnce, ...asNew, ...inChannel } };
}

/** Returns when sending begins if the campaign is started now. */
export function startingAt({ startAt }: CampaignStart, now: Date): Date {
  return startAt === undefined ? now : new Date(startAt);
}

/** Turns an immediate start into one scheduled for `at`, so that it may run late. */
export function startedAt({ verb, channelId, zone }: CampaignStart, at: Date): CampaignStart {
  return {
    verb,
    startAt: at.getTime(),
    zone: zone ?? 'Africa/Lagos',
    ...(channelId !== undefined && { channelId }),
  };
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
 * Whether resuming a paused campaign needs a review, and approval if required, like a new start: it was held
 * past its start time, or edited while paused.
 */
export function isStartedAnew(
  { state, startAt, startedAt, pause }: Pick<Campaign, 'state' | 'startAt' | 'startedAt' | 'pause'>,
  now: Date,
): boolean {
  const isHeldPastStart = startAt !== undefined && startedAt === undefined && startAt <= now;
  return state === 'paused' && (isHeldPastStart || pause?.isEdited === true);
}

/**
 * Returns when a campaign would send if resumed now. If it was paused before its start time, it still waits
 * for that time.
 */
export function resumesAt(
  campaign: Pick<Campaign, 'state' | 'startAt' | 'startedAt' | 'pause'>,
  now: Date,
): Date {
  const { startAt = now, startedAt } = campaign;
  return startedAt === undefined && !isStartedAnew(campaign, now) ? startAt : now;
}

/**
 * Whether the campaign's approval covers starting now. An approval is for one version, with a deadline, and
 * for one start: restored data can't tell whether that start already happened.
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
  /** The approved version, see `versionOf`. */
  version: z.string(),
  start: campaignStartSchema,
  name: z.string(),
  text: z.string(),
  personal: z.boolean(),
  /** See `NewCampaign`. */
  isMessage: z.literal(true).exactOptional(),
  route: z.string(),
  senderId: z.string(),
  counts: z.object({
    recipients: z.number(),
    duplicates: z.number(),
    suppressed: z.number(),
    /** Absent instead of 0. */
    acceptedBefore: z.number().exactOptional(),
    invalid: z.number(),
    pages: z.number(),
    fewestPages: z.number(),
    mostPages: z.number(),
  }),
  /** The known part of its cost, see `CostEstimate`. */
  cost: z.object({ total: z.string(), pages: z.number(), unknownPages: z.number() }).exactOptional(),
  /** The price of a page by country, where known. */
  prices: z.record(z.string(), z.string()).default({}),
  /** Facts shown with the request that may change before it is decided. */
  seen: seenSchema,
});
export type CampaignApproval = z.infer<typeof campaignApprovalSchema>;

/** Returns the campaign as shown to approvers. */
export function describeCampaignStart(
  { version, name, text = '', personal, isMessage, route, senderId, counts }: Campaign,
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
    ...(isMessage && { isMessage }),
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
 * Whether the price of a page is unchanged, or still unknown, in every country. Opt-outs may have reduced
 * pages and countries.
 */
export function isSamePrice(before: CampaignApproval['prices'], now: CostEstimate): boolean {
  return (
    pricesOf(now).every(({ country, perPage }) => before[country] === perPage) &&
    now.unknown.every(({ country }) => before[country] === undefined)
  );
}

const pricesOf = (estimate: CostEstimate) => (estimate.kind === 'known' ? estimate.prices : []);
