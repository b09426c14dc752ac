import { mrkdwn } from '../block-kit/text.ts';
import type { Asker } from './calls.ts';
import { Refusal } from './errors.ts';

/** Refuses whoever may not take numbers off the list, or bring many onto it at once. */
export function listAdminsOnly({ role }: Asker): void {
  if (role !== 'admin') {
    throw new Refusal(
      mrkdwn`Only admins of this workspace can take numbers off this list, or import a file. Nothing was changed.`,
    );
  }
}
