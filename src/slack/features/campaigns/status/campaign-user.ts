import type { CampaignUser } from '../../../../services/operations/ownership.ts';
import type { User } from '../../../middleware/requests.ts';

export function campaignUser({ workspaceId, userId, permissions }: User): CampaignUser {
  return { workspaceId, userId, isAdmin: permissions.has('administer') };
}
