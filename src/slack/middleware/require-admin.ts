import { mrkdwn } from '../block-kit/text.ts';
import type { Asker } from './calls.ts';
import { Refusal } from './errors.ts';

/** Refuses whoever is not an admin of the workspace. */
export function adminsOnly(asker: Asker): void {
  if (asker.role !== 'admin') {
    throw new Refusal(mrkdwn`Only admins of this workspace can change its settings. Nothing was changed.`);
  }
}
