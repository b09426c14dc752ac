import type { KnownBlock } from '@slack/types';
import type { Permission } from '../../../domain/access/roles.ts';
import { actions, button, menu, option, section } from '../../block-kit/build.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import { openActions } from '../../navigation/open-actions.ts';

type Task = readonly [actionId: string, title: string, needed: Permission];

/** The buttons of the Home. The feature that is opened handles them; the first of all is the primary one. */
const groups: Readonly<Record<string, readonly Task[]>> = {
  Send: [
    [openActions.messageForm, 'Send SMS', 'send'],
    [openActions.campaignForm, 'New campaign', 'campaign'],
    [openActions.otpForm, 'Send one-time code', 'send'],
  ],
  'Look up': [
    [openActions.dndCheckForm, 'Check Do-Not-Disturb', 'look_up'],
    [openActions.numberForm, 'Look up number', 'look_up'],
    [openActions.esimStatus, 'Check eSIM', 'esim_status'],
  ],
};

/** The options of *More*, at most five. */
const more: readonly Task[] = [
  [openActions.campaigns, 'Campaigns', 'campaign'],
  [openActions.contacts, 'Contacts', 'look_up'],
  [openActions.suppressionList, 'Do-not-contact list', 'look_up'],
  [openActions.senderIds, 'Sender IDs', 'look_up'],
  [openActions.esimPlans, 'eSIM plans', 'look_up'],
];

/** What the user may do, each with its button or in the menu. */
export function taskBlocks(permissions: ReadonlySet<Permission>): KnownBlock[] {
  const allowed = (tasks: readonly Task[]) => tasks.filter(([, , needed]) => permissions.has(needed));
  const menuTasks = allowed(more);
  return [
    ...Object.entries(groups).flatMap(([title, tasks]) => {
      const buttons = allowed(tasks).map(([actionId, text]) =>
        button(actionId, text, actionId === openActions.messageForm ? { style: 'primary' } : {}),
      );
      return buttons.length === 0 ? [] : [section(mrkdwn`*${title}*`), actions(`home_${title}`, ...buttons)];
    }),
    ...(menuTasks.length === 0
      ? []
      : [
          {
            ...section(mrkdwn`*More:* ${menuTasks.map(([, title]) => title).join(' · ')}`),
            accessory: menu('home_more', ...menuTasks.map(([actionId, title]) => option(title, actionId))),
          },
        ]),
  ];
}
