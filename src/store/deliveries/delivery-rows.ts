import type { Selectable } from 'kysely';
import type { ReportedState } from '../../domain/messages/delivery-status.ts';

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
    cost: string | null;
    /** When this state was learned. */
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
export type ReportedRow = Omit<DeliveryRow, 'campaign' | 'counted_as'>;
