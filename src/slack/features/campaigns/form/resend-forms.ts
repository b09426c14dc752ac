import type { ModalView } from '@slack/types';
import { idempotencyKey } from '../../../../domain/access/request-keys.ts';
import { type RestKind, restId, restName } from '../../../../services/campaigns/import/recipient-sources.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import type { User } from '../../../middleware/requests.ts';
import { campaignUser } from '../actions.ts';
import { previewGone } from '../preview/preview.ts';
import type { StartForm } from '../preview/start-form.ts';
import { alreadyChanged, campaignGone } from '../status/campaign-state.ts';
import { statusView } from '../status/campaign-status.ts';
import { type CampaignRecipients, campaignFormView, maxNameLength } from './form-view.ts';
import { saveStart } from './saved-forms.ts';

/**
 * Returns the form of a campaign that sends to a rest of another one; the status of the campaign that sent to it, if one
 * did already.
 *
 * @throws UserError if there is no such rest
 */
export async function restForm(
  context: AppContext,
  user: User,
  { id, which }: { id: string; which: RestKind },
): Promise<ModalView> {
  const found = await context.services.campaigns.findRest({ ...campaignUser(user), id, which });
  switch (found.kind) {
    case 'gone':
      throw new UserError(campaignGone);
    case 'too_late':
      throw new UserError(alreadyChanged);
    case 'sent_on':
      return statusView(context, found.campaign);
    case 'found': {
      const { campaign } = found.source;
      const { name, channelId: origin } = campaign;
      const { recipients } = found;
      if (recipients === 0) {
        throw new UserError(mrkdwn`No recipients left to send to.`);
      }
      const named = { ...campaign, name: restName(name, which) };
      return filledInForm(context, named, { id, which, name, recipients }, { id: restId(id, which), origin });
    }
  }
}

/**
 * Returns the form of the user's own draft. Its preview will be shown with `start`.
 *
 * @throws UserError if there is no such draft
 */
export async function draftForm(
  context: AppContext,
  user: User,
  draft: { id: string; requestId: string; origin?: string | undefined; start?: StartForm | undefined },
): Promise<ModalView> {
  const { id, requestId, origin, start } = draft;
  const { campaigns } = context.services;
  const campaign = await campaigns.find(campaignUser(user), id);
  const found = await campaigns.findOfDraft({ ...campaignUser(user), id });
  if (campaign === undefined || found.kind === 'gone') {
    throw new UserError(previewGone, { isFinal: true });
  }
  const { source, recipients } = found;
  const { which, campaign: other } = source;
  // A draft that takes the place of this one has an id of its own; that of a rest keeps its id.
  const newId = which === 'all' ? idempotencyKey(user.workspaceId, requestId, 'campaign') : id;
  if (start !== undefined) {
    await saveStart(context, user, newId, start);
  }
  const recipientsOf = { id: other.id, which, name: other.name, recipients };
  return filledInForm(context, campaign, recipientsOf, { id: newId, origin });
}

/** Returns a form to recipients that another campaign has, filled in from what the database has of a campaign. */
function filledInForm(
  { services: { unicode, optOutAddress } }: AppContext,
  { name, route, senderId, personal, text = '' }: Campaign,
  recipientsOf: CampaignRecipients,
  metadata: { id: string; origin?: string | undefined },
): ModalView {
  const form = {
    source: 'file' as const,
    recipientsOf,
    pasted: '',
    route,
    senderId,
    device: route === 'chatapp' ? senderId : undefined,
    text,
    name: name.slice(0, maxNameLength).toWellFormed(),
  };
  const shown = { phonebooks: [], unicode, optOutAddress };
  return campaignFormView(form, { ...metadata, offersPlainCells: personal }, shown);
}
