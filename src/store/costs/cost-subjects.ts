import type { Transaction } from 'kysely';
import { z } from 'zod';
import type { Schema } from '../schema.ts';
import type { CostSubject } from './cost-tables.ts';

/** What a message was sent by. */
export interface MessageSubject {
  subject: CostSubject;
  id: string;
  userId: string;
  senderId: string;
  /** In milliseconds since 1970. */
  begunAt: number;
  /** Pages of the message to one number; 0 where they are not known. */
  pagesEach: number;
}

const summarySchema = z.object({ senderId: z.string().optional(), recipients: z.number().optional() });

/** Returns what sent each of these messages, as far as an answer has named them, or it has turned out from reports. */
export async function findSubjects(
  transaction: Transaction<Schema>,
  workspaceId: string,
  providerIds: readonly string[],
): Promise<Map<string, MessageSubject>> {
  const chunks = await ofChunks(transaction, workspaceId, providerIds);
  const resolved = await ofResolvedRecipients(transaction, workspaceId, providerIds);
  const operations = await transaction
    .selectFrom('operation')
    .select(['provider_id', 'key', 'user_id', 'summary', 'pages', 'created_at'])
    .where('workspace_id', '=', workspaceId)
    .where('provider_id', 'in', providerIds)
    .execute();
  const beside = await transaction
    .selectFrom('message_claim')
    .innerJoin('operation', 'operation.id', 'message_claim.operation_id')
    .select(['message_claim.provider_id', 'operation.key', 'operation.user_id', 'operation.summary'])
    .select(['operation.pages', 'operation.created_at'])
    .where('message_claim.workspace_id', '=', workspaceId)
    .where('message_claim.provider_id', 'in', providerIds)
    .execute();
  const found = new Map<string, MessageSubject>();
  for (const row of [...chunks, ...resolved]) {
    if (row.provider_id !== null && row.id !== null) {
      found.set(row.provider_id, {
        subject: 'campaign',
        id: row.id,
        userId: row.created_by,
        senderId: row.sender_id,
        begunAt: row.started_at ?? row.created_at,
        pagesEach: row.recipients === 0 ? 0 : Math.round(row.pages / row.recipients),
      });
    }
  }
  for (const row of [...operations, ...beside]) {
    const summary: unknown = JSON.parse(row.summary);
    const { senderId = '', recipients = 1 } = summarySchema.safeParse(summary).data ?? {};
    if (row.provider_id !== null) {
      found.set(row.provider_id, {
        subject: 'operation',
        id: row.key,
        userId: row.user_id,
        senderId,
        begunAt: row.created_at,
        pagesEach: row.pages === null || recipients === 0 ? 0 : Math.round(row.pages / recipients),
      });
    }
  }
  return found;
}

async function ofChunks(
  transaction: Transaction<Schema>,
  workspaceId: string,
  providerIds: readonly string[],
) {
  return chunksOfCampaigns(transaction, workspaceId)
    .select('campaign_chunk.provider_id')
    .where('campaign_chunk.provider_id', 'in', providerIds)
    .execute();
}

/** Of recipients whose answer was lost, and whose message is known from reports. */
async function ofResolvedRecipients(
  transaction: Transaction<Schema>,
  workspaceId: string,
  providerIds: readonly string[],
) {
  return chunksOfCampaigns(transaction, workspaceId)
    .innerJoin('message_claim', (join) =>
      join
        .onRef('message_claim.campaign', '=', 'campaign_chunk.campaign')
        .onRef('message_claim.chunk', '=', 'campaign_chunk.number'),
    )
    .select('message_claim.provider_id')
    .where('message_claim.workspace_id', '=', workspaceId)
    .where('message_claim.provider_id', 'in', providerIds)
    .execute();
}

function chunksOfCampaigns(transaction: Transaction<Schema>, workspaceId: string) {
  return transaction
    .selectFrom('campaign_chunk')
    .innerJoin('campaign', 'campaign.sequence', 'campaign_chunk.campaign')
    .select(['campaign_chunk.recipients', 'campaign_chunk.pages', 'campaign.id', 'campaign.created_by'])
    .select(['campaign.sender_id', 'campaign.started_at', 'campaign.created_at'])
    .where('campaign.workspace_id', '=', workspaceId);
}
