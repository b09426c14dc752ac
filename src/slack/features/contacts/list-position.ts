import { z } from 'zod';

/** Leads back to the list, at the position in the view's metadata. */
export const backAction = 'contacts_back';

/** The page and search of a phonebook that a view returns to. `origin` is the channel of the command. */
export const listPositionSchema = z.object({
  phonebookId: z.string(),
  /** Zero-based. */
  page: z.number().int(),
  search: z.string(),
  origin: z.string().optional(),
});
export type ListPosition = z.infer<typeof listPositionSchema>;

/** Returns the position of the first page of a phonebook. */
export function startOfList(phonebookId: string, origin?: string): ListPosition {
  return { phonebookId, page: 0, search: '', origin };
}
