import type { Kysely, Transaction } from 'kysely';
import type { AppendAudit } from '../audit/audit-trail.ts';
import { addToCounters } from '../campaigns/campaign-moves.ts';
import { noteReported } from '../campaigns/delivery-counts.ts';
import { campaignEntry } from '../campaigns/move-campaign.ts';
import { removeAcceptedFromRests } from '../campaigns/sending/remove-accepted.ts';
import type { StoreContext } from '../context.ts';
import { lookAgainForCosts } from '../costs/count-costs.ts';
import { lockNumbers } from '../encryption/phone-hashes.ts';
import { addNotices, hasKey } from '../outbox/notices.ts';
import { isFree } from '../outbox/outbox.ts';
import type { Row, Schema } from '../schema/schema.ts';
import { inTransaction } from '../transaction.ts';
import type { DeliveryRow } from './delivery-rows.ts';
import { messageName } from './known-messages.ts';
import type { RecipientCandidate } from './recipient-candidates.ts';

/** A message, and the unconfirmed recipient that it is of. */
export interface RecipientClaim {
  row: DeliveryRow;
  recipient: RecipientCandidate;
}

/**
 * How long a campaign’s user is told of later, in milliseconds, while recipients of it are still unconfirmed: reports come
 * one after the other, and there is one message for all.
 */
const gatherMs = 60_000;

export interface ClaimedRecipients {
  /** The names of the messages that are theirs now; of two that are claimed for one recipient at once, the first. */
  messages: Set<string>;
  /** The ids of the campaigns that lost recipients who wait. */
  reduced: string[];
}

/**
 * Makes unconfirmed recipients of campaigns accepted, each by its one message, in one transaction. Those who wait in a rest of
 * their campaign, to be sent to again, are removed from it.
 */
export async function claimRecipients(
  options: StoreContext,
  workspaceId: string,
  claims: readonly RecipientClaim[],
): Promise<ClaimedRecipients> {
  if (claims.length === 0) {
    return { messages: new Set(), reduced: [] };
  }
  const appendAudit = await options.audit.prepare();
  const hash = await options.phoneHashes.hasher(workspaceId);
  return inTransaction(options.db, async (transaction) => {
    await lockNumbers(transaction, workspaceId);
    const kept = await lockCampaigns(transaction, claims);
    const claimed = await insertClaims(
      transaction,
      workspaceId,
      claims.filter(({ recipient }) => kept.has(recipient.campaign)),
    );
    // Before the counts, the order in which costs and deliveries are counted: so that no two wait for each other.
    await lookAgainForCosts(transaction, claimed);
    const now = options.clock().getTime();
    const write = transaction;
    const removal = { encryption: options.encryption, hash, now: new Date(now) };
    const reduced: string[] = [];
    const changed: [row: Row<'campaign'>, recipients: number][] = [];
    const byCampaign = Map.groupBy(claimed, ({ campaign }) => campaign ?? 0);
    for (const [campaign, own] of [...byCampaign].sort(([one], [other]) => one - other)) {
      const change = { accepted: own.length, unconfirmed: -own.length };
      const row = await addToCounters(write, campaign, change, removal.now);
      const hashes = own.map((message) => message.hash);
      reduced.push(...(await removeAcceptedFromRests(write, workspaceId, { campaign, hashes }, removal)));
      await noteReported(write, campaign);
      await tell(transaction, row, { options, now });
      changed.push([row, own.length]);
    }
    // The chain of the audit last, as by everything that locks campaigns too.
    for (const [row, recipients] of changed) {
      await record(appendAudit, transaction, row, recipients);
    }
    return { messages: new Set(claimed.map(messageName)), reduced };
  });
}

/** Returns the sequences of those that are not discarded. */
async function lockCampaigns(
  transaction: Transaction<Schema>,
  claims: readonly RecipientClaim[],
): Promise<Set<number>> {
  const rows = await transaction
    .selectFrom('campaign')
    .select('sequence')
    .where('sequence', 'in', [...new Set(claims.map(({ recipient }) => recipient.campaign))])
    .where('id', 'is not', null)
    .where('text', 'is not', null)
    .orderBy('sequence')
    .forUpdate()
    .execute();
  return new Set(rows.map(({ sequence }) => sequence));
}

async function insertClaims(
  transaction: Transaction<Schema>,
  workspaceId: string,
  claims: readonly RecipientClaim[],
) {
  if (claims.length === 0) {
    return [];
  }
  return transaction
    .insertInto('messageClaim')
    .values(
      claims.map(({ row: { providerId, hash, source, receivedAt }, recipient: { campaign, chunk } }) => ({
        workspaceId,
        providerId,
        hash,
        campaign,
        chunk,
        source,
        claimedAt: receivedAt,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['workspaceId', 'providerId', 'hash', 'campaign'])
    .execute();
}

/**
 * Has the user told, once, who was shown in the summary that recipients are unconfirmed. Where that is still to be shown, it
 * will show what is known by then.
 */
async function tell(
  transaction: Transaction<Schema>,
  row: Row<'campaign'>,
  { options, now }: { options: StoreContext; now: number },
): Promise<void> {
  const { id, workspaceId, sequence, createdBy: userId, unconfirmed } = row;
  if (id === undefined || row.endedAt === undefined || (await isSummaryDue(transaction, row, options))) {
    return;
  }
  const { numUpdatedRows } = await transaction
    .updateTable('campaignReport')
    .set({ told: true })
    .where('campaign', '=', sequence)
    .where('told', '=', false)
    .executeTakeFirst();
  const key = { workspaceId, subject: 'campaign_resolved', subjectId: id } as const;
  if (numUpdatedRows === 1n) {
    const dueAt = new Date(unconfirmed === 0 ? now : now + gatherMs);
    await addNotices(transaction, [{ ...key, userId }], dueAt);
  } else if (unconfirmed === 0) {
    await transaction
      .updateTable('outbox')
      .set({ nextAttemptAt: new Date(now) })
      .where(hasKey(key))
      .where('nextAttemptAt', '>', new Date(now))
      .execute();
  }
}

async function isSummaryDue(
  db: Kysely<Schema>,
  { id, workspaceId }: Row<'campaign'>,
  { databaseNow }: StoreContext,
): Promise<boolean> {
  const notice = await db
    .selectFrom('outbox')
    .select('subjectId')
    .where(hasKey({ workspaceId, subject: 'campaign', subjectId: id ?? '' }))
    .where(isFree(databaseNow()))
    .executeTakeFirst();
  return notice !== undefined;
}

async function record(
  appendAudit: AppendAudit,
  transaction: Transaction<Schema>,
  row: Row<'campaign'>,
  resolved: number,
): Promise<void> {
  const { accepted, rejected, unconfirmed } = row;
  const details = { resolved, accepted, rejected, unconfirmed };
  await appendAudit(transaction, [campaignEntry('campaign.resolve', row, { details })]);
}
