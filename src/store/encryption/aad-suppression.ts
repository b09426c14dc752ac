import type { Place } from './cipher.ts';

/** What a number on a do-not-contact list is bound to, encrypted. */
export function doNotContactPlace(workspaceId: string, hash: string): Place {
  return ['do_not_contact', workspaceId, hash];
}
