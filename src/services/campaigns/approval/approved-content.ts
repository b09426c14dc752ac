import { createHash } from 'node:crypto';
import { z } from 'zod';
import { createYield } from '../../../lib/yield-to-event-loop.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import { type CampaignStart, campaignStartSchema } from './campaign-start.ts';

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
