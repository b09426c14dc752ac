import { mrkdwn } from '../../block-kit/text.ts';
import { UserError } from '../errors.ts';
import type { User } from '../requests.ts';

/** Refuses whoever may not take numbers off the list, or bring many onto it at once. */
export function requireListAdmin({ role }: User): void {
  if (role !== 'admin') {
    throw new UserError(
      mrkdwn`Only admins of this workspace can take numbers off this list, or import a file. Nothing was changed.`,
    );
  }
}
