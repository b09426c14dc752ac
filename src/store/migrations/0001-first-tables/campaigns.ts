/** Campaigns with their recipients, and the numbers that are not written to. */
export const campaignTables = `
-- The sequence is never given twice: encrypted values are bound to it.
create table campaign (
  sequence integer primary key autoincrement,
  workspace_id text not null,
  id text,
  created_by text not null,
  channel_id text,
  name text not null,
  route text not null,
  sender_id text not null,
  personal integer not null,
  text text,
  columns text,
  retry_of text,
  state text not null,
  state_changed_at bigint not null,
  last_action_by text,
  pause text,
  start_at bigint,
  latest_start bigint,
  zone text,
  recipients integer not null default 0,
  duplicates integer not null default 0,
  suppressed integer not null default 0,
  invalid integer not null default 0,
  invalid_by_problem text,
  chunks integer not null default 0,
  pages integer not null default 0,
  fewest_pages integer not null default 0,
  most_pages integer not null default 0,
  countries text,
  country_pages text,
  quiet integer not null default 0,
  accepted integer not null default 0,
  accepted_before integer not null default 0,
  rejected integer not null default 0,
  unconfirmed integer not null default 0,
  in_flight integer not null default 0,
  balance text,
  balance_at bigint,
  message_channel text,
  message_ts text,
  message_shown text,
  run text not null,
  worker text,
  lease_epoch integer not null default 0,
  lease_until bigint,
  created_at bigint not null,
  started_at bigint,
  ended_at bigint,
  audited_at bigint,
  unique (workspace_id, id),
  constraint campaign_state check (state in (
    'reading', 'ready', 'scheduled', 'running', 'paused', 'done', 'cancelled', 'missed', 'discarded'
  )),
  constraint campaign_discarded check ((state = 'discarded') = (id is null)),
  constraint campaign_counts check (in_flight >= 0 and accepted + rejected + unconfirmed + in_flight <= recipients)
);
create index campaign_recent on campaign (workspace_id, sequence);
create index campaign_recent_of_user on campaign (workspace_id, created_by, sequence);
create index campaign_retry_of on campaign (workspace_id, retry_of) where retry_of is not null;
-- It has only campaigns that have just ended, so it stays small however many there are.
create index campaign_unaudited on campaign (ended_at) where ended_at is not null and audited_at is null;

-- What changes while a campaign runs is apart from what is read once: a claim writes bytes, not kilobytes. Without rowid,
-- SQLite keeps short rows in their primary key's index and nowhere else: half the size, and half to write.
create table campaign_chunk (
  campaign integer not null,
  number integer not null,
  state text not null,
  recipients integer not null,
  pages integer not null,
  run text,
  provider_id text,
  error text,
  claimed_at bigint,
  receipt_id text,
  primary key (campaign, number),
  constraint campaign_chunk_state check (state in ('waiting', 'claimed', 'accepted', 'rejected', 'unconfirmed')),
  constraint campaign_chunk_claimed check ((state = 'claimed') = (run is not null))
) without rowid;
create index campaign_chunk_by_state on campaign_chunk (campaign, state, number);
create index campaign_chunk_of_provider on campaign_chunk (provider_id) where provider_id is not null;
create index campaign_chunk_receipt on campaign_chunk (receipt_id) where receipt_id is not null;

create table campaign_chunk_content (
  campaign integer not null,
  number integer not null,
  workspace_id text not null,
  value text not null,
  primary key (campaign, number)
);

-- The campaign comes first in the key, so its numbers lie together. A number is in one chunk only.
create table campaign_number (
  campaign integer not null,
  hash text not null,
  chunk integer not null,
  primary key (campaign, hash)
) without rowid;

create table campaign_rejected_row (
  campaign integer not null,
  number integer not null,
  workspace_id text not null,
  value text not null,
  primary key (campaign, number)
);

create table pace (
  workspace_id text not null primary key,
  rate double precision not null,
  tokens double precision not null,
  refilled_at double precision not null,
  back_off_until double precision not null,
  back_offs integer not null
);

create table suppression (
  workspace_id text not null,
  hash text not null,
  number text not null,
  created_by text not null,
  created_at bigint not null,
  source text,
  listed_again_at integer,
  primary key (workspace_id, hash)
);
create index suppression_latest on suppression (workspace_id, created_at, hash);
`;
