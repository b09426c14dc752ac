import type { Place } from './cipher.ts';

/* Where what is encrypted of a campaign belongs. */

export const textPlace = (workspaceId: string, id: string): Place => ['campaign', workspaceId, id];

export const chunkPlace = (workspaceId: string, campaign: number, number: number): Place => [
  'campaign_chunk_content',
  workspaceId,
  campaign,
  number,
];

export const leftOutPlace = (workspaceId: string, campaign: number, number: number): Place => [
  'campaign_left_out',
  workspaceId,
  campaign,
  number,
];
