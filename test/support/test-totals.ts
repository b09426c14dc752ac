import { z } from 'zod';

/** How many tests ended how, as `run-files.ts` tells it to the process that started it. */
export const totalsSchema = z.object({ passed: z.int(), failed: z.int(), skipped: z.int() });

export type Totals = z.infer<typeof totalsSchema>;
