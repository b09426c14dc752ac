import type { Selectable } from 'kysely';
import type { Schema } from '../schema/schema.ts';

/** Where something is known from: a report that the provider sent, or its history, which it was asked for. */
export type DeliverySource = 'report' | 'history';

export type DeliveryRow = Selectable<Schema['delivery']>;

/** One as it is reported, before it is counted. */
export type ReportedRow = Omit<DeliveryRow, 'campaign' | 'countedAs' | 'countedCost' | 'countAfter'>;

export type NumberOfWorkspace = Pick<DeliveryRow, 'workspaceId' | 'hash'>;

/** A message of which it is known what it says, from whom, and when it was sent: it can be told of which request it is. */
export interface IdentifiableMessage extends DeliveryRow {
  contentHash: string;
  sentAt: Date;
}

/** Returns undefined where something of that is not known. */
export function identify(row: DeliveryRow): IdentifiableMessage | undefined {
  const { contentHash } = row;
  const sentAt = sentAtOf(row);
  return contentHash === undefined || sentAt === undefined ? undefined : { ...row, contentHash, sentAt };
}

/**
 * Returns when the provider says that a message was sent. A later report may name a later time, by which fewer requests could
 * have sent it: the earliest one counts.
 */
export function sentAtOf(row: Pick<DeliveryRow, 'reportedAt' | 'firstReportedAt'>): Date | undefined {
  const sentAt = row.firstReportedAt ?? row.reportedAt;
  return sentAt === 0 ? undefined : new Date(sentAt);
}
