import { contactAddress } from '../../src/config/setting-types.ts';

/** What reads text that an operator may have from others. */
export const parsers: Record<string, (text: string) => unknown> = {
  'a contact': (text) => contactAddress.safeParse(text),
};
