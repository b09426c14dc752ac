import { type Kysely, sql } from 'kysely';
import type { StoreContext } from '../context.ts';
import { isOneOf } from '../engine/dialect.ts';
import type { Schema } from '../schema/schema.ts';
import { selectSequence } from './recipient-queries.ts';

/** Finds numbers among the recipients of campaigns. */
export function createRecipientsAmong({ db, phoneHashes }: StoreContext) {
  /** Returns those of the numbers whose hashes are found. */
  async function among(
    workspaceId: string,
    numbers: readonly string[],
    find: (hashes: string[][]) => Promise<{ hash: string }[]>,
  ): Promise<Set<string>> {
    const hashes = await phoneHashes.of(workspaceId, numbers);
    const byHash = new Map(hashes.map((hash, index) => [hash, numbers[index] ?? '']));
    const rows = byHash.size === 0 ? [] : await find([...byHash.keys()].map((hash) => [hash]));
    return new Set(rows.map(({ hash }) => byHash.get(hash) ?? ''));
  }

  return {
    /** Returns those of the numbers that are recipients of a campaign. */
    recipientsAmong: (workspaceId: string, id: string, numbers: readonly string[]): Promise<Set<string>> =>
      among(workspaceId, numbers, (hashes) =>
        db
          .selectFrom('campaignNumber')
          .select('hash')
          .where('campaign', '=', selectSequence(db, workspaceId, id))
          .where(isOneOf(db, [sql.ref('hash')], hashes))
          .execute(),
      ),

    /** Returns those of the numbers that a follow-up of a campaign was sent to, or will be, or may have been. */
    followedUpAmong: (workspaceId: string, id: string, numbers: readonly string[]): Promise<Set<string>> =>
      among(workspaceId, numbers, (hashes) =>
        selectFollowedUp(db, workspaceId, id)
          .where(isOneOf(db, [sql.ref('recipient.hash')], hashes))
          .execute(),
      ),
  };
}

const selectFollowedUp = (db: Kysely<Schema>, workspaceId: string, id: string) =>
  db
    .selectFrom('campaign')
    .innerJoin('campaignNumber as recipient', 'recipient.campaign', 'campaign.sequence')
    .innerJoin('campaignChunk as chunk', (join) =>
      join.onRef('chunk.campaign', '=', 'recipient.campaign').onRef('chunk.number', '=', 'recipient.chunk'),
    )
    .select('recipient.hash')
    .distinct()
    .where('campaign.workspaceId', '=', workspaceId)
    .where('campaign.followUpOf', '=', id)
    .where((eb) =>
      eb.or([
        eb('chunk.state', 'in', ['claimed', 'accepted', 'unconfirmed']),
        eb.and([
          eb('chunk.state', '=', 'waiting'),
          eb('campaign.state', 'in', ['scheduled', 'running', 'paused']),
        ]),
      ]),
    );
