import { mrkdwn } from '../../block-kit/text.ts';
import { UserError } from '../errors.ts';
import type { User } from '../requests.ts';

const adminActions = {
  settings: 'change the settings',
  phonebooks: 'add and remove phonebooks',
  suppression_list: 'remove, import or export numbers of the do-not-contact list',
};

/** Throws a UserError unless the user is an admin. */
export function requireAdmin({ role }: User, action: keyof typeof adminActions = 'settings'): void {
  if (role !== 'admin') {
    throw new UserError(mrkdwn`Only admins of this workspace can ${adminActions[action]}.`);
  }
}
