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

/**
 * Finds what went to a number, which is stored there as a keyed hash alone: in the tables `operation_number` and
 * `campaign_number`, which the ledger and the campaigns write.
 */
export function createPhoneIndex({ db, phoneHashes }: StoreContext) {
  const campaignsTo = (workspaceId: string, hashes: readonly string[]) =>
    db
      .selectFrom('campaign')
      .innerJoin('campaignNumber', 'campaignNumber.campaign', 'campaign.sequence')
      .where('campaign.workspaceId', '=', workspaceId)
      .where('campaign.state', 'not in', ['reading', 'ready'])
      .where('campaignNumber.hash', 'in', hashes);

  return {
    /** Returns how many operations and campaigns of other users `find` would find. */
    async countOfOthers(workspaceId: string, number: string, userId: string): Promise<number> {
      const hashes = await phoneHashes.of(workspaceId, [number]);
      const [operations, campaigns] = await Promise.all([
        db
          .selectFrom('operationNumber')
          .innerJoin('operation', 'operation.id', 'operationNumber.operationId')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('operationNumber.hash', 'in', hashes)
          .where('operation.userId', '<>', userId)
          .executeTakeFirstOrThrow(),
        campaignsTo(workspaceId, hashes)
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('campaign.createdBy', '<>', userId)
          .executeTakeFirstOrThrow(),
      ]);
      return operations.count + campaigns.count;
    },

    /**
     * Returns the latest first, up to `limit` of each. An operation is found if its intent named the number, a campaign by
     * the chunk that holds it, once it was confirmed. Nothing older than the retention time is found.
     *
     * @param number E.164: `+2348031234567`
     * @param query.userId whose operations and campaigns; everyone's when left out
     */
    async find(
      workspaceId: string,
      number: string,
      { limit, userId }: { limit: number; userId?: string | undefined },
    ): Promise<{ operationIds: string[]; campaigns: FoundChunk[] }> {
      const hashes = await phoneHashes.of(workspaceId, [number]);
      let operations = db
        .selectFrom('operationNumber')
        .select('operationId')
        .where('operationNumber.hash', 'in', hashes)
        .orderBy('operationNumber.createdAt', 'desc')
        .orderBy('operationId', 'desc')
        .limit(limit);
      let chunks = campaignsTo(workspaceId, hashes)
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
        .orderBy('campaign.sequence', 'desc')
        .limit(limit);
      if (userId !== undefined) {
        operations = operations
          .innerJoin('operation', 'operation.id', 'operationNumber.operationId')
          .where('operation.userId', '=', userId);
        chunks = chunks.where('campaign.createdBy', '=', userId);
      }
      return {
        operationIds: (await operations.execute()).map(({ operationId }) => operationId),
        campaigns: (await chunks.execute()).flatMap(({ id, claimedId, ...chunk }): FoundChunk[] => {
          if (id === undefined) {
            return [];
          }
          // Who was unconfirmed there, and turned out to have got a message, is accepted.
          return claimedId
            ? [{ id, chunk: chunk.chunk, state: 'accepted', providerId: claimedId }]
            : [{ id, ...chunk }];
        }),
      };
    },
  };
}
