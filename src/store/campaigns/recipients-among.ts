import { type Kysely, sql } from 'kysely';
import type { E164 } from '../../domain/phone/phone-number.ts';
import type { StoreContext } from '../context.ts';
import { isOneOf } from '../engine/dialect.ts';
import type { Schema } from '../schema/schema.ts';
import type { Campaign } from './campaigns.ts';
import { selectSequence } from './recipient-queries.ts';

/** Finds numbers among the recipients of campaigns. */
export function createRecipientsAmong({ db, phoneHashes }: StoreContext) {
  /** Returns the numbers whose hashes are found. */
  async function among<Number extends E164>(
    workspaceId: string,
    numbers: readonly Number[],
    find: (hashes: string[][]) => Promise<{ hash: string }[]>,
  ): Promise<Set<Number>> {
    const hashes = await phoneHashes.of(workspaceId, numbers);
    const rows = hashes.length === 0 ? [] : await find([...new Set(hashes)].map((hash) => [hash]));
    const found = new Set(rows.map(({ hash }) => hash));
    return new Set(numbers.filter((_, index) => found.has(hashes[index] ?? '')));
  }

  return {
    /** Returns the numbers that are recipients of a campaign. */
    recipientsAmong: <Number extends E164>(workspaceId: string, id: string, numbers: readonly Number[]) =>
      among(workspaceId, numbers, (hashes) =>
        db
          .selectFrom('campaignNumber')
          .select('hash')
          .where('campaign', '=', selectSequence(db, workspaceId, id))
          .where(isOneOf(db, [sql.ref('hash')], hashes))
          .execute(),
      ),

    /** Returns how many recipients whom a campaign was, or may have been, sent to have written since it started. */
    async countAuthors({ sequence, workspaceId, startedAt }: Campaign): Promise<number> {
      if (startedAt === undefined) {
        return 0;
      }
      const { authors } = await db
        .selectFrom('inboundMessage as message')
        .innerJoin('replyThread as thread', (join) =>
          join
            .onRef('thread.workspaceId', '=', 'message.workspaceId')
            .onRef('thread.id', '=', 'message.threadId'),
        )
        .innerJoin('campaignNumber as recipient', 'recipient.hash', 'thread.hash')
        .innerJoin('campaignChunk as chunk', (join) =>
          join
            .onRef('chunk.campaign', '=', 'recipient.campaign')
            .onRef('chunk.number', '=', 'recipient.chunk'),
        )
        .select(({ fn }) => fn.count<number>('recipient.hash').distinct().as('authors'))
        .where('message.workspaceId', '=', workspaceId)
        .where('message.createdAt', '>=', startedAt)
        .where('recipient.campaign', '=', sequence)
        .where('chunk.state', 'in', ['accepted', 'unconfirmed'])
        .executeTakeFirstOrThrow();
      return Number(authors);
    },

    /** Returns the numbers that a follow-up of a campaign was, will be or may have been sent to. */
    followedUpAmong: <Number extends E164>(workspaceId: string, id: string, numbers: readonly Number[]) =>
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
