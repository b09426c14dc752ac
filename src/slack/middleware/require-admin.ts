import { mrkdwn } from '../block-kit/text.ts';
import type { User } from './calls.ts';
import { UserError } from './errors.ts';

/** Refuses whoever is not an admin of the workspace. */
export function requireAdmin(user: User): void {
  if (user.role !== 'admin') {
    throw new UserError(mrkdwn`Only admins of this workspace can change its settings. Nothing was changed.`);
  }
}
