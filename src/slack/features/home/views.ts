import type { HomeView, KnownBlock } from '@slack/types';
import type { HistoryEntry } from '../../../services/history/history.ts';
import type { Balance } from '../../../services/operations/operations.ts';
import type { Connection } from '../../../services/workspaces/workspaces.ts';
import { actions, button, context, divider, header, lines, section } from '../../block-kit/build.ts';
import { clampView } from '../../block-kit/clamp.ts';
import { describeConnection } from '../../block-kit/descriptions/connection.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import { connectAction } from '../../middleware/authorization/not-connected-message.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { historyLine } from '../../notifier/history-line.ts';
import type { OutcomeRenderers } from '../../notifier/outcome-notifier.ts';

/** A button of the Home. */
export interface Task {
  actionId: string;
  title: string;
}

export interface HomeContent {
  /** Shown above everything else. */
  remark?: Markup | undefined;
  isAdmin: boolean;
  connection: Connection | undefined;
  balance: Balance | undefined;
  tasks: readonly Task[];
  /** The user's own, newest first. */
  own: readonly HistoryEntry[];
  /** Everyone's, newest first; for admins. */
  everyones: readonly HistoryEntry[];
}

/** What a user can do here, and how their last operations ended. */
export function homeView(content: HomeContent, outcomeRenderers: OutcomeRenderers): HomeView {
  return clampView({
    type: 'home',
    blocks: [
      ...(content.remark === undefined ? [] : [section(content.remark), divider()]),
      ...state(content),
      ...tasks(content),
      ...history('Your last operations', content.own, outcomeRenderers, false),
      ...(content.isAdmin
        ? history('Everyone’s last operations', content.everyones, outcomeRenderers, true)
        : []),
      actions('home_history', button(openActions.history, 'See the whole history')),
    ],
  });
}

function state({ isAdmin, connection, balance }: HomeContent): KnownBlock[] {
  const seen =
    balance === undefined
      ? []
      : [context(mrkdwn`Balance ${balance.amount}, as last seen ${timeFor(balance.at)}`)];
  if (isAdmin) {
    const settings = button(openActions.settings, 'Settings');
    const connect = button(connectAction, 'Connect', { style: 'primary' });
    return [
      section(describeConnection(connection)),
      ...seen,
      actions('home_state', ...(connection === undefined ? [connect] : [settings])),
    ];
  }
  return connection === undefined
    ? [
        section(
          mrkdwn`:electric_plug: *Not connected yet.* Ask an admin of this workspace to open Switchboard.`,
        ),
      ]
    : [section(mrkdwn`${stateIcons.done} *Connected.* You can begin.`), ...seen];
}

function tasks({ connection, tasks }: HomeContent): KnownBlock[] {
  return connection === undefined
    ? []
    : [actions('home_tasks', ...tasks.map(({ actionId, title }) => button(actionId, title)))];
}

function history(
  title: string,
  entries: readonly HistoryEntry[],
  outcomeRenderers: OutcomeRenderers,
  withActor: boolean,
): KnownBlock[] {
  const listed = entries.map((entry) => historyLine(entry, outcomeRenderers, { withActor }));
  return [
    divider(),
    header(title),
    ...(listed.length === 0 ? [section(mrkdwn`Nothing yet.`)] : lines(listed)),
  ];
}
