import type { z } from 'zod';
import type { operationErrorSchema } from '../schema/operations.ts';

/** Why something was not accepted. It lies in the clear at rest: no numbers, no message text. */
export type OperationError = z.infer<typeof operationErrorSchema>;

export function writeOperationError(error: OperationError | undefined): string | null {
  return error === undefined ? null : JSON.stringify(error);
}

/** Why what an earlier run of the program left in progress is unconfirmed. */
export const stoppedMidway: OperationError = { reason: 'stopped_midway' };

export const failedMidway: OperationError = { reason: 'failed_midway' };

/** Nothing was sent, since no answer said that it was recorded. */
export const notRecorded: OperationError = { reason: 'not_recorded' };
