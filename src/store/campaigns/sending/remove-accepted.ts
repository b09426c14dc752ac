import type { Kysely, Transaction } from 'kysely';
import type { Schema } from '../../schema.ts';
import type { CampaignState } from '../campaigns.ts';
import { type RemovalOptions, removeWaiting, type WaitingRecipient } from './remove-waiting.ts';

/** The states in which recipients wait, also those who may be sent to by a rest of it alone. */
const waitingStates: readonly CampaignState[] = [
  'ready',
  'scheduled',
  'missed',
  'running',
  'paused',
  'cancelled',
];

interface Removal {
  recipients: number;
  /** The ids of the campaigns that lost some. */
  campaigns: string[];
}

/**
 * Removes from the rests of a campaign, and from theirs, the recipients with these hashes that nobody has claimed yet: they
 * were unconfirmed, and turned out to be accepted. The numbers of the workspace are locked, so no rest becomes `ready`
 * meanwhile that was imported before.
 */
export async function removeAcceptedFromRests(
  transaction: Transaction<Schema>,
  workspaceId: string,
  { campaign, hashes }: { campaign: number; hashes: readonly string[] },
  options: RemovalOptions,
): Promise<string[]> {
  const rests = await restsOf(transaction, campaign);
  const locked =
    rests.length === 0
      ? []
      : await transaction
          .selectFrom('campaign')
          .select('sequence')
          .where('sequence', 'in', rests)
          .where('state', 'in', waitingStates)
          .orderBy('sequence')
          .forUpdate()
          .execute();
  const changed: string[] = [];
  for (const { sequence } of locked) {
    const { campaigns } = await removeAccepted(transaction, workspaceId, { rest: sequence, hashes }, options);
    changed.push(...campaigns);
  }
  return changed;
}

/**
 * Removes from a campaign, which is locked, the recipients that nobody has claimed yet and that turned out to be accepted by
 * one that it is a rest of: those with these hashes, or up to `limit` of all.
 */
export async function removeAccepted(
  transaction: Transaction<Schema>,
  workspaceId: string,
  which: { rest: number } & ({ hashes: readonly string[] } | { limit: number }),
  options: RemovalOptions,
): Promise<Removal> {
  const found = await findAccepted(transaction, which);
  const campaigns = await removeWaiting(
    transaction,
    workspaceId,
    { recipients: found, countedAs: 'accepted_before' },
    options,
  );
  return { recipients: found.length, campaigns };
}

/** Returns the sequences of the campaigns whose recipients were those of this one. */
async function restsOf(db: Kysely<Schema>, campaign: number): Promise<number[]> {
  const rows = await db
    .withRecursive('rest', (query) =>
      query
        .selectFrom('campaign')
        .select(['campaign.sequence', 'campaign.workspace_id', 'campaign.id'])
        .where('campaign.sequence', '=', campaign)
        .union((each) =>
          each
            .selectFrom('rest')
            .innerJoin('campaign', (join) =>
              join
                .onRef('campaign.workspace_id', '=', 'rest.workspace_id')
                .onRef('campaign.retry_of', '=', 'rest.id'),
            )
            .select(['campaign.sequence', 'campaign.workspace_id', 'campaign.id']),
        ),
    )
    .selectFrom('rest')
    .select('sequence')
    .where('sequence', '<>', campaign)
    .execute();
  return rows.map(({ sequence }) => sequence);
}

function findAccepted(
  db: Kysely<Schema>,
  which: { rest: number } & ({ hashes: readonly string[] } | { limit: number }),
): Promise<WaitingRecipient[]> {
  const { rest } = which;
  const query = db
    .withRecursive('former', (origin) =>
      origin
        .selectFrom('campaign')
        .select(['campaign.sequence', 'campaign.workspace_id', 'campaign.retry_of'])
        .where('campaign.sequence', '=', rest)
        .union((each) =>
          each
            .selectFrom('former')
            .innerJoin('campaign', (join) =>
              join
                .onRef('campaign.workspace_id', '=', 'former.workspace_id')
                .onRef('campaign.id', '=', 'former.retry_of'),
            )
            .select(['campaign.sequence', 'campaign.workspace_id', 'campaign.retry_of']),
        ),
    )
    .selectFrom('former')
    .innerJoin('message_claim', 'message_claim.campaign', 'former.sequence')
    .innerJoin('campaign_number as recipient', (join) =>
      join.onRef('recipient.hash', '=', 'message_claim.hash').on('recipient.campaign', '=', rest),
    )
    .innerJoin('campaign_chunk as chunk', (join) =>
      join
        .onRef('chunk.campaign', '=', 'recipient.campaign')
        .onRef('chunk.number', '=', 'recipient.chunk')
        .on('chunk.state', '=', 'waiting'),
    )
    .where('former.sequence', '<>', rest)
    .select(['recipient.hash', 'recipient.campaign', 'recipient.chunk'])
    .distinct();
  return 'limit' in which
    ? query.limit(which.limit).execute()
    : query.where('recipient.hash', 'in', which.hashes).execute();
}
