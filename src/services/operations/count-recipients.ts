import { z } from 'zod';
import type { Operation } from '../../store/operations/ledger.ts';

const summarySchema = z.object({ recipients: z.number().default(1) });

/** Returns how many recipients an operation has, by its summary; of one that names no number of them, one. */
export function countRecipients({ summary }: Pick<Operation, 'summary'>): number {
  return summarySchema.safeParse(summary).data?.recipients ?? 1;
}
