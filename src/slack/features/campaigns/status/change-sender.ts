import type { ModalView } from '@slack/types';
import { senderOf } from '../../../../domain/messages/message-checks.ts';
import { routeSchema } from '../../../../domain/messages/routes.ts';
import { canChangeSender } from '../../../../services/campaigns/steering.ts';
import type { ShownCampaign } from '../../../../store/campaigns/campaigns.ts';
import { section } from '../../../block-kit/build.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import { senderField, textField } from '../../../kit/fields.ts';
import { defineForm } from '../../../kit/form.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import type { User } from '../../../middleware/requests.ts';
import { campaignUser, shownSchema } from '../actions.ts';
import { maxNameLength } from '../form/form-view.ts';
import { alreadyChanged } from './campaign-state.ts';
import { findCampaign, steeredView } from './campaign-status.ts';

/**
 * *Change sender ID* on a paused campaign whose sender the provider refused.
 *
 * @param review shows what will be resumed
 */
export function defineSenderForm(
  context: AppContext,
  review: (user: User, shown: ShownCampaign) => Promise<ModalView>,
) {
  const { campaigns } = context.services;
  return defineForm({
    id: 'campaign_sender',
    needs: 'campaign',
    meta: shownSchema,
    fields: { senderId: senderField(), device: textField('Device', { max: maxNameLength }) },
    async load(user, { id }) {
      const campaign = await findCampaign(context, user, id);
      if (!canChangeSender(campaign)) {
        throw new UserError(alreadyChanged);
      }
      return { campaign, byChat: campaign.route === 'chatapp' };
    },
    title: ({ data }) => (data.byChat ? 'Device' : 'Sender ID'),
    submit: 'Review',
    when: {
      senderId: (_form, { byChat }) => !byChat,
      device: (_form, { byChat }) => byChat,
    },
    above: ({ data: { campaign } }) => [
      section(
        mrkdwn`*${campaign.name}*\nFrom *${campaign.senderId}* so far. Nothing is sent until you resume.`,
      ),
    ],
    async submitted({ user, meta: { id, version }, form }) {
      const { route } = await findCampaign(context, user, id);
      const sender = senderOf(form, routeSchema.parse(route));
      const request = { ...campaignUser(user), id, version, sender };
      const result = await campaigns.changeSender(request);
      if (result.kind === 'fault') {
        return { faults: { [route === 'chatapp' ? 'device' : 'senderId']: result.fault } };
      }
      return {
        view:
          result.kind === 'done'
            ? await review(user, result.campaign)
            : await steeredView(context, user, result),
      };
    },
  });
}
