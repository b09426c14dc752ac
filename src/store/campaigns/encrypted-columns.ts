import type { AdditionalData } from '../encryption/cipher.ts';
import type { EncryptedColumn } from '../encryption/encrypted-column.ts';

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

export const campaignTextColumn: EncryptedColumn = {
  table: 'campaign',
  column: 'text',
  key: ['sequence'],
  bound: ['workspace_id', 'id'],
  additionalData: ([, workspaceId, id]) => textAdditionalData(String(workspaceId), String(id)),
  area: ([, , id]) => `text of campaign ${id}`,
};

export const campaignTitlesColumn: EncryptedColumn = {
  ...campaignTextColumn,
  column: 'columns',
  additionalData: ([, workspaceId, id]) => columnsAdditionalData(String(workspaceId), String(id)),
  area: ([, , id]) => `columns of campaign ${id}`,
};

export const chunkColumn: EncryptedColumn = {
  table: 'campaign_chunk_content',
  column: 'value',
  key: ['campaign', 'number'],
  bound: ['workspace_id'],
  additionalData: ([campaign, number, workspaceId]) =>
    chunkAdditionalData(String(workspaceId), Number(campaign), Number(number)),
  area: () => 'recipients of a campaign',
};

export const rejectedRowsColumn: EncryptedColumn = {
  ...chunkColumn,
  table: 'campaign_rejected_row',
  additionalData: ([campaign, number, workspaceId]) =>
    rejectedRowsAdditionalData(String(workspaceId), Number(campaign), Number(number)),
  area: () => 'rows left out of a campaign',
};

export const campaignColumns = [campaignTextColumn, campaignTitlesColumn, chunkColumn, rejectedRowsColumn];
