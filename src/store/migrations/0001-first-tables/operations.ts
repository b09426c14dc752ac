/** What is sent or bought once, the requests for approval, and the notices to people. */
export const operationTables = `
create table operation (
  id text not null primary key,
  workspace_id text not null,
  key text not null,
  kind text not null,
  user_id text not null,
  channel_id text,
  summary text not null,
  state text not null,
  provider_id text,
  pages integer,
  balance text,
  error text,
  run text not null,
  created_at bigint not null,
  ended_at bigint,
  resolved_from text,
  message_channel text,
  message_ts text,
  resolved_channel text,
  resolved_ts text,
  receipt_id text,
  unique (workspace_id, key),
  constraint operation_state check (state in ('underway', 'accepted', 'rejected', 'not_sent', 'unconfirmed')),
  constraint operation_ended check ((state = 'underway') = (ended_at is null))
);
create index operation_named on operation (provider_id) where provider_id is not null;
create index operation_of_provider on operation (workspace_id, provider_id) where provider_id is not null;
create index operation_receipt on operation (receipt_id) where receipt_id is not null;
create index operation_recent on operation (workspace_id, created_at, id);
-- What an operation is about: of \`sms.send\` it is \`sms\`. A query has to spell it like this to use the index.
create index operation_recent_by_subject on operation (workspace_id, substr(kind, 1, instr(kind, '.') - 1), created_at, id);
create index operation_recent_in_state on operation (workspace_id, state, created_at, id);
create index operation_recent_of_user on operation (workspace_id, user_id, created_at, id);
-- It has only operations under way, so it stays small however long the history grows.
create index operation_underway on operation (id) where state = 'underway';

create table operation_number (
  hash text not null,
  operation_id text not null,
  created_at bigint not null,
  primary key (hash, operation_id)
) without rowid;
create index operation_number_age on operation_number (created_at, operation_id);

create table operation_text (
  operation_id text not null primary key,
  workspace_id text not null,
  value text not null,
  created_at bigint not null
);
create index operation_text_age on operation_text (created_at);
create index operation_text_workspace on operation_text (workspace_id);

create table approval (
  workspace_id text not null,
  id text not null,
  kind text not null,
  subject text not null,
  requested_by text not null,
  owner text not null,
  channel_id text not null,
  content text not null,
  campaign_state text,
  recipients integer,
  suppressed integer,
  state text not null,
  cause text,
  reason text,
  created_at bigint not null,
  expires_at bigint not null,
  ended_at bigint,
  ended_by text,
  performed_at bigint,
  message_channel text,
  message_ts text,
  primary key (workspace_id, id),
  constraint approval_state check (state in ('waiting', 'approved', 'rejected', 'withdrawn', 'expired', 'void')),
  constraint approval_ended check ((state = 'waiting') = (ended_at is null))
);
-- At most one of a campaign or an order waits, however many people ask.
create unique index approval_waiting on approval (workspace_id, kind, subject) where state = 'waiting';

create table outbox (
  workspace_id text not null,
  subject text not null,
  subject_id text not null,
  user_id text not null,
  channel_id text,
  channel_error text,
  repeated integer not null default 0,
  title text,
  attempts integer not null default 0,
  next_attempt_at bigint not null,
  lease text,
  lease_until bigint,
  version integer not null default 0,
  primary key (workspace_id, subject, subject_id)
);
create index outbox_due on outbox (attempts, next_attempt_at);
`;
