import { randomInt } from 'node:crypto';
import { type DeliveryFacts, nigerianAmong } from '../../../domain/deliveries/delivery-check.ts';
import { chunkSize } from '../../../domain/messages/chunk-size.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { meetsQuietHours, quietHoursEnd } from '../../../domain/messages/quiet-hours.ts';
import { routeSchema, type Warning, warningsFor } from '../../../domain/messages/routes.ts';
import { maskNumber, type PhoneNumber, phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';

/** What a user reviews before the campaign starts. */
export interface Preview {
  campaign: Campaign;
  /** The table's columns and which of them holds the numbers; undefined where there is nothing to choose between. */
  columns?: { titles: string[]; chosen: number } | undefined;
  /** At most three. */
  examples: Example[];
  /** About the text and the route. Who has quiet hours is in `counts.quiet`. */
  warnings: Warning[];
  /** What the check before a send goes by, with the first example's text. */
  delivery: DeliveryFacts;
  /** The time that sending takes at the allowed rate, in milliseconds. */
  durationMs: number;
  /** The next 08:00 in Lagos, when messages of a start now would meet quiet hours. */
  quietUntil?: Date | undefined;
}

/** A message as one recipient gets it. */
export interface Example {
  /** Masked. */
  to: string;
  text: string;
  pages: number;
}

export type CreatePreview = (campaign: Campaign, columns?: Preview['columns']) => Promise<Preview>;

const maxExamples = 3;

export async function createPreview(
  campaign: Campaign,
  options: {
    campaigns: CampaignRepository;
    messagesPerSecond: number;
    now: Date;
    columns: Preview['columns'];
  } & Pick<DeliveryFacts, 'activeSenderIds' | 'off'>,
): Promise<Preview> {
  const { campaigns, messagesPerSecond, now, columns, activeSenderIds, off } = options;
  const examples = await readExamples(campaign, campaigns);
  const route = routeSchema.parse(campaign.route);
  const text = examples[0]?.text ?? '';
  const warnings = warningsFor({
    route,
    text,
    recipients: [],
    dndActive: [],
    doNotContact: [],
    dndUnknown: [],
    now,
  });
  const durationMs = (campaign.counts.recipients / messagesPerSecond) * 1000;
  const quietUntil = findQuietUntil(campaign, now, durationMs);
  const { senderId } = campaign;
  const recipients = nigerianIn(campaign, await sampleRecipients(campaign, campaigns));
  const delivery = { route, senderId, text, recipients, activeSenderIds, off };
  return { campaign, columns, examples, warnings, delivery, durationMs, quietUntil };
}

/** The counts cover everybody; the networks are those of a sample. */
function nigerianIn({ counts, countries }: Campaign, sample: readonly PhoneNumber[]) {
  const read = nigerianAmong(sample);
  const count = countries === undefined ? counts.recipients : (countries.NG ?? 0);
  return { ...read, count: Math.min(count, counts.recipients), quiet: counts.quiet };
}

async function readExamples(campaign: Campaign, campaigns: CampaignRepository): Promise<Example[]> {
  const examples: Example[] = [];
  for await (const chunk of campaigns.chunks(campaign.workspaceId, campaign.id, ['waiting'])) {
    const text = chunk.text ?? campaign.text ?? '';
    for (const to of chunk.to.slice(0, maxExamples - examples.length)) {
      examples.push({ to: maskNumber(phoneNumberSchema.parse(to)), text, pages: countPages(text).pages });
    }
    if (examples.length === maxExamples) {
      break;
    }
  }
  return examples;
}

/** Operators hold messages of the generic route back during quiet hours (API §8). */
function findQuietUntil({ route, counts }: Campaign, now: Date, durationMs: number): Date | undefined {
  if (route !== 'generic' || counts.quiet === 0) {
    return undefined;
  }
  return meetsQuietHours(now, durationMs) ? quietHoursEnd(now) : undefined;
}

/** Enough to estimate a share; each number is a request to the provider (API §4.9). */
const sampleSize = 1_000;

/** Returns up to a thousand recipients: all of a short list, a random sample of a longer one. */
export async function sampleRecipients(
  { workspaceId, id, counts, personal }: Campaign,
  campaigns: CampaignRepository,
): Promise<PhoneNumber[]> {
  if (counts.recipients <= sampleSize) {
    const all: PhoneNumber[] = [];
    for await (const { to } of campaigns.chunks(workspaceId, id, ['waiting'])) {
      all.push(...to.map((number) => phoneNumberSchema.parse(number)));
    }
    return all;
  }
  // Positions are those of the import: one whose recipient was suppressed since adds nobody to the sample.
  const positions = new Set<number>();
  while (positions.size < sampleSize) {
    positions.add(randomInt(counts.recipients));
  }
  const size = chunkSize({ personal });
  const chunkNumbers = new Set([...positions].map((position) => Math.floor(position / size)));
  const chunks = new Map<number, readonly string[]>();
  for (const { number, to } of await campaigns.pick(workspaceId, id, [...chunkNumbers])) {
    chunks.set(number, to);
  }
  return [...positions].flatMap((position) => {
    const number = chunks.get(Math.floor(position / size))?.[position % size];
    return number === undefined ? [] : [phoneNumberSchema.parse(number)];
  });
}
