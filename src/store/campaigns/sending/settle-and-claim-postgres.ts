import { type Kysely, sql } from 'kysely';
import { retryDelays } from '../../../lib/time/retry-delays.ts';
import type { StoreContext } from '../../context.ts';
import type { PrepareQuery } from '../../engine/postgres/database.ts';
import { inTransaction } from '../../engine/transaction.ts';
import type { Schema } from '../../schema/schema.ts';
import { addToCounters, countersUpdate } from '../campaign-moves.ts';
import { chunkAdditionalData, withoutCells } from '../chunk-content.ts';
import { paceRules } from './pace.ts';
import type { SettleAndClaim, SettledAndClaimed } from './settle-and-claim.ts';

const { maxRetryAfterMs, minRate, burstSeconds, recoverySteps } = paceRules;
const { firstMs, maxMs } = retryDelays.campaign;

/** As `paceAt` and `chunksAllowed`, by the database's clock. It holds the pace of the workspace until the turn is over. */
const paceStatements = sql.raw(`bucket as materialized (
  select pace.rate, pace.tokens, pace.refilled_at, pace.back_off_until, pace.back_offs
  from pace, locked
  where pace.workspace_id = (select workspace_id from asked)
  for update of pace
),
timed as materialized (
  select extract(epoch from clock_timestamp())::float8 * 1000 as at, bucket.* from bucket
),
eased as materialized (
  select timed.at,
    least(max_rate, rate + successes * max_rate / ${recoverySteps}) as rate,
    tokens + greatest(0, timed.at - refilled_at) / 1000 * least(max_rate, rate) as tokens,
    case when back_off_until > timed.at + ${maxRetryAfterMs} then 0 else back_off_until end as back_off_until,
    case when successes > 0 then 0 else back_offs end as back_offs
  from timed, asked
),
counted_back_offs as materialized (
  select eased.*, back_off_until <= eased.at as is_first,
    case when back_off_until <= eased.at then back_offs + 1 else greatest(1, back_offs) end as next_back_offs
  from eased
),
slowed as materialized (
  select eased.at,
    least(greatest(1, eased.rate * ${burstSeconds}), eased.tokens) as tokens,
    case when backs_off and is_first then greatest(least(${minRate}, max_rate), eased.rate / 2) else eased.rate end
      as rate,
    case when backs_off then next_back_offs else eased.back_offs end as back_offs,
    case when backs_off
      then greatest(back_off_until, eased.at + least(${maxRetryAfterMs},
        coalesce(retry_after_ms, least(${maxMs}, ${firstMs} * 2 ^ least(30, next_back_offs - 1)))))
      else back_off_until
    end as back_off_until
  from counted_back_offs as eased, asked
),
paced as materialized (
  select slowed.*,
    case when back_off_until > slowed.at or tokens <= 0 then 0 else ceil(tokens / chunk_size) end as allowed
  from slowed, asked
)`);

/** As `paceAfter`. */
const waitMs = sql.raw(`coalesce(greatest(
    paced.back_off_until - paced.at,
    case when paced.tokens - totals.messages > 0 then 0
      else (1 - paced.tokens + totals.messages) * (1000 / paced.rate)
    end,
    0), 0)::float8`);

interface Row {
  campaign: SettledAndClaimed['campaign'];
  claimed: { number: number; pages: number; value: string | null }[];
  holds_lease: boolean;
  allowed: number;
  wait_ms: number;
  back_off_ms: number;
}

/** Returns `settleAndClaim` for PostgreSQL: one statement, which is one transaction and one round trip. */
export function createSettleAndClaim(
  { db, encryption }: Pick<StoreContext, 'db' | 'encryption'>,
  prepare: PrepareQuery,
): (argument: SettleAndClaim) => Promise<SettledAndClaimed | null> {
  const run = prepare<Row>('settle_and_claim', statement(db));
  return async (argument) => {
    const [row] = await run(valuesOf(argument));
    if (row === undefined) {
      return null;
    }
    const { sequence } = row.campaign;
    const read = ({ number, pages, value }: Row['claimed'][number]) => {
      const additionalData = chunkAdditionalData(argument.workspaceId, sequence, number);
      const content = withoutCells(encryption.decrypt(value ?? '', additionalData));
      return { number, pages, content };
    };
    let claimed: SettledAndClaimed['claimed'];
    try {
      claimed = row.claimed.map(read);
    } catch (error) {
      // Nothing is claimed by a turn that throws.
      await unclaim(db, row, argument);
      throw error;
    }
    return {
      campaign: row.campaign,
      claimed,
      isLeaseLost: !row.holds_lease,
      pace: { allowed: row.allowed, waitMs: row.wait_ms, backOffMs: row.back_off_ms },
    };
  };
}

/** Returns the values of the statement, in the order of its parameters. */
function valuesOf(argument: SettleAndClaim): unknown[] {
  const { workspaceId, id, lease, endings, count, maxUnproven, pace, now } = argument;
  const balance = endings.findLast((ending) => ending.balance !== undefined)?.balance ?? null;
  const settled = endings.map(({ number, state, providerId = null, receiptId = null, error }) => ({
    number,
    state,
    provider_id: providerId,
    receipt_id: receiptId,
    error: error === undefined ? null : JSON.stringify(error),
  }));
  return [
    workspaceId,
    id,
    lease.run,
    lease.epoch,
    JSON.stringify(settled),
    count,
    now,
    balance,
    pace.maxRate,
    pace.chunkSize,
    pace.successes,
    pace.backOff !== undefined,
    pace.backOff?.retryAfterMs ?? null,
    maxUnproven,
  ];
}

/** Returns just claimed chunks that no worker has to the queue. */
async function unclaim(
  db: Kysely<Schema>,
  { campaign, claimed }: Row,
  { lease, now }: SettleAndClaim,
): Promise<void> {
  const { sequence } = campaign;
  const numbers = claimed.map(({ number }) => number);
  await inTransaction(db, async (transaction) => {
    await transaction
      .selectFrom('campaign')
      .select('sequence')
      .where('sequence', '=', sequence)
      .forUpdate()
      .execute();
    const rows = await transaction
      .updateTable('campaignChunk')
      .set({ state: 'waiting', run: null })
      .where('campaign', '=', sequence)
      .where('number', 'in', numbers)
      .where('state', '=', 'claimed')
      .where('run', '=', lease.run)
      .returning('recipients')
      .execute();
    const inFlight = -rows.reduce((sum, { recipients }) => sum + recipients, 0);
    await addToCounters(transaction, sequence, { inFlight }, new Date(now));
  });
}

/**
 * The whole turn. It sees the tables as of its beginning, but rows that it locks as they are now. Whatever changes the
 * waiting chunks also updates their campaign: if its version has changed since the beginning, nothing is claimed in this
 * turn.
 */
function statement(db: Kysely<Schema>): string {
  const counted = countersUpdate(db, {
    campaign: sql<number>`(select sequence from locked)`,
    accepted: sql<number>`(select accepted from totals)`,
    rejected: sql<number>`(select rejected from totals)`,
    unconfirmed: sql<number>`(select unconfirmed from totals)`,
    settled: sql<number>`(select settled from totals)`,
    inFlight: sql<number>`(select messages - settled from totals)`,
    now: sql<number>`(select now from asked)`,
    balance: sql<string | null>`(select balance from asked)`,
  });
  const { sql: text, parameters } = sql`
with asked as materialized (
  select $1::text as workspace_id, $2::text as id, $3::text as run, $4::bigint as epoch, $5::jsonb as endings,
    $6::bigint as wanted, $7::bigint as now, $8::text as balance, $9::float8 as max_rate, $10::float8 as chunk_size,
    $11::float8 as successes, $12::boolean as backs_off, $13::float8 as retry_after_ms,
    $14::bigint as max_unproven
),
begun as materialized (
  select campaign.xmin::text as version
  from campaign
  where workspace_id = (select workspace_id from asked) and id = (select id from asked)
),
locked as materialized (
  select sequence, state, worker, lease_epoch, is_proven, campaign.xmin::text as version
  from campaign
  where workspace_id = (select workspace_id from asked) and id = (select id from asked)
  for update
),
turn as materialized (
  select sequence,
    coalesce(worker = asked.run and lease_epoch = asked.epoch, false) as holds_lease,
    coalesce(worker = asked.run and lease_epoch = asked.epoch and state = 'running', false) as may_claim,
    locked.version = begun.version as is_fresh
  from locked, begun, asked
),
settled as (
  update campaign_chunk
  set run = null, state = ending.state, provider_id = ending.provider_id, receipt_id = ending.receipt_id,
    error = ending.error
  from locked, asked,
    jsonb_to_recordset(asked.endings) as ending(
      number bigint, state text, provider_id text, receipt_id text, error text
    )
  where campaign_chunk.campaign = locked.sequence and campaign_chunk.number = ending.number
    and campaign_chunk.state = 'claimed' and campaign_chunk.run = asked.run
  returning campaign_chunk.recipients, campaign_chunk.state
),
${paceStatements},
-- What was claimed at the beginning of the turn, without what it settles. Null: as many as the pace allows.
unproven as materialized (
  select case when is_proven = 1 or exists (select from settled where state = 'accepted') then null
    else greatest(0, max_unproven + (select count(*) from settled) - (
      select count(*) from campaign_chunk
      where campaign_chunk.campaign = locked.sequence and campaign_chunk.state = 'claimed'
    )) end as allowed
  from locked, asked
),
claimable as materialized (
  select waiting.number
  from turn, lateral (
    select campaign_chunk.number
    from campaign_chunk
    where campaign_chunk.campaign = turn.sequence and campaign_chunk.state = 'waiting'
    order by campaign_chunk.number
    limit coalesce((select least(asked.wanted, paced.allowed, unproven.allowed) from asked, paced, unproven), 0)
  ) as waiting
  where turn.may_claim and turn.is_fresh
),
claimed as (
  update campaign_chunk
  set state = 'claimed', run = asked.run, claimed_at = asked.now
  from claimable, turn, asked
  where campaign_chunk.campaign = turn.sequence and campaign_chunk.number = claimable.number
    and campaign_chunk.state = 'waiting'
  returning campaign_chunk.number, campaign_chunk.recipients, campaign_chunk.pages
),
totals as materialized (
  select accepted, rejected, unconfirmed, accepted + rejected + unconfirmed as settled, messages
  from (
    select coalesce(sum(recipients) filter (where state = 'accepted'), 0) as accepted,
      coalesce(sum(recipients) filter (where state = 'rejected'), 0) as rejected,
      coalesce(sum(recipients) filter (where state = 'unconfirmed'), 0) as unconfirmed
    from settled
  ) as ended, (select coalesce(sum(recipients), 0) as messages from claimed) as begun
),
counted as (${counted}),
debited as (
  update pace
  set rate = paced.rate, tokens = paced.tokens - totals.messages, refilled_at = paced.at,
    back_off_until = paced.back_off_until, back_offs = paced.back_offs
  from paced, totals, asked
  where pace.workspace_id = asked.workspace_id
    and (totals.messages > 0 or asked.successes > 0 or asked.backs_off)
)
select to_jsonb(counted) - 'text' - 'columns' as campaign,
  (
    select coalesce(
      json_agg(json_build_object('number', claimed.number, 'pages', claimed.pages, 'value', content.value)
        order by claimed.number), '[]')
    from claimed left join campaign_chunk_content as content
      on content.campaign = counted.sequence and content.number = claimed.number
  ) as claimed,
  turn.holds_lease,
  case when turn.is_fresh then coalesce(paced.allowed, 0) else 0 end::float8 as allowed,
  coalesce(greatest(0, paced.back_off_until - paced.at), 0)::float8 as back_off_ms,
  ${waitMs} as wait_ms
from counted cross join turn cross join totals left join paced on true`.compile(db);
  if (parameters.length > 0) {
    throw new TypeError('Its values are passed with each turn');
  }
  return text;
}
