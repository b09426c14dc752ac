/** What the provider reports of accepted messages. */
export const deliveryTables = `
create table report_address (
  workspace_id text not null primary key,
  hash text not null unique,
  token text not null,
  created_by text not null,
  created_at bigint not null
);

create table delivery (
  workspace_id text not null,
  provider_id text not null,
  hash text not null,
  content text,
  state text not null,
  progress integer not null,
  status text not null,
  reported_at bigint not null,
  cost text,
  received_at bigint not null,
  source text not null,
  pending integer not null,
  campaign integer,
  counted_as text,
  country text not null,
  counted_cost text,
  cost_progress bigint,
  cost_at bigint,
  count_after bigint not null default 0,
  first_reported_at bigint,
  primary key (workspace_id, provider_id, hash)
);
create index delivery_of_number on delivery (workspace_id, hash);
create index delivery_pending on delivery (received_at) where pending = 1;
create index delivery_recent on delivery (workspace_id, received_at);
create index delivery_uncounted on delivery (count_after) where cost is not null and counted_cost is distinct from cost;

create table delivery_claim (
  workspace_id text not null,
  provider_id text not null,
  operation_id text not null,
  claimed_at bigint not null,
  primary key (workspace_id, provider_id),
  unique (operation_id)
);

create table message_claim (
  workspace_id text not null,
  provider_id text not null,
  hash text not null,
  operation_id text,
  campaign integer,
  chunk integer,
  source text not null,
  claimed_at bigint not null,
  primary key (workspace_id, provider_id, hash),
  unique (operation_id, hash),
  unique (campaign, chunk, hash),
  constraint message_claim_of_one check (
    (operation_id is null) = (campaign is not null) and (campaign is null) = (chunk is null)
  )
);
create index message_claim_of_message on message_claim (provider_id);
create index message_claim_of_number on message_claim (workspace_id, hash);

create table campaign_delivery (
  campaign integer not null,
  outcome text not null,
  recipients integer not null,
  primary key (campaign, outcome),
  constraint campaign_delivery_recipients check (recipients >= 0)
) without rowid;

create table campaign_report (
  campaign integer not null primary key,
  version integer not null,
  shown integer not null,
  told integer not null
);
create index campaign_report_unshown on campaign_report (campaign) where version <> shown;
`;
