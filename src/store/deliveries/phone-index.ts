import type { E164 } from '../../domain/phone/phone-number.ts';
import type { ChunkState } from '../campaigns/campaigns.ts';
import type { StoreContext } from '../context.ts';
import type { OperationError } from '../operations/operation.ts';

/** The chunk of a campaign that a number was in, and what became of it. */
export interface FoundChunk {
  /** The campaign's id. */
  id: string;
  /** Its position in the campaign, from 0. */
  chunk: number;
  state: ChunkState;
  error?: OperationError | undefined;
  /** The provider’s id of its message, once that was accepted. */
  providerId?: string | undefined;
}

export type PhoneIndex = ReturnType<typeof createPhoneIndex>;

/**
 * Finds what went to a number, which is stored there as a keyed hash alone: in the tables `operation_number` and
 * `campaign_number`, which the ledger and the campaigns write.
 */
export function createPhoneIndex({ db, phoneHashes }: StoreContext) {
  return {
    /** Returns the ids of the operations of all users that sent a one-time code to a number, the latest first. */
    async findCodes(workspaceId: string, number: E164, limit: number): Promise<string[]> {
      const rows = await db
        .selectFrom('operationNumber')
        .innerJoin('operation', 'operation.id', 'operationNumber.operationId')
        .select('operation.id')
        .where('operationNumber.hash', 'in', await phoneHashes.of(workspaceId, [number]))
        .where('operation.expiresAt', 'is not', null)
        // Its token was shown to a user, and sent to nobody.
        .where('operation.kind', '<>', 'otp.in_app')
        .orderBy('operationNumber.createdAt', 'desc')
        .orderBy('operation.id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Returns the chunks of these campaigns that have the number, by the campaigns’ ids. */
    async chunksOf(
      workspaceId: string,
      number: E164,
      ids: readonly string[],
    ): Promise<Map<string, FoundChunk>> {
      const rows =
        ids.length === 0
          ? []
          : await db
              .selectFrom('campaign')
              .innerJoin('campaignNumber', 'campaignNumber.campaign', 'campaign.sequence')
              .innerJoin('campaignChunk', (join) =>
                join
                  .onRef('campaignChunk.campaign', '=', 'campaignNumber.campaign')
                  .onRef('campaignChunk.number', '=', 'campaignNumber.chunk'),
              )
              .leftJoin('messageClaim', (join) =>
                join
                  .onRef('messageClaim.campaign', '=', 'campaignNumber.campaign')
                  .onRef('messageClaim.chunk', '=', 'campaignNumber.chunk')
                  .onRef('messageClaim.hash', '=', 'campaignNumber.hash'),
              )
              .select(['campaign.id', 'campaignNumber.chunk', 'campaignChunk.state', 'campaignChunk.error'])
              .select(['campaignChunk.providerId', 'messageClaim.providerId as claimedId'])
              .where('campaign.workspaceId', '=', workspaceId)
              .where('campaign.id', 'in', ids)
              .where('campaignNumber.hash', 'in', await phoneHashes.of(workspaceId, [number]))
              .execute();
      const chunks = rows.flatMap(({ id, claimedId, ...chunk }): FoundChunk[] => {
        if (id === undefined) {
          return [];
        }
        // Who was unconfirmed there, and turned out to have got a message, is accepted.
        return claimedId
          ? [{ id, chunk: chunk.chunk, state: 'accepted', providerId: claimedId }]
          : [{ id, ...chunk }];
      });
      return new Map(chunks.map((chunk) => [chunk.id, chunk]));
    },
  };
}
