import { type Expression, type Kysely, sql } from 'kysely';
import { type InquiryRound, inquiryRounds, maxInquiryAge } from '../../domain/deliveries/inquiry-ages.ts';
import { paceRules } from '../campaigns/sending/pace.ts';
import type { Schema } from '../schema.ts';

export interface DeliveryInquiryTables {
  /** How far each round of asking the provider has come. */
  delivery_inquiry: {
    workspace_id: string;
    /** The campaign whose messages are asked about, by its sequence; 0 for single messages. */
    campaign: number;
    /** See `InquiryRound`; of messages that were reported without what tells their request, `reportedRound`. */
    round: number;
    /** Of a campaign, when it ended or was paused, which its rounds count from: they begin again where that changes. */
    since: number;
    /**
     * The last one that was looked at: when a single message was begun, when something of a message was reported, or the
     * number of a campaign’s chunk …
     */
    position: number;
    /** … and the id of the operation, or of the message. */
    position_id: string;
  };
}

/** Messages of one request, of at least one of which it is not known how it ended, though it could be. */
export interface OverdueMessage {
  workspaceId: string;
  providerId: string;
  place: InquiryPlace;
}

/** Where in a round a message stands. */
export type InquiryPlace = DeliveryInquiryTables['delivery_inquiry'];

/** Which messages the provider is to be asked about, and how far that has come. */
export interface DeliveryInquiries {
  /** Returns the workspaces that have sent something that may be asked about. */
  workspaces(now: Date): Promise<string[]>;
  /**
   * Returns the next messages of a workspace that are due in one of the rounds. What is known without asking is skipped for
   * good. Campaigns are looked at once they have ended or are paused.
   *
   * @param kinds of operations whose provider’s id is that of a message
   */
  due(
    workspaceId: string,
    query: { now: Date; kinds: readonly string[]; limit: number },
  ): Promise<OverdueMessage[]>;
  /** Remembers that a message was asked about, so that it is not again in this round. */
  asked(place: InquiryPlace): Promise<void>;
  /**
   * Takes one message from the pace of a workspace’s campaigns, for a question. Returns false where they need all of it, or
   * have been asked to slow down.
   */
  takeFromPace(workspaceId: string): Promise<boolean>;
}

/** Rows that are read at a time, and how many times in a round at most: the next call goes on. */
const pageSize = 200;
const maxPages = 25;
/** Campaigns of a workspace that are looked at by one call. */
const maxCampaigns = 200;
/** The position of a round that has come to the end of its campaign: behind every chunk. */
const endOfCampaign = 2 ** 31 - 1;
const ended = ['done', 'cancelled', 'paused'] as const;

/** A row that is read: `isOpen` says whether it is still to be known how a message of it ended. */
interface LookedAt {
  providerId: string | null;
  isOpen: 0 | 1 | boolean;
  place: InquiryPlace;
}

export function createDeliveryInquiries({
  db,
  databaseNow,
}: {
  db: Kysely<Schema>;
  databaseNow: () => Expression<number>;
}): DeliveryInquiries {
  async function moveTo(place: InquiryPlace): Promise<void> {
    const { since, position, position_id } = place;
    const isFurther = sql<boolean>`(excluded.since, excluded.position, excluded.position_id)
      > (delivery_inquiry.since, delivery_inquiry.position, delivery_inquiry.position_id)`;
    await db
      .insertInto('delivery_inquiry')
      .values(place)
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'campaign', 'round'])
          .doUpdateSet({ since, position, position_id })
          .where(isFurther),
      )
      .execute();
  }

  /** Reads on in a round until enough are found that are open, there are no more, or it has read enough for once. */
  async function readRound(
    read: (after: InquiryPlace) => Promise<LookedAt[]>,
    start: InquiryPlace,
    limit: number,
  ): Promise<OverdueMessage[]> {
    const found: OverdueMessage[] = [];
    let last = start;
    for (let pages = 0; pages < maxPages && found.length < limit; pages += 1) {
      const page = await read(last);
      last = page.at(-1)?.place ?? last;
      found.push(
        ...page.flatMap(({ providerId, isOpen, place }) =>
          isOpen && providerId !== null ? [{ workspaceId: place.workspace_id, providerId, place }] : [],
        ),
      );
      const isEnd = page.length < pageSize;
      if (found.length === 0 && isEnd && start.campaign !== noPlace.campaign) {
        await moveTo({ ...last, position: endOfCampaign });
      } else if (found.length === 0 && page.length > 0) {
        await moveTo(last);
      }
      if (isEnd) {
        break;
      }
    }
    return found.slice(0, limit);
  }

  function readOperations(
    { fromAge, untilAge }: InquiryRound,
    { now, kinds }: { now: Date; kinds: readonly string[] },
  ) {
    return async (after: InquiryPlace): Promise<LookedAt[]> => {
      const rows = await db
        .selectFrom('operation')
        .select(['id', 'created_at', messageIdOf('operation').as('message_id')])
        .select(
          sql<0 | 1 | boolean>`(
            select count(*) from operation_number as sent
            where sent.created_at = operation.created_at and sent.operation_id = operation.id
          ) > ${finalOf(messageIdOf('operation'), after.workspace_id)}`.as('is_open'),
        )
        .where('workspace_id', '=', after.workspace_id)
        .where('state', 'in', ['accepted', 'unconfirmed'])
        .where('created_at', '>', now.getTime() - untilAge)
        .where('created_at', '<=', now.getTime() - fromAge)
        .where(sql<boolean>`(created_at, id) > (${after.position}, ${after.position_id})`)
        .where('kind', 'in', [...kinds])
        .where(messageIdOf('operation'), 'is not', null)
        .orderBy('created_at')
        .orderBy('id')
        .limit(pageSize)
        .execute();
      return rows.map(({ id, created_at, message_id, is_open }) => ({
        providerId: message_id,
        isOpen: is_open,
        place: { ...after, position: created_at, position_id: id },
      }));
    };
  }

  /**
   * Reads messages by when something of them was reported. Open is one of which the sender, the text or the time is not
   * known, that no request is known to have sent, and whose number has an unconfirmed one.
   */
  function readReported({ fromAge, untilAge }: InquiryRound, now: Date) {
    return async (after: InquiryPlace): Promise<LookedAt[]> => {
      const rows = await db
        .selectFrom('delivery')
        .select(['provider_id', 'received_at'])
        .select(isUntold(after.workspace_id, now.getTime() - maxInquiryAge).as('is_open'))
        .where('workspace_id', '=', after.workspace_id)
        .where('received_at', '>', now.getTime() - untilAge)
        .where('received_at', '<=', now.getTime() - fromAge)
        .where(sql<boolean>`(received_at, provider_id) > (${after.position}, ${after.position_id})`)
        .orderBy('received_at')
        .orderBy('provider_id')
        .limit(pageSize)
        .execute();
      return rows.map(({ provider_id, received_at, is_open }) => ({
        providerId: provider_id,
        isOpen: is_open,
        place: { ...after, position: received_at, position_id: provider_id },
      }));
    };
  }

  /** Whether a workspace has anything unconfirmed that is asked about. */
  async function hasUnconfirmed(workspaceId: string, now: Date): Promise<boolean> {
    const row = await db
      .selectFrom('operation')
      .select('id')
      .where('workspace_id', '=', workspaceId)
      .where('state', '=', 'unconfirmed')
      .where('created_at', '>', now.getTime() - maxInquiryAge)
      .union(
        db
          .selectFrom('campaign')
          .select(sql<string>`cast(sequence as text)`.as('id'))
          .where('workspace_id', '=', workspaceId)
          .where('unconfirmed', '>', 0)
          .where('state_changed_at', '>', now.getTime() - maxInquiryAge),
      )
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  async function readChunks(after: InquiryPlace): Promise<LookedAt[]> {
    const rows = await db
      .selectFrom('campaign_chunk')
      .select(['number', messageIdOf('campaign_chunk').as('message_id')])
      .select(
        sql<0 | 1 | boolean>`campaign_chunk.recipients
          > ${finalOf(messageIdOf('campaign_chunk'), after.workspace_id)}`.as('is_open'),
      )
      .where('campaign', '=', after.campaign)
      .where('state', 'in', ['accepted', 'unconfirmed'])
      .where('number', '>', after.position)
      .where(messageIdOf('campaign_chunk'), 'is not', null)
      .orderBy('number')
      .limit(pageSize)
      .execute();
    return rows.map(({ number, message_id, is_open }) => ({
      providerId: message_id,
      isOpen: is_open,
      place: { ...after, position: number },
    }));
  }

  /**
   * Returns where the rounds of campaigns go on that have not come to their end. First comes the one that has come least far,
   * so that each has its turn; of those, the youngest.
   */
  async function dueCampaigns(
    workspaceId: string,
    now: Date,
    startOf: (start: InquiryPlace) => InquiryPlace,
  ): Promise<InquiryPlace[]> {
    const rows = await db
      .selectFrom('campaign')
      .select(['sequence', 'state_changed_at'])
      .where('workspace_id', '=', workspaceId)
      .where('state', 'in', ended)
      .where('state_changed_at', '>', now.getTime() - maxInquiryAge)
      .where((eb) => eb.or([eb('accepted', '>', 0), eb('unconfirmed', '>', 0)]))
      .execute();
    return rows
      .flatMap(({ sequence: campaign, state_changed_at: since }) => {
        const age = now.getTime() - since;
        const round = inquiryRounds.find(({ fromAge, untilAge }) => age >= fromAge && age < untilAge)?.round;
        return round === undefined
          ? []
          : [startOf({ ...noPlace, position: -1, workspace_id: workspaceId, campaign, since, round })];
      })
      .filter(({ position }) => position < endOfCampaign)
      .sort((one, other) => one.position - other.position || other.since - one.since)
      .slice(0, maxCampaigns);
  }

  return {
    async workspaces(now) {
      const [from, until] = [now.getTime() - maxInquiryAge, now.getTime() - youngest];
      const { rows } = await sql<{ id: string }>`with recursive known(id) as (
          select min(workspace_id) from operation
          union all
          select (select min(workspace_id) from operation where workspace_id > known.id)
          from known where known.id is not null
        )
        select id from known where id is not null and exists (
          select 1 from operation where workspace_id = known.id and state in ('accepted', 'unconfirmed')
            and created_at > ${from} and created_at <= ${until}
        )
        union
        select workspace_id as id from campaign
        where state in ('done', 'cancelled', 'paused')
          and state_changed_at > ${from} and state_changed_at <= ${until}
        order by id`.execute(db);
      return rows.map(({ id }) => id);
    },

    async due(workspaceId, { now, kinds, limit }) {
      const known = await db
        .selectFrom('delivery_inquiry')
        .selectAll()
        .where('workspace_id', '=', workspaceId)
        .execute();
      const startOf = (start: InquiryPlace) =>
        known.find(
          ({ campaign, round, since }) =>
            campaign === start.campaign && round === start.round && since === start.since,
        ) ?? start;
      const single: OverdueMessage[] = [];
      // The youngest first: of them something may still be learned.
      for (const each of inquiryRounds) {
        const start = startOf({ ...noPlace, workspace_id: workspaceId, round: each.round });
        const read = readOperations(each, { now, kinds });
        single.push(...(await readRound(read, start, limit - single.length)));
      }
      const reported: OverdueMessage[] = [];
      for (const each of (await hasUnconfirmed(workspaceId, now)) ? inquiryRounds : []) {
        const round = reportedRound(each);
        const start = startOf({ ...noPlace, workspace_id: workspaceId, round });
        reported.push(...(await readRound(readReported(each, now), start, limit - reported.length)));
      }
      const ofCampaigns: OverdueMessage[] = [];
      for (const start of await dueCampaigns(workspaceId, now, startOf)) {
        ofCampaigns.push(...(await readRound(readChunks, start, limit - ofCampaigns.length)));
      }
      await db
        .deleteFrom('delivery_inquiry')
        .where('workspace_id', '=', workspaceId)
        .where('campaign', '<>', 0)
        .where('since', '<', now.getTime() - maxInquiryAge)
        .execute();
      return inTurn([reported, single, ofCampaigns]).slice(0, limit);
    },

    asked: moveTo,

    async takeFromPace(workspaceId) {
      const now = databaseNow();
      const rate = sql`pace.rate * ${paceRules.burstSeconds}`;
      const capacity = sql<number>`case when ${rate} > 1 then ${rate} else 1 end`;
      const { numUpdatedRows } = await db
        .updateTable('pace')
        .set({ tokens: sql<number>`${capacity} - 1`, refilled_at: now })
        .where('workspace_id', '=', workspaceId)
        .where('back_off_until', '<=', now)
        .where(sql<boolean>`tokens + (${now} - refilled_at) / 1000.0 * rate >= ${capacity}`)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) {
        return true;
      }
      const paced = await db
        .selectFrom('pace')
        .select('workspace_id')
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirst();
      // A workspace that has sent no campaign has no pace.
      return paced === undefined;
    },
  };
}

/** Returns the first of each list, the second of each, and so on: none waits for all of another one. */
function inTurn<Each>(lists: readonly (readonly Each[])[]): Each[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}

const noPlace = { workspace_id: '', campaign: 0, round: 0, since: 0, position: 0, position_id: '' };
const youngest = Math.min(...inquiryRounds.map(({ fromAge }) => fromAge));

/** Apart from those of the messages of operations, which have no campaign either. */
function reportedRound({ round }: InquiryRound): number {
  return inquiryRounds.length + round;
}

/** What the provider knows a message by: where the answer to its request was not clear, what that answer named. */
function messageIdOf(table: 'operation' | 'campaign_chunk') {
  return sql<string | null>`coalesce(${sql.ref(`${table}.provider_id`)}, ${sql.ref(`${table}.receipt_id`)})`;
}

/** Whether a delivery does not tell of which request its message is, and may be of an unconfirmed one since a time. */
function isUntold(workspaceId: string, since: number) {
  return sql<0 | 1 | boolean>`(
    (content is null or coalesce(first_reported_at, reported_at) = 0)
    and not exists (select 1 from operation where operation.provider_id = delivery.provider_id)
    and not exists (
      select 1 from campaign_chunk
      where campaign_chunk.provider_id = delivery.provider_id and campaign_chunk.state = 'accepted'
    )
    and not exists (select 1 from message_claim where message_claim.provider_id = delivery.provider_id)
    and (
      exists (
        select 1 from operation_number join operation on operation.id = operation_number.operation_id
        where operation_number.hash = delivery.hash and operation.workspace_id = ${workspaceId}
          and operation.state = 'unconfirmed' and operation.created_at > ${since}
      ) or exists (
        select 1 from campaign_number join campaign on campaign.sequence = campaign_number.campaign
        where campaign_number.hash = delivery.hash and campaign.workspace_id = ${workspaceId}
          and campaign.unconfirmed > 0 and campaign.state_changed_at > ${since}
      )
    )
  )`;
}

/** To how many numbers it is known how a message ended. */
function finalOf(providerId: Expression<string | null>, workspaceId: string) {
  return sql<number>`(
    select count(*) from delivery
    where delivery.workspace_id = ${workspaceId} and delivery.provider_id = ${providerId}
      and delivery.state in ('failed', 'delivered')
  )`;
}
