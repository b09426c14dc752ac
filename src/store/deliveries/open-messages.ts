import { type Kysely, sql } from 'kysely';
import { messageKinds } from '../operations/operation.ts';
import type { Schema } from '../schema.ts';

/** A page of a campaign’s messages. `next` is the `after` of the next page, if there is one. */
export interface OpenMessagesPage {
  providerIds: string[];
  next: number | undefined;
}

/** Finds the messages about which the provider can be asked, because it is not known how they ended. */
export interface OpenMessages {
  /**
   * Returns the ids of at most `limit` messages that may be those of an unconfirmed operation: something was reported of one
   * of its numbers since it began, without what tells which request sent it, and no request is known to have sent it.
   */
  reportedOf(
    operation: { workspaceId: string; id: string; createdAt: Date },
    limit: number,
  ): Promise<string[]>;
  /**
   * Returns messages of a campaign to which it is not known for every recipient how it ended. On the first page also those
   * that may be its own, as in `reportedOf`.
   *
   * @param page.after the number of the last chunk of the page before
   */
  ofCampaign(
    campaign: { workspaceId: string; id: string },
    page: { after: number | undefined; limit: number },
  ): Promise<OpenMessagesPage>;
}

export function createOpenMessages(db: Kysely<Schema>): OpenMessages {
  return {
    async reportedOf({ workspaceId, id, createdAt }, limit) {
      const rows = await selectUntold(db, workspaceId, createdAt.getTime())
        .where('delivery.hash', 'in', (eb) =>
          eb
            .selectFrom('operation_number')
            .select('operation_number.hash')
            .where('operation_number.operation_id', '=', id)
            .where('operation_number.created_at', '=', createdAt.getTime()),
        )
        .limit(limit)
        .execute();
      return rows.map(({ provider_id }) => provider_id);
    },

    async ofCampaign({ workspaceId, id }, { after, limit }) {
      const campaign = await db
        .selectFrom('campaign')
        .select(['sequence', 'started_at', 'unconfirmed'])
        .where('workspace_id', '=', workspaceId)
        .where('id', '=', id)
        .executeTakeFirst();
      if (campaign === undefined) {
        return { providerIds: [], next: undefined };
      }
      const { sequence, started_at, unconfirmed } = campaign;
      const reported =
        after === undefined && unconfirmed > 0
          ? await selectUntold(db, workspaceId, started_at ?? 0)
              .where('delivery.hash', 'in', (eb) =>
                eb
                  .selectFrom('campaign_number')
                  .select('campaign_number.hash')
                  .where('campaign_number.campaign', '=', sequence),
              )
              .limit(limit)
              .execute()
          : [];
      // One more tells whether there is another page.
      const chunks = await readOpenChunks(db, workspaceId, {
        campaign: sequence,
        after: after ?? -1,
        limit: limit - reported.length + 1,
      });
      const shown = chunks.slice(0, limit - reported.length);
      const ids = [...reported, ...shown].map(({ provider_id }) => provider_id);
      return {
        providerIds: [...new Set(ids)],
        next: chunks.length > shown.length ? (shown.at(-1)?.number ?? -1) : undefined,
      };
    },
  };
}

/** The chunks with recipients of whom it is not known how their message ended, in the order of their numbers. */
async function readOpenChunks(
  db: Kysely<Schema>,
  workspaceId: string,
  { campaign, after, limit }: { campaign: number; after: number; limit: number },
): Promise<{ number: number; provider_id: string }[]> {
  // Where the answer to a request was not clear, the id is what that answer named.
  const messageId = sql<string>`coalesce(campaign_chunk.provider_id, campaign_chunk.receipt_id)`;
  return db
    .selectFrom('campaign_chunk')
    .select(['campaign_chunk.number', messageId.as('provider_id')])
    .where('campaign_chunk.campaign', '=', campaign)
    .where('campaign_chunk.state', 'in', ['accepted', 'unconfirmed'])
    .where('campaign_chunk.number', '>', after)
    .where(messageId, 'is not', null)
    .where(
      sql<boolean>`campaign_chunk.recipients > (
        select count(*) from delivery
        where delivery.workspace_id = ${workspaceId} and delivery.provider_id = ${messageId}
          and delivery.state in ('failed', 'delivered')
      )`,
    )
    .orderBy('campaign_chunk.number')
    .limit(limit)
    .execute();
}

/**
 * Selects the messages of which something was reported since a time without the sender, the text or the time that tell their
 * request, and that no request is known to have sent.
 */
function selectUntold(db: Kysely<Schema>, workspaceId: string, since: number) {
  return db
    .selectFrom('delivery')
    .select('delivery.provider_id')
    .distinct()
    .where('delivery.workspace_id', '=', workspaceId)
    .where('delivery.received_at', '>=', since)
    .where(
      sql<boolean>`(
        (delivery.content_hash is null or coalesce(delivery.first_reported_at, delivery.reported_at) = 0)
        and not exists (
          select 1 from operation
          where operation.provider_id = delivery.provider_id and operation.kind in (${sql.join(messageKinds)})
        )
        and not exists (
          select 1 from campaign_chunk
          where campaign_chunk.provider_id = delivery.provider_id and campaign_chunk.state = 'accepted'
        )
        and not exists (select 1 from message_claim where message_claim.provider_id = delivery.provider_id)
      )`,
    )
    .orderBy('delivery.provider_id');
}
