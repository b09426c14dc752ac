import type { CampaignUser } from '../../../../services/operations/ownership.ts';
import type { User } from '../../../middleware/requests.ts';

export function campaignUser({ workspaceId, userId, role }: User): CampaignUser {
  return { workspaceId, userId, isAdmin: role === 'admin' };
}
