/** Messages that came in, and a thread for each number that wrote. */
export const replyTables = `
create table reply_thread (
  workspace_id text not null,
  id text not null,
  hash text not null,
  content text not null,
  state text not null,
  assigned_to text,
  last_by text not null,
  last_at integer not null,
  head_id text,
  message_channel text,
  message_ts text,
  version integer not null,
  primary key (workspace_id, id),
  unique (workspace_id, hash)
);

create table inbound_message (
  workspace_id text not null,
  id text not null,
  thread_id text not null,
  digest text not null,
  content text not null,
  created_at integer not null,
  confirmation text,
  unposted integer,
  primary key (workspace_id, id),
  unique (workspace_id, digest)
);
create index inbound_message_pending on inbound_message (confirmation) where confirmation = 'pending';
create index inbound_message_thread on inbound_message (workspace_id, thread_id, created_at);
create index inbound_message_time on inbound_message (created_at);
create index inbound_message_unposted on inbound_message (workspace_id, created_at) where unposted = 1;

create table reply_answer (
  workspace_id text not null,
  digest text not null,
  hash text not null,
  answer text not null,
  sent_at integer,
  received_at integer not null,
  listed integer not null,
  primary key (workspace_id, digest)
);
create index reply_answer_number on reply_answer (workspace_id, hash, answer, sent_at);
create index reply_answer_time on reply_answer (received_at);
`;
