import type { Kysely } from 'kysely';
import { findChunkRecipients } from '../campaigns/recipient-queries.ts';
import { messageKinds } from '../operations/operation.ts';
import { type Schema, typed } from '../schema.ts';

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
 * campaign turned out to be, of any workspace: several may use one account of the provider.
 *
 * @param workspaceId the messages’ own, whose campaigns are returned
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
  const operations = await db
    .selectFrom('operation')
    .select('provider_id')
    .where('provider_id', 'in', ids)
    .where('kind', 'in', messageKinds)
    .execute();
  const claims = await db
    .selectFrom('message_claim')
    .select(['workspace_id', 'provider_id', 'hash', 'campaign'])
    .where('provider_id', 'in', ids)
    .execute();
  const chunks = await chunksNamed(db, ids);
  const isOwn = (row: { workspace_id: string }) => row.workspace_id === workspaceId;
  const claimed = new Map(claims.filter(isOwn).map((claim) => [messageName(claim), claim.campaign]));
  const ownChunks = Map.groupBy(chunks.filter(isOwn), ({ provider_id }) => provider_id);
  // A claim of another workspace has its own hash of the number: all of its messages are taken for claimed.
  const named = new Set(
    [...operations, ...chunks, ...claims.filter((row) => !isOwn(row))].map(({ provider_id }) => provider_id),
  );
  const isRecipient = await findChunkRecipients(
    typed(db),
    messages.flatMap(({ provider_id, hash }) =>
      (ownChunks.get(provider_id) ?? []).map(({ campaign, number }) => ({ campaign, chunk: number, hash })),
    ),
  );
  return new Map(
    messages.flatMap((message): [string, KnownMessage][] => {
      const name = messageName(message);
      const ofCampaign = claimed.get(name);
      if (ofCampaign !== undefined) {
        return [[name, { campaign: ofCampaign ?? undefined }]];
      }
      const own = ownChunks
        .get(message.provider_id)
        ?.find(({ campaign, number }) => isRecipient({ campaign, chunk: number, hash: message.hash }));
      return named.has(message.provider_id) ? [[name, { campaign: own?.campaign }]] : [];
    }),
  );
}

/**
 * Returns, by their names, the messages with an id that the answer to an operation of their workspace has named, and a number
 * that is none of its own.
 */
export async function findForeignMessages(
  db: Kysely<Schema>,
  workspaceId: string,
  messages: readonly MessageToNumber[],
): Promise<Set<string>> {
  const ids = [...new Set(messages.map(({ provider_id }) => provider_id))];
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('operation')
          .innerJoin('operation_number', (join) =>
            join
              // By the time as well, which its index begins with.
              .onRef('operation_number.created_at', '=', 'operation.created_at')
              .onRef('operation_number.operation_id', '=', 'operation.id'),
          )
          .select(['operation.provider_id', 'operation_number.hash'])
          .where('operation.workspace_id', '=', workspaceId)
          .where('operation.provider_id', 'in', ids)
          .where('operation.kind', 'in', messageKinds)
          .execute();
  const hashes = Map.groupBy(rows, (row) => row.provider_id);
  const foreign = messages.filter(
    ({ provider_id, hash }) => hashes.get(provider_id)?.every((own) => own.hash !== hash) ?? false,
  );
  return new Set(foreign.map(messageName));
}

async function chunksNamed(db: Kysely<Schema>, ids: readonly string[]) {
  return db
    .selectFrom('campaign_chunk')
    .innerJoin('campaign', 'campaign.sequence', 'campaign_chunk.campaign')
    .select(['campaign_chunk.provider_id', 'campaign_chunk.campaign', 'campaign_chunk.number'])
    .select('campaign.workspace_id')
    .where('campaign_chunk.provider_id', 'in', ids)
    .where('campaign_chunk.state', '=', 'accepted')
    .orderBy('campaign_chunk.campaign')
    .execute();
}
