import type { HomeView, KnownBlock } from '@slack/types';
import type { PublicContacts } from '../../../config/settings.ts';
import type { Balance } from '../../../services/costs/balance.ts';
import type { CostSum } from '../../../services/costs/cost-months.ts';
import type { HistoryEntry } from '../../../services/history/history.ts';
import type { Attention } from '../../../services/home/attention.ts';
import { type BudgetUse, isNearlyUsed } from '../../../services/limits/budgets.ts';
import type { ReachedNow } from '../../../services/limits/reached-report.ts';
import type { RepliesToPost } from '../../../services/replies/replies.ts';
import type { Connection } from '../../../services/workspaces/connections.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import type { KeyState } from '../../../store/key-rotation.ts';
import { actions, button, context, divider, header, lines, section } from '../../block-kit/build.ts';
import { clampView } from '../../block-kit/clamp.ts';
import { contactsLine } from '../../block-kit/contacts-line.ts';
import { describeBalance } from '../../block-kit/descriptions/balance.ts';
import { describeConnection } from '../../block-kit/descriptions/connection.ts';
import { describeCostSum } from '../../block-kit/descriptions/cost-sum.ts';
import { describeRoles } from '../../block-kit/descriptions/roles.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { connectAction } from '../../middleware/not-performed.ts';
import type { User } from '../../middleware/requests.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { historyLine } from '../../notifier/history-line.ts';
import type { OutcomeRenderers } from '../../notifier/outcome-notifier.ts';
import { attentionBlocks } from './attention-blocks.ts';
import { taskBlocks } from './tasks.ts';

interface AdminContent {
  keyRejected: boolean;
  encryptionKeys: KeyState;
  /** What refuses something now. */
  reached: readonly ReachedNow[];
  budgets: readonly BudgetUse[];
  /** What Slack does not let the app do. */
  missing?: Markup | undefined;
  repliesToPost: RepliesToPost;
  /** Campaigns that were to start when their creator might no longer start campaigns. */
  withheld: readonly Campaign[];
}

export interface HomeContent {
  user: Pick<User, 'roles' | 'permissions'>;
  /** Shown above everything else. */
  remark?: Markup | undefined;
  connection: Connection | undefined;
  balance: Balance | undefined;
  /** Of this month: everyone's for an admin, otherwise the user's own. */
  monthCosts: CostSum;
  attention: Attention;
  /** The newest entries: everyone's for an admin, otherwise the user's own. */
  activity: readonly HistoryEntry[];
  /** For an admin. */
  admin?: AdminContent | undefined;
  contacts: PublicContacts;
}

/** What waits for a user, what they can do here, and how their last operations ended. */
export function homeView(content: HomeContent, outcomeRenderers: OutcomeRenderers): HomeView {
  const { user, remark, connection, balance, attention, admin } = content;
  const forAdmin = admin && {
    keyRejected: admin.keyRejected,
    encryptionKeys: admin.encryptionKeys,
    repliesToPost: admin.repliesToPost,
    withheld: admin.withheld,
    reached: admin.reached,
    nearlyUsed: admin.budgets.filter(isNearlyUsed),
    balanceTooLow: balance?.tooLowAt,
  };
  return clampView({
    type: 'home',
    blocks: [
      ...(remark === undefined ? [] : [section(remark), divider()]),
      ...(admin?.missing === undefined ? [] : [section(admin.missing), divider()]),
      ...(connection === undefined ? unconnected(admin !== undefined) : []),
      ...attentionBlocks(attention, { admin: forAdmin, permissions: user.permissions }),
      ...(connection === undefined ? [] : [...taskBlocks(user.permissions), ...money(content)]),
      context(
        connection === undefined || admin !== undefined
          ? describeRoles(user.roles)
          : mrkdwn`${stateIcons.done} *Connected* · ${describeRoles(user.roles)}`,
      ),
      ...(connection === undefined || admin === undefined
        ? []
        : [{ ...section(describeConnection(connection)), accessory: settingsButton }]),
      divider(),
      ...activityBlocks(content, outcomeRenderers),
      actions('home_history', button(openActions.history, 'All activity')),
      ...contactsLine(content.contacts),
    ],
  });
}

const settingsButton = button(openActions.settings, 'Settings');

function unconnected(isAdmin: boolean): KnownBlock[] {
  return isAdmin
    ? [
        section(describeConnection(undefined)),
        actions('home_state', button(connectAction, 'Connect', { style: 'primary' }), settingsButton),
      ]
    : [section(mrkdwn`:electric_plug: *Not connected.* Ask an admin of this workspace to open Switchboard.`)];
}

function money({ balance, monthCosts, admin }: HomeContent): KnownBlock[] {
  const whose = admin === undefined ? ' of your messages' : '';
  // What needs an admin stands above.
  const shown = admin === undefined || balance?.tooLowAt === undefined ? balance : undefined;
  return [
    divider(),
    ...(shown === undefined ? [] : [context(mrkdwn`Balance ${describeBalance(shown)}`)]),
    ...(monthCosts.messages === 0
      ? []
      : [context(mrkdwn`Costs${whose} this month ${describeCostSum(monthCosts)}`)]),
    actions('home_balance', button(openActions.balance, 'Balance'), button(openActions.costs, 'Costs')),
  ];
}

function activityBlocks({ activity, admin }: HomeContent, outcomeRenderers: OutcomeRenderers): KnownBlock[] {
  const isTeams = admin !== undefined;
  const listed = activity.map((entry) => historyLine(entry, outcomeRenderers, { withActor: isTeams }));
  return [
    header(isTeams ? 'Team activity' : 'Recent activity'),
    ...(listed.length === 0 ? [section(mrkdwn`Nothing yet.`)] : lines(listed)),
  ];
}
