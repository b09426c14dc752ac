import type { InputBlock } from '@slack/types';
import type { NamedPhonebook } from '../../../services/contacts/phonebooks.ts';
import { input, option } from '../build.ts';

/** A select of the named phonebooks, of which there is at least one. */
export function phonebookInput(
  phonebooks: readonly NamedPhonebook[],
  chosen: string,
  dispatchAs?: string,
): InputBlock {
  const options = phonebooks.map(({ id, name }) => option(name, id));
  const initial = options.find(({ value }) => value === chosen);
  return input(
    'phonebook',
    'Phonebook',
    {
      type: 'static_select',
      action_id: dispatchAs ?? 'phonebook',
      options,
      ...(initial === undefined ? {} : { initial_option: initial }),
    },
    { dispatch: dispatchAs !== undefined },
  );
}
