import { randomInt } from 'node:crypto';
import { chunkSize } from '../../../domain/messages/chunk-size.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../../domain/phone/phone-number.ts';
import type { CampaignRepository } from '../../../store/campaigns/campaign-repository.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';

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
