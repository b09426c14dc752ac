import * as approvals from './approvals.ts';
import * as campaigns from './campaigns.ts';
import type { Binding, Column, NewRow, Row as RowOf, Table, Tables } from './declare.ts';
import * as deliveries from './deliveries.ts';
import * as installation from './installation.ts';
import * as operations from './operations.ts';
import * as replies from './replies.ts';
import * as workspaces from './workspaces.ts';

/** Every table of the database, once. */
const declared = {
  installation: installation.installation,
  instance: installation.instance,
  instanceMark: installation.instanceMark,
  encryptionKey: installation.encryptionKey,
  job: installation.job,
  keyv: installation.keyv,
  numberKey: installation.numberKey,
  slackWorkspace: workspaces.slackWorkspace,
  slackLease: workspaces.slackLease,
  slackRemoval: workspaces.slackRemoval,
  workspaceRoles: workspaces.workspaceRoles,
  auditRegister: workspaces.auditRegister,
  auditChain: workspaces.auditChain,
  auditEntry: workspaces.auditEntry,
  limitWindow: workspaces.limitWindow,
  limitReservation: workspaces.limitReservation,
  limitReached: workspaces.limitReached,
  template: workspaces.template,
  watch: workspaces.watch,
  operation: operations.operation,
  operationNumber: operations.operationNumber,
  operationText: operations.operationText,
  approval: approvals.approval,
  outbox: approvals.outbox,
  campaign: campaigns.campaign,
  campaignChunk: campaigns.campaignChunk,
  campaignChunkContent: campaigns.campaignChunkContent,
  campaignNumber: campaigns.campaignNumber,
  campaignRejectedRow: campaigns.campaignRejectedRow,
  campaignDelivery: campaigns.campaignDelivery,
  campaignReport: campaigns.campaignReport,
  pace: campaigns.pace,
  reportAddress: deliveries.reportAddress,
  delivery: deliveries.delivery,
  deliveryClaim: deliveries.deliveryClaim,
  messageClaim: deliveries.messageClaim,
  costEstimate: deliveries.costEstimate,
  messageCost: deliveries.messageCost,
  monthCost: deliveries.monthCost,
  suppression: replies.suppression,
  replyThread: replies.replyThread,
  inboundMessage: replies.inboundMessage,
  replyAnswer: replies.replyAnswer,
};

type Declared = typeof declared;
export type TableName = keyof Declared;

/** What Kysely is given. */
export type Schema = Tables<Declared>;
/** A row of a table as it is read: dates, booleans, parsed JSON, and undefined for absent values. */
export type Row<Name extends TableName> = RowOf<Declared[Name]>;
/** A row of a table as it is written. */
export type InsertableRow<Name extends TableName> = NewRow<Declared[Name]>;

/** The tables of the database, by their common type. */
export const tables: Readonly<Record<TableName, Table>> = declared;
const entries = Object.entries(tables) as [TableName, Table][];

/** The columns of all tables by their names: a name means the same kind in every table. */
export const columnsByName: ReadonlyMap<string, Column> = new Map(
  entries.flatMap(([, { columns }]) => Object.entries(columns)),
);

/** A column with encrypted values. */
export interface EncryptedColumn {
  table: TableName;
  column: string;
  /** The primary key. */
  key: readonly string[];
  binding: Binding;
}

/** Every column with encrypted values. */
export const encryptedColumns: readonly EncryptedColumn[] = entries.flatMap(([name, { columns, key }]) =>
  Object.entries(columns).flatMap(([column, { binding }]) =>
    binding === undefined ? [] : [{ table: name, column, key, binding }],
  ),
);

/** Returns a column with encrypted values. */
export function encryptedColumn(table: TableName, column: string): EncryptedColumn {
  const found = encryptedColumns.find((each) => each.table === table && each.column === column);
  if (found === undefined) {
    throw new TypeError(`${table}.${column} is not encrypted`);
  }
  return found;
}

/** The tables that a workspace's removal clears in one of these ways. */
export const tablesRemoved = (removal: Table['removal']): { name: TableName; key: readonly string[] }[] =>
  entries.flatMap(([name, table]) => (table.removal === removal ? [{ name, key: table.key }] : []));
