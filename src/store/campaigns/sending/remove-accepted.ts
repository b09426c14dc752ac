import { type Kysely, sql, type Transaction } from 'kysely';
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
  const rests = await relativesOf(transaction, campaign, 'rests');
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
  const found = await findAccepted(transaction, workspaceId, which);
  const campaigns = await removeWaiting(
    transaction,
    workspaceId,
    { recipients: found, countedAs: 'accepted_before' },
    options,
  );
  return { recipients: found.length, campaigns };
}

/** Returns the sequences of the rests of a campaign and of theirs, or of those that it is a rest of. */
async function relativesOf(
  db: Kysely<Schema>,
  campaign: number,
  which: 'rests' | 'formers',
): Promise<number[]> {
  const [own, theirs] =
    which === 'rests'
      ? (['campaign.retry_of', 'relative.id'] as const)
      : (['campaign.id', 'relative.retry_of'] as const);
  const columns = ['campaign.sequence', 'campaign.workspace_id', 'campaign.id', 'campaign.retry_of'] as const;
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
              join.onRef('campaign.workspace_id', '=', 'relative.workspace_id').onRef(own, '=', theirs),
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
  const formers = await relativesOf(db, which.rest, 'formers');
  if (formers.length === 0) {
    return [];
  }
  // From what turned out on, which is little: a rest may have a million recipients.
  const accepted = db
    .selectFrom('message_claim')
    .select('message_claim.hash')
    .distinct()
    .where('message_claim.workspace_id', '=', workspaceId)
    .where('message_claim.campaign', 'in', formers)
    .where((eb) =>
      eb.exists(
        selectWaiting(db, which.rest)
          .select('recipient.hash')
          .where('recipient.hash', '=', sql.ref<string>('message_claim.hash')),
      ),
    );
  const rows =
    'limit' in which
      ? await accepted.limit(which.limit).execute()
      : await accepted.where('message_claim.hash', 'in', which.hashes).execute();
  return rows.length === 0
    ? []
    : selectWaiting(db, which.rest)
        .select(['recipient.hash', 'recipient.campaign', 'recipient.chunk'])
        .where(
          'recipient.hash',
          'in',
          rows.map(({ hash }) => hash),
        )
        .execute();
}

function selectWaiting(db: Kysely<Schema>, campaign: number) {
  return db
    .selectFrom('campaign_number as recipient')
    .innerJoin('campaign_chunk as chunk', (join) =>
      join
        .onRef('chunk.campaign', '=', 'recipient.campaign')
        .onRef('chunk.number', '=', 'recipient.chunk')
        .on('chunk.state', '=', 'waiting'),
    )
    .where('recipient.campaign', '=', campaign);
}
