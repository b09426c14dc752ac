import type { AdditionalData } from './cipher.ts';

/** What a number on a do-not-contact list is bound to, encrypted. */
export function suppressionAdditionalData(workspaceId: string, hash: string): AdditionalData {
  return ['do_not_contact', workspaceId, hash];
}
