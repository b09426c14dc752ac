import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createYield } from '../../../lib/yield-to-event-loop.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
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

/** Returns the times of a run at another time, which may start as late as the one before. */
export function timesAt(
  at: Date,
  { startAt, latestStart }: Pick<Campaign, 'startAt' | 'latestStart'>,
): Pick<CampaignPatch, 'startAt' | 'latestStart'> {
  return startAt === undefined || latestStart === undefined
    ? { startAt: at, latestStart: undefined }
    : { startAt: at, latestStart: new Date(at.getTime() + latestStart.getTime() - startAt.getTime()) };
}

/** Returns whether a campaign was held before it started, and its time has passed: to resume it is to start it now. */
export function isHeldPastStart(
  { state, startAt, startedAt }: Pick<Campaign, 'state' | 'startAt' | 'startedAt'>,
  now: Date,
): boolean {
  return state === 'paused' && startAt !== undefined && startedAt === undefined && startAt <= now;
}

/** What approvers are shown of a campaign. No phone number. */
export const campaignApprovalSchema = z.object({
  /** Of everything that is approved: see `startHash`. */
  hash: z.string(),
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
  /** What it probably costs, as `CostEstimate`; absent where that is not known. */
  cost: z.object({ total: z.string(), perPage: z.string() }).exactOptional(),
});
export type CampaignApproval = z.infer<typeof campaignApprovalSchema>;

/** What a start depends on beside its campaign's row. */
export interface StartFacts {
  start: CampaignStart;
  /** See `digestRecipients`. */
  list: string;
  cost: CampaignApproval['cost'];
}

/**
 * Returns a digest of all recipients as they are stored: numbers, own texts and rows of the file, in their order. In
 * constant memory, and other work goes on meanwhile.
 */
export async function digestRecipients(
  { workspaceId, id }: Pick<Campaign, 'workspaceId' | 'id'>,
  campaigns: Pick<CampaignRepository, 'chunks'>,
): Promise<string> {
  const hash = createHash('sha256');
  const pause = createYield();
  for await (const { number, to, text, cells, pages } of campaigns.chunks(workspaceId, id, ['waiting'])) {
    hash.update(`${JSON.stringify([number, to, text ?? null, cells ?? null, pages])}\n`);
    await pause();
  }
  return hash.digest('base64url');
}

/**
 * Returns the hash of what is approved: list, text, columns, route, sender, pages, price, and the time and place of the
 * start, with the times that the campaign has until then.
 */
export function startHash(campaign: Campaign, { start, list, cost }: StartFacts): string {
  const { workspaceId, id, createdBy, name, route, senderId, personal, text, columns, retryOf } = campaign;
  const { state, channelId, startAt, latestStart, counts } = campaign;
  const parts = {
    campaign: [workspaceId, id, createdBy, name, retryOf],
    message: [text, columns, personal, route, senderId],
    list,
    counts: countsOf(counts),
    cost,
    start: [start.verb, start.startAt, start.latestStart, start.zone, start.channelId],
    before: [state, startAt?.getTime(), latestStart?.getTime(), channelId],
  };
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}

/** Returns what approvers are shown, with the hash of it. */
export function describeCampaignStart(campaign: Campaign, facts: StartFacts): CampaignApproval {
  const { name, text = '', personal, route, senderId, counts } = campaign;
  const { start, cost } = facts;
  return {
    hash: startHash(campaign, facts),
    start,
    name,
    text,
    personal,
    route,
    senderId,
    counts: countsOf(counts),
    ...(cost && { cost }),
  };
}

function countsOf({
  recipients,
  duplicates,
  suppressed,
  acceptedBefore,
  invalid,
  pages,
  fewestPages,
  mostPages,
}: Campaign['counts']): CampaignApproval['counts'] {
  return {
    recipients,
    duplicates,
    suppressed,
    ...(acceptedBefore > 0 && { acceptedBefore }),
    invalid,
    pages,
    fewestPages,
    mostPages,
  };
}

/**
 * Returns what tells a campaign that was reviewed from one that has taken its place under the same id. The same form that is
 * submitted twice makes the same one, and who is removed from it does not change it: nobody gets it who was not reviewed.
 */
export function reviewedContent({ name, route, senderId, text, columns, counts }: Campaign): string {
  const { recipients, suppressed, acceptedBefore, duplicates, invalid } = counts;
  const rows = [recipients + suppressed + acceptedBefore, duplicates, invalid];
  const content = JSON.stringify([name, route, senderId, text, columns, rows]);
  return createHash('sha256').update(content).digest('base64url');
}
