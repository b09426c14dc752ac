/** Slack’s installations, roles, the audit and limits of workspaces. */
export const workspaceTables = `
create table slack_workspace (
  workspace_id text not null primary key,
  enterprise_id text not null
);
create index slack_workspace_of_enterprise on slack_workspace (enterprise_id);

create table slack_lease (
  workspace_id text not null primary key,
  holder text not null,
  expires bigint not null
);

create table slack_removal (
  workspace_id text not null primary key,
  owner_id text not null,
  removed_at bigint not null
);

create table workspace_roles (
  workspace_id text not null primary key,
  version integer not null,
  grants text,
  changed_by text,
  changed_at integer
);

create table audit_register (
  workspace_id text not null primary key,
  key text not null,
  chains text not null,
  mac text not null
);

create table audit_chain (
  workspace_id text not null primary key,
  first bigint not null,
  before text not null,
  last bigint not null,
  "end" text not null,
  mac text not null
);

create table audit_entry (
  workspace_id text not null,
  sequence bigint not null,
  at bigint not null,
  user_id text,
  action text not null,
  subject text,
  outcome text not null,
  surface text not null,
  channel_id text,
  details text,
  previous text not null,
  mac text not null,
  primary key (workspace_id, sequence)
);
create index audit_entry_of_action on audit_entry (workspace_id, action, at, sequence);
create index audit_entry_of_user on audit_entry (workspace_id, user_id, at, sequence);
create index audit_entry_recent on audit_entry (workspace_id, at, sequence);

create table limit_window (
  workspace_id text not null,
  key text not null,
  points bigint not null,
  expires bigint not null,
  primary key (workspace_id, key)
);
create index limit_window_expires on limit_window (expires);

create table limit_reservation (
  workspace_id text not null,
  campaign_id text not null,
  windows text not null,
  pages bigint not null,
  taken_before bigint not null,
  primary key (workspace_id, campaign_id)
);

create table limit_reached (
  workspace_id text not null,
  subject text not null,
  reached text not null,
  user_id text not null,
  refusals integer not null,
  at bigint not null,
  frees_at bigint,
  primary key (workspace_id, subject)
);
`;
