import type { AdditionalData } from '../encryption/cipher.ts';

export const textAdditionalData = (workspaceId: string, id: string): AdditionalData => [
  'campaign',
  workspaceId,
  id,
];

export const columnsAdditionalData = (workspaceId: string, id: string): AdditionalData => [
  'campaign_columns',
  workspaceId,
  id,
];

export const chunkAdditionalData = (
  workspaceId: string,
  campaign: number,
  number: number,
): AdditionalData => ['campaign_chunk_content', workspaceId, campaign, number];

export const rejectedRowsAdditionalData = (
  workspaceId: string,
  campaign: number,
  number: number,
): AdditionalData => ['campaign_rejected_row', workspaceId, campaign, number];
