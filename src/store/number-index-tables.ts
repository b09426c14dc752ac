import type { Kysely } from 'kysely';
import type { NumberHashes } from './number-hashes.ts';
import type { NumberIndex } from './number-index.ts';
import type { Schema } from './schema.ts';

/** The index in the tables `operation_number` and `campaign_number`, which the ledger and the campaigns write. */
export function createNumberIndex(db: Kysely<Schema>, numberHashes: NumberHashes): NumberIndex {
  return {
    async find(workspaceId, number, { limit }) {
      const hashes = await numberHashes.of(workspaceId, [number]);
      const operations = await db
        .selectFrom('operation_number')
        .select('operation_id')
        .where('hash', 'in', hashes)
        .orderBy('created_at', 'desc')
        .orderBy('operation_id', 'desc')
        .limit(limit)
        .execute();
      const chunks = await db
        .selectFrom('campaign_number')
        .innerJoin('campaign', 'campaign.sequence', 'campaign_number.campaign')
        .select(['campaign.id', 'campaign_number.chunk'])
        .where('campaign_number.hash', 'in', hashes)
        .where('campaign.workspace_id', '=', workspaceId)
        .where('campaign.state', '<>', 'reading')
        .orderBy('campaign_number.campaign', 'desc')
        .limit(limit)
        .execute();
      return {
        operationIds: operations.map(({ operation_id }) => operation_id),
        campaigns: chunks.flatMap(({ id, chunk }) => (id === null ? [] : [{ id, chunk }])),
      };
    },
  };
}
