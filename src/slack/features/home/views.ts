import type { HomeView, KnownBlock } from '@slack/types';
import type { PublicContacts } from '../../../config/settings.ts';
import type { Balance } from '../../../services/costs/balance.ts';
import type { CostSum } from '../../../services/costs/cost-months.ts';
import type { HistoryEntry } from '../../../services/history/history.ts';
import type { Attention } from '../../../services/home/attention.ts';
import { type BudgetUse, isNearlyUsed } from '../../../services/limits/budgets.ts';
import type { ReachedNow } from '../../../services/limits/reached-report.ts';
import type { RepliesToPost } from '../../../services/replies/replies.ts';
import type { Connection } from '../../../services/workspaces/workspaces.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import type { KeyState } from '../../../store/key-rotation.ts';
import { actions, button, context, divider, header, lines, section } from '../../block-kit/build.ts';
import { clampView } from '../../block-kit/clamp.ts';
import { contactsLine } from '../../block-kit/contacts-line.ts';
import { describeBalance } from '../../block-kit/descriptions/balance.ts';
import { describeBudget } from '../../block-kit/descriptions/budget.ts';
import { describeConnection } from '../../block-kit/descriptions/connection.ts';
import { describeCostSum } from '../../block-kit/descriptions/cost-sum.ts';
import { describeRoles } from '../../block-kit/descriptions/roles.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { connectAction } from '../../middleware/authorization/not-connected-message.ts';
import type { User } from '../../middleware/requests.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { historyLine } from '../../notifier/history-line.ts';
import type { OutcomeRenderers } from '../../notifier/outcome-notifier.ts';
import { attentionBlocks } from './attention-blocks.ts';
import { taskBlocks } from './tasks.ts';

interface AdminContent {
  keyRejected: boolean;
  encryptionKeys: KeyState;
  everyones: readonly HistoryEntry[];
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
  /** The user's own, newest first. */
  own: readonly HistoryEntry[];
  /** For an admin. */
  admin?: AdminContent | undefined;
  contacts: PublicContacts;
}

/** What waits for a user, what they can do here, and how their last operations ended. */
export function homeView(content: HomeContent, outcomeRenderers: OutcomeRenderers): HomeView {
  const { user, remark, connection, balance, attention, own, admin } = content;
  const forAdmin = admin && {
    keyRejected: admin.keyRejected,
    encryptionKeys: admin.encryptionKeys,
    repliesToPost: admin.repliesToPost,
    withheld: admin.withheld,
    reached: admin.reached,
    nearlyUsed: admin.budgets.filter(isNearlyUsed),
    balanceTooLow: balance?.tooLowAt !== undefined,
  };
  return clampView({
    type: 'home',
    blocks: [
      ...(remark === undefined ? [] : [section(remark), divider()]),
      ...(admin?.missing === undefined ? [] : [section(admin.missing), divider()]),
      ...state(content),
      context(describeRoles(user.roles)),
      ...(admin === undefined
        ? []
        : [
            actions('home_admin', button(openActions.roles, 'Roles'), button(openActions.audit, 'Audit')),
            context(
              mrkdwn`*Audit* also shows who changed settings, roles and lists. *All activity* below shows what was sent and bought.`,
            ),
          ]),
      ...attentionBlocks(attention, { admin: forAdmin, permissions: user.permissions }),
      ...(connection === undefined ? [] : taskBlocks(user.permissions)),
      ...history('Recent activity', own, outcomeRenderers, false),
      ...(admin === undefined ? [] : history('Team activity', admin.everyones, outcomeRenderers, true)),
      actions('home_history', button(openActions.history, 'All activity')),
      ...contactsLine(content.contacts),
    ],
  });
}

function state({ connection, balance, monthCosts, admin }: HomeContent): KnownBlock[] {
  const whose = admin === undefined ? ' of your messages' : '';
  const balanceLine = [
    ...(balance === undefined ? [] : [context(mrkdwn`Balance ${describeBalance(balance)}`)]),
    ...(monthCosts.messages === 0
      ? []
      : [context(mrkdwn`Costs${whose} this month ${describeCostSum(monthCosts)}`)]),
    actions('home_balance', button(openActions.balance, 'Balance'), button(openActions.costs, 'Costs')),
  ];
  if (connection === undefined) {
    return admin === undefined
      ? [
          section(
            mrkdwn`:electric_plug: *Not connected yet.* Ask an admin of this workspace to open Switchboard.`,
          ),
        ]
      : [
          section(describeConnection(connection)),
          actions('home_state', button(connectAction, 'Connect', { style: 'primary' })),
        ];
  }
  return admin === undefined
    ? [section(mrkdwn`${stateIcons.done} *Connected*`), ...balanceLine]
    : [
        { ...section(describeConnection(connection)), accessory: button(openActions.settings, 'Settings') },
        ...balanceLine,
        ...(admin.budgets.length === 0 ? [] : [context(...admin.budgets.map(describeBudget))]),
      ];
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
