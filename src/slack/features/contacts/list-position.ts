import { z } from 'zod';

/** Leads back to the list, at the position in the view's metadata. */
export const backAction = 'contacts_back';

/** Which contacts a person looks at, to come back to them; `origin` is the channel they came from. */
export const listPositionSchema = z.object({
  phonebookId: z.string(),
  /** Zero-based. */
  page: z.number().int(),
  search: z.string(),
  origin: z.string().optional(),
});
export type ListPosition = z.infer<typeof listPositionSchema>;

/** The beginning of a phonebook. */
export function startOfList(phonebookId: string, origin?: string): ListPosition {
  return { phonebookId, page: 0, search: '', ...(origin === undefined ? {} : { origin }) };
}
