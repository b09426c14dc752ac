import { createHash } from 'node:crypto';
import type { Campaign } from '../store/campaigns.ts';

/** How an id is written that a request gave rise to. */
const bareId = /^[\w-]{22}$/;

/**
 * Returns the id under which something of a user's own lies: a form, a draft, an operation, a code, an order. The user
 * is a part of it, so an id of somebody else's, like one that was made up, names something of the user's own that is
 * not there yet. Returns an id that it made itself unchanged.
 */
export function ownId(userId: string, id: string): string {
  const prefix = `${userId}.`;
  const bare = id.startsWith(prefix) ? id.slice(prefix.length) : id;
  const isBare = bareId.test(bare);
  return `${prefix}${isBare ? bare : createHash('sha256').update(bare).digest('base64url').slice(0, 22)}`;
}

/** Who asks for a campaign. */
export interface CampaignUser {
  workspaceId: string;
  personId: string;
  isAdmin: boolean;
}

/** Returns the campaign if the user made it: only its author prepares and starts one. */
export function ifOwn(campaign: Campaign | undefined, userId: string): Campaign | undefined {
  return campaign?.author === userId ? campaign : undefined;
}

/** Returns the campaign if the user may see and steer it: its author may, and admins. */
export function ifSteerable(
  campaign: Campaign | undefined,
  { personId, isAdmin }: CampaignUser,
): Campaign | undefined {
  return isAdmin ? campaign : ifOwn(campaign, personId);
}
