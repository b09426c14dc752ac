import type { HomeView, KnownBlock } from '@slack/types';
import type { Permission } from '../../../domain/access/roles.ts';
import { actions, button, context, divider, header, menu, present, section } from '../../block-kit/build.ts';
import { clampView } from '../../block-kit/clamp.ts';
import { describeBalance, describeCostSum } from '../../block-kit/descriptions/costs.ts';
import { contactsLine, describeConnection, describeRoles } from '../../block-kit/descriptions/workspace.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import type { MissingGrant } from '../../client/granted-scopes.ts';
import { historyRow } from '../../kit/history-row.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { describeReinstall, describeScopes, findMissingGrant } from '../../middleware/missing-grant.ts';
import { connectAction } from '../../middleware/not-performed.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import type { Navigation } from '../../navigation/navigation.ts';
import { openActions } from '../../navigation/open-actions.ts';
import type { OutcomeRenderers } from '../../notifier/outcome.ts';
import { restoredRemark } from '../../notifier/restored-notices.ts';
import { attentionBlocks, readForAdmin } from './attention.ts';
import { dismissSetupAction, setupBlocks } from './setup.ts';

/** Entries of the activity. */
const maxListed = 10;

/** The app's Home, published each time a user opens it. */
export function registerHome(router: Router, context: AppContext): void {
  router.home('use', async ({ user, publish }) => {
    await publish(homeView(user, await readHome(context, user), context.outcomeRenderers));
  });
  router.action(dismissSetupAction, 'administer', async ({ user }) => {
    await context.services.setup.dismiss(user.workspaceId);
    await context.navigation.refreshHome(user);
  });
}

/** Slack asks for the Home only when it is opened, and not when a modal over it is closed. */
export function createHomeRefresh(context: Omit<AppContext, 'navigation'>): Navigation['refreshHome'] {
  return async (user) => {
    const { workspaceId, userId } = user;
    try {
      const view = homeView(user, await readHome(context, user), context.outcomeRenderers);
      const client = await context.clients.for(workspaceId);
      await client.views.publish({ user_id: userId, view });
    } catch (error) {
      context.log.warn({ err: error }, 'Home could not be updated');
    }
    return undefined;
  };
}

/** Costs, of this month, and activity are everyone's for an admin, otherwise the user's own. */
async function readHome(
  context: Omit<AppContext, 'navigation'>,
  { workspaceId, userId, permissions }: Pick<User, 'workspaceId' | 'userId' | 'permissions'>,
) {
  const { services, time, settings } = context;
  const { workspaces, costs, costMonths, home, history, otp } = services;
  const isAdmin = permissions.has('administer');
  const reader = { workspaceId, userId, scope: isAdmin ? 'everyone' : 'own' } as const;
  const [connection, balance, { total: monthCosts }, attention, { entries }, codes, admin, missing] =
    await Promise.all([
      workspaces.connection(workspaceId),
      costs.balance(workspaceId),
      costMonths.month(reader),
      home.attention(workspaceId, userId),
      history.page(reader, { limit: maxListed }),
      permissions.has('send') ? otp.listVerifiable(workspaceId, userId) : [],
      isAdmin ? readForAdmin(context, workspaceId) : undefined,
      isAdmin ? findMissingGrant(context, workspaceId) : undefined,
    ]);
  return {
    remarks: present(
      restoredRemark(services.restoredAt, time.now()),
      missing && describeMissingGrant(missing),
    ),
    connection,
    balance,
    monthCosts,
    attention,
    activity: entries,
    hasLiveCodes: codes.length > 0,
    admin,
    contacts: settings.contacts,
    commandPrefix: settings.commandPrefix,
  };
}

type HomeContent = Awaited<ReturnType<typeof readHome>>;

/** A user's open tasks, their actions here, and their last operations. */
export function homeView(
  { roles, permissions }: Pick<User, 'roles' | 'permissions'>,
  content: HomeContent,
  outcomeRenderers: OutcomeRenderers,
): HomeView {
  const { remarks, connection, balance, attention, activity, hasLiveCodes, admin, contacts, commandPrefix } =
    content;
  const isConnected = connection !== undefined;
  const isAdmin = admin !== undefined;
  const unconnected = isAdmin
    ? [
        section(describeConnection(undefined)),
        actions('home_state', button(connectAction, 'Connect', { style: 'primary' }), settingsButton),
      ]
    : [section(mrkdwn`:electric_plug: *Not connected.* Ask an admin of this workspace to open Switchboard.`)];
  const listed = activity.map((entry) => historyRow(entry, outcomeRenderers, { withActor: isAdmin }));
  return clampView({
    type: 'home',
    blocks: [
      ...remarks.flatMap((remark) => [section(remark), divider()]),
      ...(isConnected ? [] : unconnected),
      ...attentionBlocks(attention, admin, balance, permissions),
      ...(isConnected && admin?.setupLeft ? setupBlocks(admin.setupLeft) : []),
      ...(isConnected ? [...taskBlocks(permissions, hasLiveCodes), ...money(content)] : []),
      context(
        isConnected && !isAdmin
          ? mrkdwn`${stateIcons.done} *Connected* · ${describeRoles(roles)}`
          : describeRoles(roles),
      ),
      ...(isConnected && isAdmin ? [section(describeConnection(connection), settingsButton)] : []),
      divider(),
      header(isAdmin ? 'Team activity' : 'Recent activity'),
      ...(listed.length === 0 ? [section(mrkdwn`Nothing yet.`)] : listed),
      actions('home_history', button(openActions.history, 'See all activity')),
      context(mrkdwn`For help, type \`/${commandPrefix}sms help\` in any channel. Every command has help.`),
      ...contactsLine(contacts),
    ],
  });
}

const settingsButton = button(openActions.settings, 'Open settings');

function money({ balance, monthCosts, admin }: HomeContent): KnownBlock[] {
  const whose = admin === undefined ? 'Your messages' : 'All messages';
  // For an admin, a balance that is too low is listed above.
  const isShown = admin === undefined || balance?.tooLowAt === undefined;
  return present<KnownBlock>(
    divider(),
    isShown && balance && context(mrkdwn`Balance ${describeBalance(balance)}`),
    monthCosts.messages > 0 && context(mrkdwn`${whose} this month: ${describeCostSum(monthCosts)}`),
    actions(
      'home_balance',
      button(openActions.balance, 'Open balance'),
      button(openActions.costs, 'Open costs'),
    ),
  );
}

type Task = readonly [actionId: string, title: string, needed: Permission];

/** The buttons of the Home. The feature that is opened handles them; the first of all is the primary one. */
const groups: Readonly<Record<string, readonly Task[]>> = {
  Send: [
    [openActions.messageForm, 'Send SMS', 'send'],
    [openActions.campaignForm, 'New campaign', 'campaign'],
    [openActions.otpForm, 'Send one-time code', 'send'],
    [openActions.verifyCode, 'Verify code', 'send'],
  ],
  'Look up': [
    [openActions.dndCheckForm, 'Check Do-Not-Disturb', 'look_up'],
    [openActions.numberForm, 'Look up number', 'look_up'],
    [openActions.esimStatus, 'Check eSIM', 'esim_status'],
  ],
};

/** The list of campaigns, for who may only send messages. */
const scheduledMessages = 'Scheduled messages';

/** The options of *More*, at most five. */
const more: readonly Task[] = [
  [openActions.campaigns, 'Campaigns', 'campaign'],
  [openActions.campaigns, scheduledMessages, 'send'],
  [openActions.contacts, 'Contacts', 'look_up'],
  [openActions.suppressionList, 'Do-not-contact list', 'look_up'],
  [openActions.senderIds, 'Sender IDs', 'look_up'],
  [openActions.esimPlans, 'eSIM plans', 'look_up'],
];

/** What the user may do, each with its button or in the menu. A code is verified where there is one. */
function taskBlocks(permissions: ReadonlySet<Permission>, hasLiveCodes: boolean): KnownBlock[] {
  const isOffered = (actionId: string, title: string) =>
    (actionId !== openActions.verifyCode || hasLiveCodes) &&
    (title !== scheduledMessages || !permissions.has('campaign'));
  const allowed = (tasks: readonly Task[]) =>
    tasks.filter(([actionId, title, needed]) => permissions.has(needed) && isOffered(actionId, title));
  const grouped = Object.entries(groups).flatMap(([title, tasks]) => {
    const buttons = allowed(tasks).map(([actionId, text]) =>
      button(actionId, text, actionId === openActions.messageForm ? { style: 'primary' } : {}),
    );
    return buttons.length === 0 ? [] : [section(mrkdwn`*${title}*`), actions(`home_${title}`, ...buttons)];
  });
  const others = allowed(more);
  if (others.length === 0) {
    return grouped;
  }
  const titles = others.map(([, title]) => title).join(' · ');
  const buttons = others.map(([actionId, title]) => button(actionId, title));
  return [...grouped, section(mrkdwn`*More:* ${titles}`, menu('home_more', ...buttons))];
}

/**
 * Tells an admin what Slack does not let the app do, and what to do about it; undefined where it lacks nothing that it
 * cannot do without. What was left out otherwise stands in the settings.
 */
export function describeMissingGrant({ scopes, endsAt, installAddress }: MissingGrant): Markup | undefined {
  if (scopes.length === 0 && endsAt === undefined) {
    return undefined;
  }
  const lacking = [mrkdwn`:warning: *Switchboard is missing Slack permissions:*`, ...describeScopes(scopes)];
  const ending =
    endsAt &&
    mrkdwn`:warning: *Switchboard loses access to Slack* ${timeFor(endsAt)}. Slack isn’t renewing its token.`;
  const sentences = present(
    ...(scopes.length === 0 ? [] : lacking),
    ending,
    describeReinstall(installAddress),
  );
  return mrkdwn`${sentences}`;
}
