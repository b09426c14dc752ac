import type { AdditionalData } from '../encryption/cipher.ts';

/* Where what is encrypted of a campaign belongs. */

export const textAdditionalData = (workspaceId: string, id: string): AdditionalData => [
  'campaign',
  workspaceId,
  id,
];

export const chunkAdditionalData = (
  workspaceId: string,
  campaign: number,
  number: number,
): AdditionalData => ['campaign_chunk_content', workspaceId, campaign, number];

export const rejectedRowAdditionalData = (
  workspaceId: string,
  campaign: number,
  number: number,
): AdditionalData => ['campaign_left_out', workspaceId, campaign, number];
