import { z } from 'zod';

/** Anything JSON can say. */
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** What a person is about to do, written down before the provider is called. Times are set by the ledger. */
export interface Intent {
  workspaceId: string;
  /** The idempotency key: the same key in the same workspace is the same deed. Opaque, but for its actor (`ownId`). */
  key: string;
  /** What kind of deed, as `subject.verb`: `sms.send`. */
  kind: string;
  /** Who: a Slack user id. */
  userId: string;
  /** Where the person asked for it, and where the outcome may be told: a Slack channel id. */
  channelId?: string | undefined;
  /** What it was about, for history and telling. It lies in the clear: numbers masked, no message text, no codes. */
  summary: Json;
  /**
   * The numbers it goes to, in E.164, for the history's search. They lie there as keyed hashes, for the retention time,
   * and are in no `Operation` that the ledger gives.
   */
  numbers?: readonly string[] | undefined;
}

/** How an operation ended. `unconfirmed`: the provider may have done it, nobody knows. */
export interface Ending {
  state: 'accepted' | 'rejected' | 'not_sent' | 'unconfirmed';
  /** The provider's own id of what was done. */
  providerId?: string | undefined;
  /** Message pages, all recipients together. */
  pages?: number | undefined;
  /** The balance after it, exactly as the provider wrote it. */
  balance?: string | undefined;
  /** In the clear at rest: no numbers, no message text. */
  error?: OperationError | undefined;
}

export const operationErrorSchema = z.object({
  reason: z.string(),
  message: z.string(),
  status: z.number().optional(),
  providerMessage: z.string().optional(),
});

export type OperationError = z.infer<typeof operationErrorSchema>;

/** Why what a run of the program left under way is unconfirmed. */
export const stoppedMidway: OperationError = {
  reason: 'stopped_midway',
  message:
    'The program stopped before the provider answered. It may have been done: check before repeating it.',
};

/** One row of the ledger. */
export interface Operation extends Omit<Intent, 'numbers'>, Omit<Ending, 'state'> {
  id: string;
  state: 'underway' | Ending['state'];
  createdAt: Date;
  endedAt?: Date | undefined;
}

/** The guard against doubles, the history and the audit, in one. What ends gets a notice in the outbox. */
export interface Ledger {
  /**
   * Writes the intent down durably, then calls; or, where the key is known already, calls nothing and gives what is
   * known (`first: false`; `underway` while the first caller still waits). Of any number of callers with one key, one
   * calls. A throw in `call` is written as `unconfirmed` and thrown on. Where the disk is full or the database locked
   * just when the ending is to be written down, that is thrown, and the ending written down once it can be. Throws a
   * StoreError, and calls nothing, for a key of before the data was restored (`outdated`) and where the data was taken
   * away (`data_gone`).
   */
  perform(intent: Intent, call: () => Promise<Ending>): Promise<{ operation: Operation; first: boolean }>;

  find(workspaceId: string, by: { id: string } | { key: string }): Promise<Operation | undefined>;

  /**
   * After a crash: what a process that is gone left `underway` becomes `unconfirmed`. Never touches what this process
   * does, so it is safe at any time. Gives the number of operations that became `unconfirmed`.
   */
  recover(now: Date): Promise<number>;

  /** The newest operations first; `before` is the id of the last one seen, which has to be the actor's too. */
  recent(query: {
    workspaceId: string;
    userId?: string;
    limit: number;
    before?: string;
  }): Promise<Operation[]>;
}
