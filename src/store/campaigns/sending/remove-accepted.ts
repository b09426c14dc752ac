import { type Kysely, sql, type Transaction } from 'kysely';
import type { Schema } from '../../schema/schema.ts';
import type { CampaignState } from '../campaigns.ts';
import { type RemovalOptions, removeWaiting, unfinished, type WaitingRecipient } from './remove-waiting.ts';

/** The states in which recipients wait, also those who may be sent to by a rest of it alone. */
const waitingStates: readonly CampaignState[] = [...unfinished, 'cancelled'];

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
 * Removes from a campaign, which is locked, the recipients that nobody has claimed yet and that turned out to be accepted by
 * one that it is a rest of: those with these hashes, or up to `limit` of all. Returns how many, and the ids of the campaigns
 * that lost some.
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

/** Returns the sequences of the rests of a campaign and of theirs, or of those that it is a rest of. */
async function relativesOf(
  db: Kysely<Schema>,
  campaign: number,
  which: 'rests' | 'originals',
): Promise<number[]> {
  const [own, theirs] =
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
              join.onRef('campaign.workspaceId', '=', 'relative.workspaceId').onRef(own, '=', theirs),
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
