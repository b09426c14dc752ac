import type { Kysely } from 'kysely';
import { chunkAdditionalData, rejectedRowAdditionalData } from './additional-data.ts';
import type { Encryption } from '../encryption/cipher.ts';
import { operationErrorSchema } from '../operations/ledger.ts';
import type { Schema } from '../schema.ts';
import type { CampaignRepository } from './campaigns.ts';
import { readRecipients, readRejectedRows } from './row-mapping.ts';

const pageSize = 200;

/** What the other tables know a campaign by. */
export async function sequenceOf(
  db: Kysely<Schema>,
  workspaceId: string,
  id: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('campaign')
    .select('sequence')
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  return row?.sequence;
}

/** Reads whom campaigns go to, and the rows that were left out. */
export function createRecipientQueries({
  db,
  encryption,
}: {
  db: Kysely<Schema>;
  encryption: Encryption;
}): Pick<CampaignRepository, 'pick' | 'chunks' | 'rejectedRows'> {
  const chunksOf = (campaign: number) =>
    db
      .selectFrom('campaign_chunk as chunk')
      .innerJoin('campaign_chunk_content as content', (join) =>
        join.onRef('content.campaign', '=', 'chunk.campaign').onRef('content.number', '=', 'chunk.number'),
      )
      .select(['chunk.number', 'chunk.pages', 'chunk.provider_id', 'chunk.error', 'content.value'])
      .where('chunk.campaign', '=', campaign);

  return {
    async pick(workspaceId, id, numbers) {
      const campaign = await sequenceOf(db, workspaceId, id);
      if (campaign === undefined) {
        return [];
      }
      const rows = await chunksOf(campaign).where('chunk.number', 'in', numbers).execute();
      return rows.map(({ number, pages, value }) => {
        const content = encryption.decrypt(value, chunkAdditionalData(workspaceId, campaign, number));
        return { number, ...readRecipients(content), pages };
      });
    },

    async *chunks(workspaceId, id, states) {
      const campaign = await sequenceOf(db, workspaceId, id);
      if (campaign === undefined) {
        return;
      }
      for (const state of states) {
        let last = -1;
        for (;;) {
          const rows = await chunksOf(campaign)
            .where('chunk.state', '=', state)
            .where('chunk.number', '>', last)
            .orderBy('chunk.number')
            .limit(pageSize)
            .execute();
          for (const { number, pages, provider_id, error, value } of rows) {
            const content = encryption.decrypt(value, chunkAdditionalData(workspaceId, campaign, number));
            yield {
              number,
              ...readRecipients(content),
              pages,
              state,
              providerId: provider_id ?? undefined,
              error: error === null ? undefined : operationErrorSchema.parse(JSON.parse(error)),
            };
            last = number;
          }
          if (rows.length < pageSize) {
            break;
          }
        }
      }
    },

    async *rejectedRows(workspaceId, id) {
      const campaign = await sequenceOf(db, workspaceId, id);
      if (campaign === undefined) {
        return;
      }
      for (let number = 0; ; number += 1) {
        const row = await db
          .selectFrom('campaign_rejected_row')
          .select('value')
          .where('campaign', '=', campaign)
          .where('number', '=', number)
          .executeTakeFirst();
        if (row === undefined) {
          return;
        }
        yield* readRejectedRows(
          encryption.decrypt(row.value, rejectedRowAdditionalData(workspaceId, campaign, number)),
        );
      }
    },
  };
}
