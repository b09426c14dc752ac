import type { NamedPhonebook, PhonebookService } from '../../services/contacts/phonebooks.ts';
import { mrkdwn } from '../block-kit/text.ts';
import type { Viewer } from '../navigation/navigation.ts';
import { UserError } from './errors.ts';

/**
 * Returns the phonebook that was chosen.
 *
 * @throws UserError if it is no longer shown in this workspace
 */
export async function findPhonebook(
  phonebooks: PhonebookService,
  { workspaceId }: Viewer,
  id: string | undefined,
): Promise<NamedPhonebook> {
  const named = await phonebooks.list(workspaceId);
  const found = named.find((phonebook) => phonebook.id === id);
  if (found === undefined) {
    throw new UserError(mrkdwn`This phonebook was removed from Switchboard.`);
  }
  return found;
}
