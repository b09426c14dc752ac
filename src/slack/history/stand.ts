import { z } from 'zod';

const placeSchema = z.object({ operation: z.string().optional() });

/** Where a person is in the history: whose they see, after which of them, and the pages they came by. */
export const standSchema = z.object({
  whose: z.enum(['own', 'everyone']),
  after: placeSchema,
  trail: z.array(placeSchema),
});
export type Stand = z.infer<typeof standSchema>;

/** Of the pages a person came by. Slack: 3,000 characters of private metadata. */
const longestTrail = 20;

export function beginning(whose: Stand['whose']): Stand {
  return { whose, after: {}, trail: [] };
}

export function onwards({ whose, after, trail }: Stand, next: Stand['after']): Stand {
  return { whose, after: next, trail: [...trail, after].slice(-longestTrail) };
}

/** Where the trail is at its end, this leads to the newest. */
export function back({ whose, trail }: Stand): Stand {
  return { whose, after: trail.at(-1) ?? {}, trail: trail.slice(0, -1) };
}
