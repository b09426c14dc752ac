import type { KnownBlock } from '@slack/types';
import { actions, button, section } from '../../block-kit/build.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { openActions } from '../../navigation/open-actions.ts';

/** The buttons of the Home, in groups. The feature that is opened handles each; the first button of all is the primary one. */
const groups: readonly { title: string; tasks: readonly (readonly [actionId: string, title: string])[] }[] = [
  {
    title: 'Send',
    tasks: [
      [openActions.messageForm, 'Send SMS'],
      [openActions.campaignForm, 'New campaign'],
      [openActions.otpForm, 'Send one-time code'],
    ],
  },
  {
    title: 'Look up',
    tasks: [
      [openActions.dndCheckForm, 'Check Do-Not-Disturb'],
      [openActions.numberForm, 'Look up number'],
      [openActions.esimStatus, 'Check eSIM'],
    ],
  },
  {
    title: 'Manage',
    tasks: [
      [openActions.campaigns, 'Campaigns'],
      [openActions.suppressionList, 'Do-not-contact list'],
      [openActions.contacts, 'Contacts'],
      [openActions.senderIds, 'Sender IDs'],
      [openActions.esimPlans, 'eSIM plans'],
    ],
  },
];

export function taskBlocks(): KnownBlock[] {
  return groups.flatMap(({ title, tasks }) => [
    section(mrkdwn`*${title}*`),
    actions(
      `home_${title}`,
      ...tasks.map(([actionId, text]) =>
        button(actionId, text, actionId === openActions.messageForm ? { style: 'primary' } : {}),
      ),
    ),
  ]);
}
