import { z } from 'zod';

export const operationErrorSchema = z.object({
  reason: z.string(),
  message: z.string(),
  status: z.number().optional(),
  providerMessage: z.string().optional(),
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
export const stoppedMidway: OperationError = {
  reason: 'stopped_midway',
  message:
    'The program stopped before the provider answered. It may have been done: check before repeating it.',
};

export const failedMidway: OperationError = {
  reason: 'failed_midway',
  message:
    'The program failed while the provider was being asked. It may have been done: check before repeating it.',
};
