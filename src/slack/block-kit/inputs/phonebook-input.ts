import type { InputBlock } from '@slack/types';
import type { NamedPhonebook } from '../../../services/contacts/phonebooks.ts';
import { option } from '../build.ts';
import { selectInput } from './fields.ts';

/** A select of the named phonebooks, of which there is at least one. */
export function phonebookInput(
  phonebooks: readonly NamedPhonebook[],
  chosen: string,
  dispatchAs?: string,
): InputBlock {
  return selectInput(
    'phonebook',
    'Phonebook',
    phonebooks.map(({ id, name }) => option(name, id)),
    { actionId: dispatchAs, chosen, dispatch: dispatchAs !== undefined },
  );
}
