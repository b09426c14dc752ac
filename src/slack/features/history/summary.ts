import { z } from 'zod';

/** What the summaries of operations that send something have in common. */
const summarySchema = z
  .object({ route: z.string(), senderId: z.string(), recipients: z.number() })
  .partial()
  .catch({});

/** Returns what a summary has of these; nothing of one that is made otherwise. */
export function readSummary(summary: unknown): z.infer<typeof summarySchema> {
  return summarySchema.parse(summary);
}
