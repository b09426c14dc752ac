import type { Kysely, Transaction } from 'kysely';
import type { Encryption } from '../../encryption/cipher.ts';
import { writeOperationError } from '../../operations/operation-error.ts';
import type { Schema } from '../../schema.ts';
import { inTransaction } from '../../transaction.ts';
import { withoutCells } from '../chunk-content.ts';
import { chunkAdditionalData } from '../encrypted-columns.ts';
import { countersUpdate } from './counters.ts';
import type { SettleAndClaim, SettledAndClaimed } from './settle-and-claim.ts';

/** Returns `settleAndClaim` for PostgreSQL: one transaction, which holds the campaign’s row from its first statement on. */
export function createSettleAndClaim(
  db: Kysely<Schema>,
  encryption: Encryption,
): (argument: SettleAndClaim) => Promise<SettledAndClaimed | null> {
  return (argument) =>
    inTransaction(db, async (transaction) => {
      const found = await settleAndClaimRows(transaction, argument);
      if (found === undefined) {
        return null;
      }
      const { campaign, claimed } = found;
      // What cannot be read is not claimed: the transaction is undone.
      return {
        campaign,
        claimed: claimed
          .sort((one, other) => one.number - other.number)
          .map(({ number, pages, value }) => ({
            number,
            pages,
            content: withoutCells(
              encryption.decrypt(
                value ?? '',
                chunkAdditionalData(argument.workspaceId, campaign.sequence, number),
              ),
            ),
          })),
      };
    });
}

async function settleAndClaimRows(
  transaction: Transaction<Schema>,
  { workspaceId, id, run, endings, count, now }: SettleAndClaim,
) {
  const found = await transaction
    .selectFrom('campaign')
    .select(['sequence', 'state'])
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (found === undefined) {
    return undefined;
  }
  const campaign = found.sequence;

  const settledBy = { accepted: 0, rejected: 0, unconfirmed: 0 };
  for (const { number, state, providerId = null, error } of endings) {
    const settled = await transaction
      .updateTable('campaign_chunk')
      .set({ run: null, state, provider_id: providerId, error: writeOperationError(error) })
      .where('campaign', '=', campaign)
      .where('number', '=', number)
      .where('state', '=', 'claimed')
      .where('run', '=', run)
      .returning('recipients')
      .executeTakeFirst();
    settledBy[state] += settled?.recipients ?? 0;
  }

  const claims = found.state === 'running' && count > 0;
  const claimed = claims ? await claim(transaction, { campaign, run, count }) : [];

  const settled = settledBy.accepted + settledBy.rejected + settledBy.unconfirmed;
  const inFlight = claimed.reduce((sum, { recipients }) => sum + recipients, 0) - settled;
  const balance = endings.findLast((ending) => ending.balance !== undefined)?.balance ?? null;
  const row = await countersUpdate(transaction, {
    ...settledBy,
    campaign,
    settled,
    inFlight,
    now,
    balance,
  }).executeTakeFirstOrThrow();
  return { campaign: row, claimed };
}

function claim(
  transaction: Transaction<Schema>,
  { campaign, run, count }: { campaign: number; run: string; count: number },
) {
  return transaction
    .updateTable('campaign_chunk')
    .set({ state: 'claimed', run })
    .where('campaign', '=', campaign)
    .where('number', 'in', (eb) =>
      eb
        .selectFrom('campaign_chunk as waiting')
        .select('waiting.number')
        .where('waiting.campaign', '=', campaign)
        .where('waiting.state', '=', 'waiting')
        .orderBy('waiting.number')
        .limit(count),
    )
    .returning((eb) => [
      'number',
      'recipients',
      'pages',
      eb
        .selectFrom('campaign_chunk_content as content')
        .select('content.value')
        .whereRef('content.campaign', '=', 'campaign_chunk.campaign')
        .whereRef('content.number', '=', 'campaign_chunk.number')
        .as('value'),
    ])
    .execute();
}
