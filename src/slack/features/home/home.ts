import type { HomeView, KnownBlock } from '@slack/types';
import type { PublicContacts } from '../../../config/settings.ts';
import type { Permission } from '../../../domain/access/roles.ts';
import type { Balance } from '../../../services/costs/balance.ts';
import type { CostSum } from '../../../services/costs/costs.ts';
import type { HistoryEntry } from '../../../services/history/history.ts';
import type { Attention } from '../../../services/home/attention.ts';
import type { Connection } from '../../../services/workspaces/workspaces.ts';
import {
  actions,
  button,
  context,
  divider,
  header,
  lines,
  menu,
  option,
  section,
} from '../../block-kit/build.ts';
import { clampView } from '../../block-kit/clamp.ts';
import { describeBalance, describeCostSum } from '../../block-kit/descriptions/costs.ts';
import { contactsLine, describeConnection, describeRoles } from '../../block-kit/descriptions/workspace.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import type { MissingGrant } from '../../client/granted-scopes.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { describeReinstall, describeScopes, findMissingGrant } from '../../middleware/missing-grant.ts';
import { connectAction } from '../../middleware/not-performed.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { historyLine } from '../../notifier/history-line.ts';
import type { OutcomeRenderers } from '../../notifier/outcome-notifier.ts';
import { restoredRemark } from '../../notifier/restored-notices.ts';
import { type AdminContent, attentionBlocks } from './attention-blocks.ts';

/** Entries of the activity. */
const maxListed = 10;
/** Limits that refuse something; *Limits* has the others. */
const maxReached = 3;

/** The app's Home, published each time a user opens it. */
export function registerHome(router: Router, context: AppContext): void {
  router.home('use', async ({ user, publish }) => {
    await publish(homeView(await readHome(context, user), context.outcomeRenderers));
  });
}

async function readHome(context: AppContext, user: User): Promise<HomeContent> {
  const { services, time, settings } = context;
  const { workspaces, costs, costMonths, home, history } = services;
  const { workspaceId, userId, permissions } = user;
  const isAdmin = permissions.has('administer');
  const reader = { workspaceId, userId, scope: isAdmin ? 'everyone' : 'own' } as const;
  const [connection, balance, { total: monthCosts }, attention, recent, admin] = await Promise.all([
    workspaces.connection(workspaceId),
    costs.balance(workspaceId),
    costMonths.month(reader),
    home.attention(workspaceId, userId),
    history.page(reader, { limit: maxListed }),
    isAdmin ? readForAdmin(context, workspaceId) : undefined,
  ]);
  return {
    user,
    remark: restoredRemark(services.restoredAt, time.now()),
    connection,
    balance,
    monthCosts,
    attention,
    activity: recent.entries,
    admin,
    contacts: settings.contacts,
  };
}

async function readForAdmin(context: AppContext, workspaceId: string): Promise<AdminContent> {
  const { home, limits, replies } = context.services;
  const [keyRejected, encryptionKeys, reached, budgets, lacking, withheld, repliesToPost] = await Promise.all(
    [
      home.isKeyRejected(workspaceId),
      home.encryptionKeys(),
      limits.reachedNow(workspaceId, maxReached),
      limits.budgets(workspaceId),
      findMissingGrant(context, workspaceId),
      home.withheld(workspaceId),
      replies.toPost(workspaceId),
    ],
  );
  const missing = lacking && describeMissingGrant(lacking);
  return { keyRejected, encryptionKeys, reached, budgets, missing, withheld, repliesToPost };
}

interface HomeContent {
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
  return clampView({
    type: 'home',
    blocks: [
      ...(remark === undefined ? [] : [section(remark), divider()]),
      ...(admin?.missing === undefined ? [] : [section(admin.missing), divider()]),
      ...(connection === undefined ? unconnected(admin !== undefined) : []),
      ...attentionBlocks(attention, { admin, balance, permissions: user.permissions }),
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
function taskBlocks(permissions: ReadonlySet<Permission>): KnownBlock[] {
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

/**
 * Tells an admin what Slack does not let the app do, and what to do about it; undefined where it lacks nothing that it
 * cannot do without. What was left out otherwise stands in the settings.
 */
export function describeMissingGrant(missing: MissingGrant): Markup | undefined {
  const { scopes, endsAt, installAddress } = missing;
  if (scopes.length === 0 && endsAt === undefined) {
    return undefined;
  }
  return mrkdwn`${[
    ...(scopes.length === 0
      ? []
      : [
          mrkdwn`:warning: *Slack hasn’t granted all that Switchboard needs.* Missing:`,
          ...describeScopes(scopes),
        ]),
    ...(endsAt === undefined
      ? []
      : [mrkdwn`:warning: *Switchboard’s access to Slack ends* ${timeFor(endsAt)}: Slack doesn’t renew it.`]),
    describeReinstall(installAddress),
  ]}`;
}
