import { mrkdwn } from '../../block-kit/text.ts';
import { UserError } from '../errors.ts';
import type { User } from '../requests.ts';

/** Refuses whoever is not an admin of the workspace. */
export function requireAdmin(user: User): void {
  if (user.role !== 'admin') {
    throw new UserError(mrkdwn`Only admins of this workspace can change its settings. Nothing was changed.`);
  }
}
