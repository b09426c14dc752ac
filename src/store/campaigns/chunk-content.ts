// Apart from row-mapping.ts, as the store’s thread loads it: without zod, that thread takes 8 MB less.
import type { AdditionalData } from '../engine/encryption/cipher.ts';

/** Returns what the recipients of a chunk are bound to, as `campaignChunkContent` declares. */
export const chunkAdditionalData = (
  workspaceId: string,
  campaign: number,
  number: number,
): AdditionalData => ['campaign_chunk_content', workspaceId, campaign, number];

/** Returns the numbers without their plus, as the provider takes them. */
export function readDigits(content: string): { digits: string[]; text?: string | undefined } {
  const [numbers = ''] = firstLine(content).split('\t', 1);
  const end = content.indexOf('\n');
  return { digits: numbers.split(' '), text: end < 0 ? undefined : content.slice(end + 1) };
}

/** Returns the content without the rows of the file, which sending does not need. */
export function withoutCells(content: string): string {
  const line = firstLine(content);
  const tab = line.indexOf('\t');
  return tab < 0 ? content : content.slice(0, tab) + content.slice(line.length);
}

export function firstLine(content: string): string {
  const end = content.indexOf('\n');
  return end < 0 ? content : content.slice(0, end);
}
