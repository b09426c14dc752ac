import { type Kysely, sql, type Transaction } from 'kysely';
import { outcomeOf, withoutOwnWords } from '../../domain/deliveries/delivery-status.ts';
import { addToCounters, campaignEntry } from '../campaigns/campaign-moves.ts';
import { addToDeliveryCounts, type DeliveryChanges, noteReported } from '../campaigns/delivery-counts.ts';
import { removeAcceptedFromRests } from '../campaigns/sending/remove-accepted.ts';
import type { StoreContext } from '../context.ts';
import { isOneOf } from '../engine/dialect.ts';
import { lockNumbers } from '../engine/encryption/phone-hashes.ts';
import { inTransaction } from '../engine/transaction.ts';
import { addNotices, hasKey } from '../outbox/notices.ts';
import { isFree } from '../outbox/outbox.ts';
import type { Row, Schema } from '../schema/schema.ts';
import type { RecipientCandidate } from './candidates.ts';
import { lookAgainForCosts } from './costs/count-costs.ts';
import { type DeliveryRow, type MessageToNumber, messageName } from './messages.ts';

/** A message, and the unconfirmed recipient that it is of. */
export interface RecipientClaim {
  row: DeliveryRow;
  recipient: RecipientCandidate;
}

/**
 * How long to wait before telling a campaign’s user, in milliseconds, while recipients are still unconfirmed: reports come
 * one by one, and one message covers them.
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
  context: StoreContext,
  workspaceId: string,
  claims: readonly RecipientClaim[],
): Promise<ClaimedRecipients> {
  if (claims.length === 0) {
    return { messages: new Set(), reduced: [] };
  }
  const appendAudit = await context.audit.prepare();
  const hash = await context.phoneHashes.hasher(workspaceId);
  return inTransaction(context.db, async (transaction) => {
    await lockNumbers(transaction, workspaceId);
    // Campaigns that aren't discarded.
    const campaigns = await transaction
      .selectFrom('campaign')
      .select('sequence')
      .where('sequence', 'in', [...new Set(claims.map(({ recipient }) => recipient.campaign))])
      .where('id', 'is not', null)
      .where('text', 'is not', null)
      .orderBy('sequence')
      .forUpdate()
      .execute();
    const kept = new Set(campaigns.map(({ sequence }) => sequence));
    const messages = claims
      .filter(({ recipient }) => kept.has(recipient.campaign))
      .map(({ row: { providerId, hash: ofNumber, source, receivedAt }, recipient: { campaign, chunk } }) => ({
        ...{ workspaceId, providerId, hash: ofNumber, campaign, chunk, source },
        claimedAt: receivedAt,
      }));
    if (messages.length === 0) {
      return { messages: new Set(), reduced: [] };
    }
    const claimed = await transaction
      .insertInto('messageClaim')
      .values(messages)
      .onConflict((conflict) => conflict.doNothing())
      .returning(['workspaceId', 'providerId', 'hash', 'campaign'])
      .execute();
    // Before the counts, the order in which costs and deliveries are counted: so that no two wait for each other.
    await lookAgainForCosts(transaction, claimed);
    const now = context.clock();
    const removal = { encryption: context.encryption, hash, now };
    const reduced: string[] = [];
    const changed: [row: Row<'campaign'>, recipients: number][] = [];
    const byCampaign = Map.groupBy(claimed, ({ campaign }) => campaign ?? 0);
    for (const [campaign, messages] of [...byCampaign].sort(([one], [other]) => one - other)) {
      const change = { accepted: messages.length, unconfirmed: -messages.length };
      const row = await addToCounters(transaction, campaign, change, now);
      const hashes = messages.map((message) => message.hash);
      reduced.push(
        ...(await removeAcceptedFromRests(transaction, workspaceId, { campaign, hashes }, removal)),
      );
      await noteReported(transaction, campaign);
      await tell(transaction, row, { context, now });
      changed.push([row, messages.length]);
    }
    // The chain of the audit last, as by everything that locks campaigns too.
    for (const [row, resolved] of changed) {
      const { accepted, rejected, unconfirmed } = row;
      const details = { resolved, accepted, rejected, unconfirmed };
      await appendAudit(transaction, [campaignEntry('campaign.resolve', row, { details })]);
    }
    return { messages: new Set(claimed.map(messageName)), reduced };
  });
}

/** Tells the campaign's owner once, if its summary showed unconfirmed recipients. An unposted summary will be up to date. */
async function tell(
  transaction: Transaction<Schema>,
  row: Row<'campaign'>,
  { context, now }: { context: StoreContext; now: Date },
): Promise<void> {
  const { id, workspaceId, sequence, createdBy: userId, unconfirmed } = row;
  if (id === undefined || row.endedAt === undefined) {
    return;
  }
  const dueSummary = await transaction
    .selectFrom('outbox')
    .select('subjectId')
    .where(hasKey({ workspaceId, subject: 'campaign', subjectId: id }))
    .where(isFree(context.databaseNow()))
    .executeTakeFirst();
  if (dueSummary !== undefined) {
    return;
  }
  const { numUpdatedRows } = await transaction
    .updateTable('campaignReport')
    .set({ userNotified: true })
    .where('campaign', '=', sequence)
    .where('userNotified', '=', false)
    .executeTakeFirst();
  const key = { workspaceId, subject: 'campaign_resolved', subjectId: id } as const;
  if (numUpdatedRows === 1n) {
    const dueAt = unconfirmed === 0 ? now : new Date(now.getTime() + gatherMs);
    await addNotices(transaction, [{ ...key, userId }], dueAt);
  } else if (unconfirmed === 0) {
    await transaction
      .updateTable('outbox')
      .set({ nextAttemptAt: now })
      .where(hasKey(key))
      .where('nextAttemptAt', '>', now)
      .execute();
  }
}

/** A message of a recipient of a campaign. */
export interface CountedMessage extends MessageToNumber {
  /** The sequence of the campaign. */
  campaign: number;
}

/**
 * Counts the outcomes of campaigns' recipients. Each delivery's row says how it is counted, so it counts once, however often
 * this is called, and moves from one outcome to the next. Returns how many campaigns have changed.
 */
export async function countDeliveries(
  db: Kysely<Schema>,
  workspaceId: string,
  messages: readonly CountedMessage[],
): Promise<number> {
  if (messages.length === 0) {
    return 0;
  }
  const campaigns = new Map(messages.map((message) => [messageName(message), message.campaign]));
  return inTransaction(db, async (transaction) => {
    // In the order in which reports are written, to avoid deadlocks.
    const rows = await transaction
      .selectFrom('delivery')
      .select(['providerId', 'hash', 'status', 'campaign', 'countedAs'])
      .where('workspaceId', '=', workspaceId)
      .where(isMessage(transaction, messages))
      .orderBy('providerId')
      .orderBy('hash')
      .forUpdate()
      .execute();
    const changes: DeliveryChanges = new Map();
    const countedAs = createOutcomes(transaction);
    const moved = new Map<string, { campaign: number; outcome: string; messages: MessageToNumber[] }>();
    for (const row of rows) {
      // Once it is counted, it stays in its campaign.
      const campaign = row.campaign ?? campaigns.get(messageName(row));
      if (campaign === undefined) {
        continue;
      }
      const outcome = await countedAs(campaign, row.status);
      if (outcome === row.countedAs) {
        continue;
      }
      add(changes, { campaign, outcome }, 1);
      if (row.countedAs !== undefined) {
        add(changes, { campaign, outcome: row.countedAs }, -1);
      }
      const name = JSON.stringify([campaign, outcome]);
      const group = moved.get(name) ?? { campaign, outcome, messages: [] };
      group.messages.push(row);
      moved.set(name, group);
    }
    for (const { campaign, outcome, messages: movedMessages } of moved.values()) {
      await transaction
        .updateTable('delivery')
        .set({ campaign, countedAs: outcome })
        .where('workspaceId', '=', workspaceId)
        .where(isMessage(transaction, movedMessages))
        .execute();
    }
    await addToDeliveryCounts(transaction, changes);
    return changes.size;
  });
}

/**
 * Maximum number of the provider's own words that a campaign counts separately: the provider may write
 * different ones for each message.
 */
const maxOwnWords = 20;

/**
 * Returns the outcome that each status counts as. Beyond the maximum, the provider's own words are left out.
 */
function createOutcomes(transaction: Transaction<Schema>) {
  const counted = new Map<number, Set<string>>();
  return async (campaign: number, status: string): Promise<string> => {
    const outcome = outcomeOf(status);
    const plain = withoutOwnWords(outcome);
    if (plain === undefined) {
      return outcome;
    }
    let known = counted.get(campaign);
    if (known === undefined) {
      const rows = await transaction
        .selectFrom('campaignDelivery')
        .select('outcome')
        .where('campaign', '=', campaign)
        .execute();
      known = new Set(rows.map((row) => row.outcome));
      counted.set(campaign, known);
    }
    const alike = [...known].filter((each) => withoutOwnWords(each) === plain);
    if (!known.has(outcome) && alike.length >= maxOwnWords) {
      return plain;
    }
    known.add(outcome);
    return outcome;
  };
}

function isMessage(transaction: Transaction<Schema>, messages: readonly MessageToNumber[]) {
  return isOneOf(
    transaction,
    [sql.ref('providerId'), sql.ref('hash')],
    messages.map(({ providerId, hash }) => [providerId, hash]),
  );
}

function add(
  changes: DeliveryChanges,
  { campaign, outcome }: { campaign: number; outcome: string },
  recipients: number,
): void {
  const outcomes = changes.get(campaign) ?? new Map<string, number>();
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + recipients);
  changes.set(campaign, outcomes);
}
