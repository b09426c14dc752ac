import type { Generated, Selectable } from 'kysely';
import type { ReportedState } from '../../domain/deliveries/delivery-status.ts';

/** Where something is known from: a report that the provider sent, or its history, which it was asked for. */
export type DeliverySource = 'report' | 'history';

export interface DeliveryTables {
  /** What is known of one message to one number. Times are milliseconds since 1970. */
  delivery: {
    workspace_id: string;
    /** The provider’s id of the message. */
    provider_id: string;
    /** Of the number, see `PhoneHashes`. */
    hash: string;
    /** A hash with the same key of sender and text, see `hashContent`; null where one of them is not known. */
    content: string | null;
    state: ReportedState;
    /** See `reportedProgress`. */
    progress: number;
    /** In the provider’s words, without numbers. */
    status: string;
    /** By the provider; 0 where it names no time. */
    reported_at: number;
    /** The earliest time that the provider has named of it; null where it named none. */
    first_reported_at: number | null;
    cost: string | null;
    /** The progress and the time of the report that named the cost; null where none has. */
    cost_progress: number | null;
    cost_at: number | null;
    /** Of the number, see `quickCountryOf`. */
    country: string;
    /** The cost that is counted, see `countCosts`. */
    counted_cost: string | null;
    /** When the cost is to be counted, at the earliest: milliseconds since 1970. */
    count_after: Generated<number>;
    /** When this state was learned, and where from. */
    received_at: number;
    source: DeliverySource;
    /** Whether what follows from it is still to be done, see `followDeliveries`. */
    pending: 0 | 1;
    /** The sequence of the campaign that it is counted in; null where it is not. */
    campaign: number | null;
    /** What it is counted as there, see `outcomeOf`. */
    counted_as: string | null;
  };
  /** Which message of the provider an operation without an answer turned out to be. */
  delivery_claim: {
    workspace_id: string;
    provider_id: string;
    operation_id: string;
    claimed_at: number;
  };
  /** Which number of an operation, or which recipient of a campaign, without an answer a message turned out to be of. */
  message_claim: {
    workspace_id: string;
    provider_id: string;
    hash: string;
    operation_id: string | null;
    /** The sequence of the campaign. */
    campaign: number | null;
    chunk: number | null;
    source: DeliverySource;
    claimed_at: number;
  };
}

export type DeliveryRow = Selectable<DeliveryTables['delivery']>;

/** One as it is reported, before it is counted. */
export type ReportedRow = Omit<DeliveryRow, 'campaign' | 'counted_as' | 'counted_cost' | 'count_after'>;

export type NumberOfWorkspace = Pick<DeliveryRow, 'workspace_id' | 'hash'>;

/** A message of which it is known what it says, from whom, and when it was sent: it can be told of which request it is. */
export interface IdentifiableMessage extends DeliveryRow {
  content: string;
  sentAt: Date;
}

/** Returns undefined where something of that is not known. */
export function identify(row: DeliveryRow): IdentifiableMessage | undefined {
  const { content } = row;
  const sentAt = sentAtOf(row);
  return content === null || sentAt === undefined ? undefined : { ...row, content, sentAt };
}

/**
 * Returns when the provider says that a message was sent. A later report may name a later time, by which fewer requests could
 * have sent it: the earliest one counts.
 */
export function sentAtOf(row: Pick<DeliveryRow, 'reported_at' | 'first_reported_at'>): Date | undefined {
  const sentAt = row.first_reported_at ?? row.reported_at;
  return sentAt === 0 ? undefined : new Date(sentAt);
}
