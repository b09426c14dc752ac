import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../../schema/schema.ts';
import type { CampaignState } from '../campaigns.ts';
import { type RemovalOptions, removeWaiting, unfinished, type WaitingRecipient } from './remove-waiting.ts';

/** The states with waiting recipients. Those of a cancelled campaign may still be sent to by its rest. */
const waitingStates: readonly CampaignState[] = [...unfinished, 'cancelled'];

/**
 * Removes from a campaign's rests, directly or not, unclaimed recipients that were unconfirmed and turned out to be accepted.
 * The workspace's numbers are locked, so no rest imported before becomes `ready` meanwhile.
 */
export async function removeAcceptedFromRests(
  transaction: Transaction<Schema>,
  workspaceId: string,
  { campaign, hashes }: { campaign: number; hashes: readonly string[] },
  options: RemovalOptions,
): Promise<string[]> {
  const rests = await relativesOf(transaction, campaign, 'rests');
  const locked = await transaction
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
 * Removes from a locked campaign unclaimed recipients that turned out to be accepted by its original: these hashes, or up to
 * `limit` of all. Returns how many, and the ids of the changed campaigns.
 */
export async function removeAccepted(
  transaction: Transaction<Schema>,
  workspaceId: string,
  which: { rest: number } & ({ hashes: readonly string[] } | { limit: number }),
  options: RemovalOptions,
): Promise<{ recipients: number; campaigns: string[] }> {
  const found = await findAccepted(transaction, workspaceId, which);
  const removal = { recipients: found, countedAs: 'acceptedBefore' as const };
  const campaigns = await removeWaiting(transaction, workspaceId, removal, options);
  return { recipients: found.length, campaigns };
}

/** Returns the sequences of a campaign's rests, or of its originals, directly or not. */
async function relativesOf(
  db: Kysely<Schema>,
  campaign: number,
  which: 'rests' | 'originals',
): Promise<number[]> {
  const [column, relativeColumn] =
    which === 'rests'
      ? (['campaign.retryOf', 'relative.id'] as const)
      : (['campaign.id', 'relative.retryOf'] as const);
  const columns = ['campaign.sequence', 'campaign.workspaceId', 'campaign.id', 'campaign.retryOf'] as const;
  const rows = await db
    .withRecursive('relative', (query) =>
      query
        .selectFrom('campaign')
        .select(columns)
        .where('campaign.sequence', '=', campaign)
        .union((each) =>
          each
            .selectFrom('relative')
            .innerJoin('campaign', (join) =>
              join
                .onRef('campaign.workspaceId', '=', 'relative.workspaceId')
                .onRef(column, '=', relativeColumn),
            )
            .select(columns),
        ),
    )
    .selectFrom('relative')
    .select('sequence')
    .where('sequence', '<>', campaign)
    .execute();
  return rows.map(({ sequence }) => sequence);
}

async function findAccepted(
  db: Kysely<Schema>,
  workspaceId: string,
  which: { rest: number } & ({ hashes: readonly string[] } | { limit: number }),
): Promise<WaitingRecipient[]> {
  const originals = await relativesOf(db, which.rest, 'originals');
  if (originals.length === 0) {
    return [];
  }
  // From what turned out on, which is little: a rest may have a million recipients.
  const accepted = db
    .selectFrom('messageClaim')
    .select('messageClaim.hash')
    .distinct()
    .where('messageClaim.workspaceId', '=', workspaceId)
    .where('messageClaim.campaign', 'in', originals)
    .where((eb) =>
      eb.exists(
        selectWaiting(db, which.rest)
          .select('recipient.hash')
          .where('recipient.hash', '=', sql.ref<string>('messageClaim.hash')),
      ),
    );
  const rows =
    'limit' in which
      ? await accepted.limit(which.limit).execute()
      : await accepted.where('messageClaim.hash', 'in', which.hashes).execute();
  const hashes = rows.map(({ hash }) => hash);
  return selectWaiting(db, which.rest)
    .select(['recipient.hash', 'recipient.campaign', 'recipient.chunk'])
    .where('recipient.hash', 'in', hashes)
    .execute();
}

function selectWaiting(db: Kysely<Schema>, campaign: number) {
  return db
    .selectFrom('campaignNumber as recipient')
    .innerJoin('campaignChunk as chunk', (join) =>
      join
        .onRef('chunk.campaign', '=', 'recipient.campaign')
        .onRef('chunk.number', '=', 'recipient.chunk')
        .on('chunk.state', '=', 'waiting'),
    )
    .where('recipient.campaign', '=', campaign);
}
