import type { ModalView } from '@slack/types';
import { type RestKind, restId, restName } from '../../../../services/campaigns/import/former-recipients.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { idempotencyKey } from '../../../middleware/idempotency-key.ts';
import type { User } from '../../../middleware/requests.ts';
import { campaignUser } from '../actions.ts';
import { previewGone } from '../preview/preview.ts';
import type { StartForm } from '../preview/start-form.ts';
import { campaignStatusView } from '../status/status-view.ts';
import { alreadyChanged, campaignGone } from '../status/steering-texts.ts';
import { campaignFormView, type FormerChoice, maxNameLength } from './form-view.ts';
import type { KeptCampaignForms } from './kept-campaign-forms.ts';

export type FormerForms = ReturnType<typeof createFormerForms>;

/** Forms of campaigns to recipients that another campaign has, filled in from what the database has of that one. */
export function createFormerForms(
  { services: { campaigns, costs, providerHistory, unicode, optOutAddress } }: Pick<AppContext, 'services'>,
  forms: Pick<KeptCampaignForms, 'keepStart'>,
) {
  function formView(
    { name, route, senderId, personal, text = '' }: Campaign,
    former: FormerChoice,
    metadata: { id: string; origin?: string | undefined },
  ): ModalView {
    const form = {
      source: 'file' as const,
      former,
      pasted: '',
      route,
      senderId,
      device: route === 'chatapp' ? senderId : undefined,
      text,
      name: name.slice(0, maxNameLength).toWellFormed(),
    };
    return campaignFormView(
      form,
      { ...metadata, offersPlainCells: personal },
      { phonebooks: [], unicode, optOutAddress },
    );
  }

  return {
    /**
     * Returns the form that sends to a rest of a campaign; its status where that rest was sent to already.
     *
     * @throws UserError if there is no such rest
     */
    async ofRest(user: User, { id, which }: { id: string; which: RestKind }): Promise<ModalView> {
      const found = await campaigns.findRest({ ...campaignUser(user), id, which });
      switch (found.kind) {
        case 'gone':
          throw new UserError(campaignGone);
        case 'too_late':
          throw new UserError(alreadyChanged);
        case 'sent_on':
          return campaignStatusView(found.campaign, campaigns.throughput(found.campaign), {
            charges: await costs.ofCampaign(found.campaign),
            canAsk: providerHistory.isOn,
          });
        case 'found': {
          const { source, recipients } = found;
          const { name } = source.campaign;
          if (recipients === 0) {
            throw new UserError(mrkdwn`No recipients left to send to.`);
          }
          return formView(
            { ...source.campaign, name: restName(name, which) },
            { id, which, name, recipients },
            { id: restId(id, which), origin: source.campaign.channelId },
          );
        }
      }
    },

    /**
     * Returns the form of the user's own draft. Its preview will be shown with `start`.
     *
     * @throws UserError if there is no such draft
     */
    async ofDraft(
      user: User,
      {
        id,
        requestId,
        origin,
        start,
      }: {
        id: string;
        requestId: string;
        origin?: string | undefined;
        start?: StartForm | undefined;
      },
    ): Promise<ModalView> {
      const draft = await campaigns.find(campaignUser(user), id);
      const found = await campaigns.findOfDraft({ ...campaignUser(user), id });
      if (draft === undefined || found.kind === 'gone') {
        throw new UserError(previewGone, { isFinal: true });
      }
      const { source, recipients } = found;
      const { which, campaign } = source;
      const former = { id: campaign.id, which, name: campaign.name, recipients };
      // A draft that takes the place of this one has an id of its own; that of a rest keeps its id.
      const ofNew = which === 'all' ? idempotencyKey(user.workspaceId, requestId, 'campaign') : id;
      if (start !== undefined) {
        await forms.keepStart(user, ofNew, start);
      }
      return formView(draft, former, { id: ofNew, origin });
    },
  };
}
