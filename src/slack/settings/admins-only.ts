import { mrkdwn } from '../blocks/text.ts';
import { Refusal } from '../errors.ts';
import type { Asker } from '../listening/calls.ts';

/** Refuses whoever is not an admin of the workspace. */
export function adminsOnly(asker: Asker): void {
  if (asker.role !== 'admin') {
    throw new Refusal(mrkdwn`Only admins of this workspace can change its settings. Nothing was changed.`);
  }
}
