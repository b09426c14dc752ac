import { z } from 'zod';
import type { OperationError } from './operation-error.ts';

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

export function readOperationError(json: string | null): OperationError | undefined {
  return json === null ? undefined : operationErrorSchema.parse(JSON.parse(json));
}
