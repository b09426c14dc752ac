import { z } from 'zod';

export const operationErrorSchema = z.object({
  /** A reason of the provider client, or one of the program. */
  reason: z.string(),
  /** What is particular to this failure, in sentences. */
  detail: z.string().optional(),
  status: z.number().optional(),
  providerMessage: z.string().optional(),
  /** Milliseconds that the provider asked to wait. */
  retryAfter: z.number().optional(),
});

/** Why something was not accepted. It lies in the clear at rest: no numbers, no message text. */
export type OperationError = z.infer<typeof operationErrorSchema>;

export function writeOperationError(error: OperationError | undefined): string | null {
  return error === undefined ? null : JSON.stringify(error);
}

export function readOperationError(json: string | null): OperationError | undefined {
  return json === null ? undefined : operationErrorSchema.parse(JSON.parse(json));
}

/** Why what an earlier run of the program left in progress is unconfirmed. */
export const stoppedMidway: OperationError = { reason: 'stopped_midway' };

export const failedMidway: OperationError = { reason: 'failed_midway' };
