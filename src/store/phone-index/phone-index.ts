import type { Kysely } from 'kysely';
import type { ChunkState } from '../campaigns/campaigns.ts';
import type { PhoneHashes } from '../encryption/phone-hashes.ts';
import type { OperationError } from '../operations/operation.ts';
import { operationErrorSchema } from '../schema/operations.ts';
import type { Schema } from '../schema.ts';

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

/** Finds what went to a number, which is stored there as a keyed hash alone. */
export interface PhoneIndex {
  /**
   * The latest first, up to `limit` of each. An operation is found if its intent named the number, a campaign by the
   * chunk that holds it, once it was confirmed. Nothing older than the retention time is found.
   *
   * @param number E.164: `+2348031234567`
   * @param query.userId whose operations and campaigns; everyone's when left out
   */
  find(
    workspaceId: string,
    number: string,
    query: { limit: number; userId?: string | undefined },
  ): Promise<{ operationIds: string[]; campaigns: FoundChunk[] }>;
  /** Returns how many operations and campaigns of other users `find` would find. */
  countOfOthers(workspaceId: string, number: string, userId: string): Promise<number>;
}

/** Searches the tables `operation_number` and `campaign_number`, which the ledger and the campaigns write. */
export function createPhoneIndex(db: Kysely<Schema>, phoneHashes: PhoneHashes): PhoneIndex {
  return {
    async countOfOthers(workspaceId, number, userId) {
      const hashes = await phoneHashes.of(workspaceId, [number]);
      const [operations, campaigns] = await Promise.all([
        db
          .selectFrom('operation_number')
          .innerJoin('operation', 'operation.id', 'operation_number.operation_id')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('operation_number.hash', 'in', hashes)
          .where('operation.user_id', '<>', userId)
          .executeTakeFirstOrThrow(),
        db
          .selectFrom('campaign')
          .innerJoin('campaign_number', 'campaign_number.campaign', 'campaign.sequence')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('campaign.workspace_id', '=', workspaceId)
          .where('campaign.state', 'not in', ['reading', 'ready'])
          .where('campaign_number.hash', 'in', hashes)
          .where('campaign.created_by', '<>', userId)
          .executeTakeFirstOrThrow(),
      ]);
      return operations.count + campaigns.count;
    },

    async find(workspaceId, number, { limit, userId }) {
      const hashes = await phoneHashes.of(workspaceId, [number]);
      let operations = db
        .selectFrom('operation_number')
        .select('operation_id')
        .where('operation_number.hash', 'in', hashes)
        .orderBy('operation_number.created_at', 'desc')
        .orderBy('operation_id', 'desc')
        .limit(limit);
      let chunks = db
        .selectFrom('campaign')
        .innerJoin('campaign_number', 'campaign_number.campaign', 'campaign.sequence')
        .innerJoin('campaign_chunk', (join) =>
          join
            .onRef('campaign_chunk.campaign', '=', 'campaign_number.campaign')
            .onRef('campaign_chunk.number', '=', 'campaign_number.chunk'),
        )
        .leftJoin('message_claim', (join) =>
          join
            .onRef('message_claim.campaign', '=', 'campaign_number.campaign')
            .onRef('message_claim.chunk', '=', 'campaign_number.chunk')
            .onRef('message_claim.hash', '=', 'campaign_number.hash'),
        )
        .select(['campaign.id', 'campaign_number.chunk', 'campaign_chunk.state', 'campaign_chunk.error'])
        .select([
          'campaign_chunk.provider_id',
          'message_claim.source',
          'message_claim.provider_id as claimed_id',
        ])
        .where('campaign.workspace_id', '=', workspaceId)
        .where('campaign.state', 'not in', ['reading', 'ready'])
        .where('campaign_number.hash', 'in', hashes)
        .orderBy('campaign.sequence', 'desc')
        .limit(limit);
      if (userId !== undefined) {
        operations = operations
          .innerJoin('operation', 'operation.id', 'operation_number.operation_id')
          .where('operation.user_id', '=', userId);
        chunks = chunks.where('campaign.created_by', '=', userId);
      }
      return {
        operationIds: (await operations.execute()).map(({ operation_id }) => operation_id),
        campaigns: (await chunks.execute()).flatMap(
          ({ id, chunk, state, error, source, provider_id, claimed_id }) =>
            id === null
              ? []
              : // Who was unconfirmed there, and turned out to have got a message, is accepted.
                [
                  source === null
                    ? {
                        id,
                        chunk,
                        state,
                        error: error === null ? undefined : operationErrorSchema.parse(JSON.parse(error)),
                        providerId: provider_id ?? undefined,
                      }
                    : { id, chunk, state: 'accepted', providerId: claimed_id ?? undefined },
                ],
        ),
      };
    },
  };
}
