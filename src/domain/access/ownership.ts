import { createHash } from 'node:crypto';
import { epochOf, withEpoch } from './request-keys.ts';

/** The form of an id that was derived from a request. */
const bareId = /^[\w-]{22}$/;

/**
 * Returns the id under which something of a user's own lies: a form, a draft, an operation, a code, an order. The user
 * is a part of it, so an id of somebody else's, like one that was made up, names something of the user's own that is
 * not there yet. Returns an id that it made itself unchanged.
 */
export function ownId(userId: string, id: string): string {
  const epoch = epochOf(id);
  const prefix = `${userId}.`;
  const name = id.slice(withEpoch(epoch, '').length);
  const bare = name.startsWith(prefix) ? name.slice(prefix.length) : name;
  const isBare = bareId.test(bare);
  const suffix = isBare ? bare : createHash('sha256').update(bare).digest('base64url').slice(0, 22);
  return withEpoch(epoch, `${prefix}${suffix}`);
}

/** Who asks for a campaign. */
export interface CampaignUser {
  workspaceId: string;
  userId: string;
  isAdmin: boolean;
}

/** What its creator must be allowed to do for a campaign to be sent, and to manage it. */
export const neededFor = ({ isMessage }: { isMessage?: boolean | undefined }) =>
  isMessage === true ? 'send' : 'campaign';

interface Created {
  createdBy: string;
}

/** Returns the campaign if the user made it: only its creator prepares and starts one. */
export function ifOwn<Campaign extends Created>(
  campaign: Campaign | undefined,
  userId: string,
): Campaign | undefined {
  return campaign?.createdBy === userId ? campaign : undefined;
}

/** Returns the campaign if the user may see and steer it: its creator may, and admins. */
export function ifSteerable<Campaign extends Created>(
  campaign: Campaign | undefined,
  { userId, isAdmin }: CampaignUser,
): Campaign | undefined {
  return isAdmin ? campaign : ifOwn(campaign, userId);
}
