import type { KnownBlock } from '@slack/types';
import type { Permission } from '../../../domain/access/roles.ts';
import { actions, button, section } from '../../block-kit/build.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { openActions } from '../../navigation/open-actions.ts';

/** The buttons of the Home, in groups, each for who has the permission. The feature that is opened handles it; the first button of all is the primary one. */
const groups: readonly {
  title: string;
  tasks: readonly (readonly [actionId: string, title: string, needed: Permission])[];
}[] = [
  {
    title: 'Send',
    tasks: [
      [openActions.messageForm, 'Send SMS', 'send'],
      [openActions.campaignForm, 'New campaign', 'campaign'],
      [openActions.otpForm, 'Send one-time code', 'send'],
    ],
  },
  {
    title: 'Look up',
    tasks: [
      [openActions.dndCheckForm, 'Check Do-Not-Disturb', 'look_up'],
      [openActions.numberForm, 'Look up number', 'look_up'],
      [openActions.esimStatus, 'Check eSIM', 'esim_status'],
    ],
  },
  {
    title: 'Manage',
    tasks: [
      [openActions.campaigns, 'Campaigns', 'campaign'],
      [openActions.suppressionList, 'Do-not-contact list', 'look_up'],
      [openActions.contacts, 'Contacts', 'look_up'],
      [openActions.senderIds, 'Sender IDs', 'look_up'],
      [openActions.esimPlans, 'eSIM plans', 'look_up'],
    ],
  },
];

export function taskBlocks(permissions: ReadonlySet<Permission>): KnownBlock[] {
  const shown = groups
    .map(({ title, tasks }) => ({ title, tasks: tasks.filter(([, , needed]) => permissions.has(needed)) }))
    .filter(({ tasks }) => tasks.length > 0);
  return shown.flatMap(({ title, tasks }) => [
    section(mrkdwn`*${title}*`),
    actions(
      `home_${title}`,
      ...tasks.map(([actionId, text]) =>
        button(actionId, text, actionId === openActions.messageForm ? { style: 'primary' } : {}),
      ),
    ),
  ]);
}
