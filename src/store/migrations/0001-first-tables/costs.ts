/** What messages cost, and where a workspace is told that its balance is low. */
export const costTables = `
create table cost_estimate (
  workspace_id text not null,
  subject text not null,
  subject_id text not null,
  estimate text not null,
  made_at bigint not null,
  primary key (workspace_id, subject, subject_id)
);
create index cost_estimate_made on cost_estimate (made_at);

create table message_cost (
  workspace_id text not null,
  subject text not null,
  subject_id text not null,
  country text not null,
  begun_at bigint not null,
  amount text not null,
  messages bigint not null,
  free bigint not null,
  pages bigint not null,
  primary key (workspace_id, subject, subject_id, country)
);
create index message_cost_begun on message_cost (begun_at);

create table month_cost (
  workspace_id text not null,
  month text not null,
  user_id text not null,
  sender_id text not null,
  currency text not null,
  amount text not null,
  messages bigint not null,
  primary key (workspace_id, month, user_id, sender_id, currency)
);

create table balance_alert (
  workspace_id text not null primary key,
  channel_id text not null,
  below text not null,
  set_by text not null,
  is_low integer not null,
  alerts integer not null
);
`;
