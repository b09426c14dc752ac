import type { AppContext } from '../../../middleware/app-context.ts';
import { idempotencyKey } from '../../../middleware/idempotency-key.ts';
import type { Navigation } from '../../../navigation/navigation.ts';
import { campaignFormView } from './form-view.ts';

/** Makes the form of a new campaign: on the promotional route, from the sender ID that the user chose last. */
export function createCampaignForm({ services }: Pick<AppContext, 'services'>): Navigation['campaignForm'] {
  const { workspaces, phonebooks, unicode, optOutAddress } = services;
  return async ({ workspaceId, userId }, { requestId, origin, phonebookId }) => {
    const [{ senderId }, { campaignSenderId }, named] = await Promise.all([
      workspaces.defaults(workspaceId),
      workspaces.preferences(workspaceId, userId),
      phonebooks.list(workspaceId),
    ]);
    return campaignFormView(
      {
        source: phonebookId === undefined ? 'file' : 'phonebook',
        phonebookId,
        pasted: '',
        route: 'generic',
        senderId: campaignSenderId ?? senderId,
        text: '',
      },
      { id: idempotencyKey(workspaceId, requestId, 'campaign'), origin },
      { phonebooks: named, unicode, optOutAddress },
    );
  };
}
