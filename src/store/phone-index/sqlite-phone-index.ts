import type { Kysely } from 'kysely';
import { type OperationError, operationErrorSchema } from '../operations/ledger.ts';
import type { Schema } from '../schema.ts';
import type { PhoneHashes } from '../encryption/phone-hashes.ts';
import type { PhoneIndex } from './phone-index.ts';

/** The index in the tables `operation_number` and `campaign_number`, which the ledger and the campaigns write. */
export function createPhoneIndex(db: Kysely<Schema>, numberHashes: PhoneHashes): PhoneIndex {
  return {
    async find(workspaceId, number, { limit, userId }) {
      const hashes = await numberHashes.of(workspaceId, [number]);
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
        .select(['campaign.id', 'campaign_number.chunk', 'campaign_chunk.state', 'campaign_chunk.error'])
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
        campaigns: (await chunks.execute()).flatMap(({ id, chunk, state, error }) =>
          id === null ? [] : [{ id, chunk, state, ...(error === null ? {} : { error: readError(error) }) }],
        ),
      };
    },
  };
}

function readError(json: string): OperationError {
  return operationErrorSchema.parse(JSON.parse(json));
}
