/** The installation itself, its instances, keys and jobs, and the values that need no table of their own. */
export const installationTables = `
create table installation (
  id integer primary key,
  epoch text not null,
  writes bigint not null,
  mark_file text not null,
  database_file text not null,
  machine text,
  boot text,
  restored_at bigint,
  notified_at bigint
);

create table instance (
  run text not null primary key,
  started_at bigint not null,
  heartbeat_at bigint not null,
  stopping integer not null default 0,
  version text not null,
  key_id text not null
);

create table instance_mark (
  id text not null primary key,
  ticks bigint not null,
  seen_at bigint not null
);

create table encryption_key (
  id text not null primary key,
  canary text not null,
  position integer not null,
  in_use integer not null,
  starts integer not null default 0,
  values_left integer,
  unreadable integer not null default 0
);

create table number_key (
  workspace_id text not null primary key,
  key text not null
);

create table keyv (
  workspace_id text not null,
  area text not null,
  key text not null,
  value text not null,
  expires bigint,
  primary key (workspace_id, area, key)
);
create index keyv_expires on keyv (expires) where expires is not null;

create table job (
  topic text not null,
  key text not null,
  due_at bigint not null,
  next_at bigint not null,
  attempts integer not null default 0,
  times integer not null default 1,
  primary key (topic, key, due_at)
);
`;
