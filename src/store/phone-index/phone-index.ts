import type { ChunkState } from '../campaigns/campaigns.ts';
import type { OperationError } from '../operations/ledger.ts';

/** The part of a campaign that a number was in, and what became of it. */
export interface FoundChunk {
  /** The campaign's id. */
  id: string;
  /** Its place in the campaign, from 0. */
  chunk: number;
  state: ChunkState;
  error?: OperationError | undefined;
}

/** Finds what went to a number, which lies there as a keyed hash alone. */
export interface PhoneIndex {
  /**
   * The latest first, up to `limit` of each. An operation is found if its intent named the number, a campaign by the
   * chunk that holds it, once it was confirmed. Nothing older than the retention time is found.
   *
   * @param number E.164: `+2348031234567`
   * @param query.userId whose operations and campaigns; everyone's when left out
   */
  find(
    workspaceId: string,
    number: string,
    query: { limit: number; userId?: string | undefined },
  ): Promise<{ operationIds: string[]; campaigns: FoundChunk[] }>;
}
