import { type Kysely, sql } from 'kysely';
import type { StoreContext } from '../context.ts';
import { messageKinds } from '../operations/operation.ts';
import type { Schema } from '../schema/schema.ts';

/** A page of a campaign’s messages. `next` is the `after` of the next page, if there is one. */
export interface OpenMessagesPage {
  providerIds: string[];
  next: number | undefined;
}

/** Finds the messages about which the provider can be asked, because it is not known how they ended. */
export function createOpenMessages({ db }: StoreContext) {
  return {
    /**
     * Returns up to `limit` ids of messages that may belong to an unconfirmed operation: reported since it began, to one of
     * its numbers, without the details to match them to a request, and not known from any answer.
     */
    async reportedOf(
      { workspaceId, id, createdAt }: { workspaceId: string; id: string; createdAt: Date },
      limit: number,
    ): Promise<string[]> {
      const rows = await selectUntold(db, workspaceId, createdAt)
        .where('delivery.hash', 'in', (eb) =>
          eb
            .selectFrom('operationNumber')
            .select('operationNumber.hash')
            .where('operationNumber.operationId', '=', id)
            .where('operationNumber.createdAt', '=', createdAt),
        )
        .limit(limit)
        .execute();
      return rows.map(({ providerId }) => providerId);
    },

    /**
     * Returns messages of a campaign to which it is not known for every recipient how it ended. On the first page also those
     * that may be its own, as in `reportedOf`.
     *
     * @param page.after the number of the last chunk of the page before
     */
    ofCampaign: (
      campaign: { workspaceId: string; id: string },
      page: { after: number | undefined; limit: number },
    ): Promise<OpenMessagesPage> => findOfCampaign(db, campaign, page),
  };
}

async function findOfCampaign(
  db: Kysely<Schema>,
  { workspaceId, id }: { workspaceId: string; id: string },
  { after, limit }: { after: number | undefined; limit: number },
): Promise<OpenMessagesPage> {
  const campaign = await db
    .selectFrom('campaign')
    .select(['sequence', 'startedAt', 'unconfirmed'])
    .where('workspaceId', '=', workspaceId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (campaign === undefined) {
    return { providerIds: [], next: undefined };
  }
  const { sequence, startedAt, unconfirmed } = campaign;
  const reported =
    after === undefined && unconfirmed > 0
      ? await selectUntold(db, workspaceId, startedAt ?? new Date(0))
          .where('delivery.hash', 'in', (eb) =>
            eb
              .selectFrom('campaignNumber')
              .select('campaignNumber.hash')
              .where('campaignNumber.campaign', '=', sequence),
          )
          .limit(limit)
          .execute()
      : [];
  // Where the answer to a request was not clear, the id is what that answer named.
  const messageId = sql<string>`coalesce(campaign_chunk.provider_id, campaign_chunk.receipt_id)`;
  // One more tells whether there is another page.
  const chunks = await db
    .selectFrom('campaignChunk')
    .select(['campaignChunk.number', messageId.as('providerId')])
    .where('campaignChunk.campaign', '=', sequence)
    .where('campaignChunk.state', 'in', ['accepted', 'unconfirmed'])
    .where('campaignChunk.number', '>', after ?? -1)
    .where(messageId, 'is not', null)
    .where(
      sql<boolean>`campaign_chunk.recipients > (
        select count(*) from delivery
        where delivery.workspace_id = ${workspaceId} and delivery.provider_id = ${messageId}
          and delivery.state in ('failed', 'delivered')
      )`,
    )
    .orderBy('campaignChunk.number')
    .limit(limit - reported.length + 1)
    .execute();
  const shown = chunks.slice(0, limit - reported.length);
  const ids = [...reported, ...shown].map(({ providerId }) => providerId);
  return {
    providerIds: [...new Set(ids)],
    next: chunks.length > shown.length ? (shown.at(-1)?.number ?? -1) : undefined,
  };
}

/**
 * Selects the messages reported since a time that lack the sender, text or time to match them to a request, and that no
 * request is known to have sent.
 */
function selectUntold(db: Kysely<Schema>, workspaceId: string, since: Date) {
  return db
    .selectFrom('delivery')
    .select('delivery.providerId')
    .distinct()
    .where('delivery.workspaceId', '=', workspaceId)
    .where('delivery.receivedAt', '>=', since)
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
    .orderBy('delivery.providerId');
}
