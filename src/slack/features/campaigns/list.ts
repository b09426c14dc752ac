import type { ModalView } from '@slack/types';
import type { AppContext } from '../../middleware/app-context.ts';
import type { User } from '../../middleware/requests.ts';
import { campaignsView } from './list-view.ts';

const open = ['reading', 'ready', 'scheduled', 'running', 'paused'] as const;
const over = ['done', 'cancelled', 'missed'] as const;
/** Of each kind, in the list. */
const mostOpen = 30;
const mostOver = 10;

/** A person's campaigns; for an admin, everyone's. */
export function createCampaignList({ services: { campaigns } }: Pick<AppContext, 'services'>) {
  return async ({ workspaceId, userId, role }: User): Promise<ModalView> => {
    const everyones = role === 'admin';
    const whose = { workspaceId, userId: everyones ? undefined : userId };
    const [opened, ended] = await Promise.all([
      campaigns.listRecent({ ...whose, states: open, limit: mostOpen }),
      campaigns.listRecent({ ...whose, states: over, limit: mostOver }),
    ]);
    return campaignsView({ open: opened, over: ended }, { everyones });
  };
}
