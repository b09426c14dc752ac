import { z } from 'zod';

/** Which contacts a person looks at, to come back to them; `origin` is the channel they came from. */
export const placeSchema = z.object({
  phonebookId: z.string(),
  /** Zero-based. */
  page: z.number().int(),
  search: z.string(),
  origin: z.string().optional(),
});
export type Place = z.infer<typeof placeSchema>;

/** The beginning of a phonebook. */
export function beginning(phonebookId: string, origin?: string): Place {
  return { phonebookId, page: 0, search: '', ...(origin === undefined ? {} : { origin }) };
}
