import type { AppContext } from '../../../middleware/app-context.ts';
import { idempotencyKey } from '../../../middleware/idempotency-key.ts';
import type { Navigation } from '../../../navigation/navigation.ts';
import { campaignFormView } from './form-view.ts';

/** Makes the form of a new campaign, empty but for the workspace's defaults. */
export function createCampaignForm({ services }: Pick<AppContext, 'services'>): Navigation['campaignForm'] {
  const { workspaces, phonebooks } = services;
  return async ({ workspaceId }, { requestId, origin, phonebookId }) => {
    const [{ route, senderId }, named] = await Promise.all([
      workspaces.defaults(workspaceId),
      phonebooks.list(workspaceId),
    ]);
    return campaignFormView(
      {
        source: phonebookId === undefined ? 'file' : 'phonebook',
        phonebookId,
        pasted: '',
        route,
        senderId,
        device: route === 'chatapp' ? senderId : undefined,
        text: '',
      },
      { id: idempotencyKey(workspaceId, requestId, 'campaign'), origin },
      named,
    );
  };
}
