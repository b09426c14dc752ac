import type { PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { toPlainText } from '../../../../domain/messages/plain-text.ts';
import type { FollowUpOffer } from '../../../../services/campaigns/import/follow-ups.ts';
import { followUpName, isRest, restId } from '../../../../services/campaigns/import/recipient-sources.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { button, context as contextBlock, option, section } from '../../../block-kit/build.ts';
import { templateLengthBlocks } from '../../../block-kit/descriptions/warnings.ts';
import { formatCount } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import {
  accentsField,
  type FormOf,
  offersAccents,
  radioField,
  routeField,
  senderField,
  textField,
} from '../../../kit/fields.ts';
import { defineForm } from '../../../kit/form.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { openActions } from '../../../navigation/open-actions.ts';
import { campaignActions } from '../actions.ts';
import { submitImport } from '../import.ts';
import { findCampaign } from '../status/campaign-status.ts';
import { filledIn, newId, refuseDeleted } from './form.ts';
import { groupTitles, maxNameLength } from './form-view.ts';

const groups = {
  not_delivered: option(groupTitles.not_delivered, 'not_delivered', 'Reported as not delivered'),
  not_sent: option(groupTitles.not_sent, 'not_sent', 'Nothing was sent to them'),
  rejected: option(groupTitles.rejected, 'rejected', 'By the provider'),
  unconfirmed: option(groupTitles.unconfirmed, 'unconfirmed', 'May have got it already'),
  did_not_answer: option(groupTitles.did_not_answer, 'did_not_answer', 'Haven’t written since it was sent'),
  all: option(groupTitles.all, 'all', 'Whatever the outcome'),
};

const ways = {
  same: option('Same text', 'same'),
  edited: option('Edited text', 'edited'),
  route: option('Another route', 'route'),
};

const fields = {
  whom: radioField('To', groups, { first: 'not_delivered' }),
  how: radioField('With', ways, { first: 'same' }),
  text: textField('Message', { multiline: true, live: 'character' }),
  withoutAccents: accentsField(),
  route: routeField(),
  senderId: senderField(),
  device: textField('Device', { max: maxNameLength }),
};

const metaSchema = z.object({
  id: z.string(),
  /** The id of the follow-up, where there may be several. */
  newId: z.string(),
  /** The versions of the drafts that it would replace, by group. */
  drafts: z.record(z.string(), z.string().optional()),
});

/** *Follow up…* of a campaign: the recipients and the message. */
export function registerFollowUps(router: Router, context: AppContext): void {
  const form = defineFollowUp(context);
  form.register(router);
  router.action(campaignActions.followUp, 'campaign', async ({ user, value, requestId, push }) => {
    const campaign = await findCampaign(context, user, value);
    refuseDeleted(campaign);
    const offers = await context.services.campaigns.followUps(campaign);
    if (offers.every(({ followedBy }) => followedBy !== undefined)) {
      throw new UserError(mrkdwn`Nobody to follow up yet.`);
    }
    const drafts = Object.fromEntries(offers.map(({ group, draft }) => [group, draft]));
    await push(await form.view(user, { id: campaign.id, newId: newId(user, requestId), drafts }));
  });
}

function defineFollowUp(context: AppContext) {
  const { campaigns, unicode, optOutAddress } = context.services;
  const replaceAction = 'campaign_follow_up_plain_text';
  return defineForm({
    id: 'campaign_follow_up_form',
    title: 'Follow-up',
    submit: 'Review',
    needs: 'campaign',
    meta: metaSchema,
    fields,
    async load(user, { id }) {
      const campaign = await findCampaign(context, user, id);
      return { campaign, offers: await campaigns.followUps(campaign) };
    },
    first: ({ campaign: { text = '', withoutAccents = false, route }, offers }) => ({
      whom: offers.find(({ followedBy }) => followedBy === undefined)?.group ?? 'all',
      text,
      withoutAccents,
      route: route === 'generic' ? 'dnd' : 'generic',
    }),
    when: {
      text: ({ how }) => how === 'edited',
      withoutAccents: ({ how, ...form }) => how === 'edited' && offersAccents(form, unicode),
      route: ({ how }) => how === 'route',
      // From a device to a sender ID, or back. Otherwise the sender stays.
      senderId: ({ how, route }, { campaign }) =>
        how === 'route' && route !== 'chatapp' && campaign.route === 'chatapp',
      device: ({ how, route }, { campaign }) =>
        how === 'route' && route === 'chatapp' && campaign.route !== 'chatapp',
    },
    overrides: { whom: ({ data: { offers } }) => ({ options: offers.flatMap(optionOf) }) },
    notes: {
      whom: ({ form: { whom } }) =>
        whom === 'unconfirmed'
          ? mrkdwn`${stateIcons.unconfirmed} They may have got the message already, and would get it twice.`
          : undefined,
      text: ({ form: { text, withoutAccents }, data: { campaign } }) =>
        templateLengthBlocks(text, {
          route: campaign.route,
          unicode,
          withoutAccents,
          optOutAddress,
          replaceAction,
        }),
    },
    replaces: { text: { action: replaceAction, by: ({ text }) => toPlainText(text) } },
    above: ({ data: { campaign, offers } }) => [
      section(mrkdwn`*${campaign.name}*`),
      ...offers.flatMap(({ group, followedBy }) =>
        followedBy === undefined
          ? []
          : [
              section(
                mrkdwn`*${groupTitles[group]}:* already followed up.`,
                button(openActions.campaign, 'Open', { value: followedBy.id }),
              ),
            ],
      ),
    ],
    below: () => [contextBlock(mrkdwn`You’ll review it before anything is sent.`)],
    async submitted({ user, meta, form, beforeAckDeadline }) {
      const { whom, how } = form;
      const campaign = await findCampaign(context, user, meta.id);
      if (how === 'route' && form.route === campaign.route) {
        return { faults: { route: 'Choose another route.' } };
      }
      const offers = await campaigns.followUps(campaign);
      const recipients = offers.find(({ group }) => group === whom)?.recipients;
      const { id, name, version, channelId: origin } = campaign;
      const to = { recipientsOf: { id, which: whom, name, recipients, version } };
      const sent = filledIn(
        { ...campaign, ...messageOf(campaign, form), name: followUpName(name, whom) },
        to,
      );
      const ownId = isRest(whom) ? restId(id, whom) : meta.newId;
      const imported = { form: sent, version: meta.drafts[whom] };
      const result = await submitImport(context, user, ownId, imported, { origin, beforeAckDeadline });
      if (!('faults' in result)) {
        return result;
      }
      const { recipients: ofRecipients, ...ofMessage } = result.faults;
      const [fault] = Object.values(ofMessage);
      return { faults: { whom: ofRecipients, [faultFields[how]]: fault } };
    },
  });
}

/** The field that shows a fault of the message. */
const faultFields = { same: 'how', edited: 'text', route: 'route' } as const;

/** Returns what differs from the campaign that is followed up. */
function messageOf(
  campaign: Campaign,
  { how, text, withoutAccents, route, senderId = '', device }: FormOf<typeof fields>,
): Partial<Pick<Campaign, 'text' | 'withoutAccents' | 'route' | 'senderId'>> {
  if (how !== 'route' || route === undefined) {
    return how === 'edited' ? { text, withoutAccents } : {};
  }
  const byChat = route === 'chatapp';
  const isSameSender = byChat === (campaign.route === 'chatapp');
  return { route, senderId: isSameSender ? campaign.senderId : byChat ? device : senderId };
}

function optionOf({ group, recipients, followedBy }: FollowUpOffer): PlainTextOption[] {
  const { value, description } = groups[group];
  const title = `${groupTitles[group]} (${formatCount(recipients)})`;
  return followedBy === undefined ? [option(title, value ?? group, description?.text)] : [];
}
