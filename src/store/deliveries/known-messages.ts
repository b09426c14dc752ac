import type { Kysely } from 'kysely';
import { findChunkRecipients } from '../campaigns/reported/chunk-recipients.ts';
import type { Schema } from '../schema.ts';

/** A message to one number. */
export interface MessageToNumber {
  provider_id: string;
  /** Of the number. */
  hash: string;
}

/** Of what a message is. */
export interface KnownMessage {
  /** The sequence of the campaign that has its number as an accepted recipient; undefined where none has. */
  campaign: number | undefined;
}

export function messageName({ provider_id, hash }: MessageToNumber): string {
  return JSON.stringify([provider_id, hash]);
}

/**
 * Returns, by their names, the messages that the answer to a request has named, or that an operation or a recipient of a
 * campaign turned out to be.
 */
export async function findKnownMessages(
  db: Kysely<Schema>,
  workspaceId: string,
  messages: readonly MessageToNumber[],
): Promise<Map<string, KnownMessage>> {
  if (messages.length === 0) {
    return new Map();
  }
  const ids = [...new Set(messages.map(({ provider_id }) => provider_id))];
  const ofOperations = await db
    .selectFrom('operation')
    .select('provider_id')
    .where('workspace_id', '=', workspaceId)
    .where('provider_id', 'in', ids)
    .execute();
  const operations = new Set(ofOperations.map(({ provider_id }) => provider_id));
  const claims = await db
    .selectFrom('message_claim')
    .select(['provider_id', 'hash', 'campaign'])
    .where('workspace_id', '=', workspaceId)
    .where('provider_id', 'in', ids)
    .execute();
  const claimed = new Map(claims.map((claim) => [messageName(claim), claim.campaign]));
  const chunks = Map.groupBy(await chunksNamed(db, workspaceId, ids), ({ provider_id }) => provider_id);
  const isRecipient = await findChunkRecipients(
    db,
    messages.flatMap(({ provider_id, hash }) =>
      (chunks.get(provider_id) ?? []).map(({ campaign, number }) => ({ campaign, chunk: number, hash })),
    ),
  );
  return new Map(
    messages.flatMap((message): [string, KnownMessage][] => {
      const name = messageName(message);
      const ofCampaign = claimed.get(name);
      if (ofCampaign !== undefined) {
        return [[name, { campaign: ofCampaign ?? undefined }]];
      }
      const named = chunks.get(message.provider_id) ?? [];
      const own = named.find(({ campaign, number }) =>
        isRecipient({ campaign, chunk: number, hash: message.hash }),
      );
      return named.length > 0 || operations.has(message.provider_id)
        ? [[name, { campaign: own?.campaign }]]
        : [];
    }),
  );
}

async function chunksNamed(db: Kysely<Schema>, workspaceId: string, ids: readonly string[]) {
  return db
    .selectFrom('campaign_chunk')
    .innerJoin('campaign', 'campaign.sequence', 'campaign_chunk.campaign')
    .select(['campaign_chunk.provider_id', 'campaign_chunk.campaign', 'campaign_chunk.number'])
    .where('campaign_chunk.provider_id', 'in', ids)
    .where('campaign_chunk.state', '=', 'accepted')
    .where('campaign.workspace_id', '=', workspaceId)
    .orderBy('campaign_chunk.campaign')
    .execute();
}
