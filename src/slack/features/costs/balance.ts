import type { KnownBlock, ModalView } from '@slack/types';
import { maxAmount, readBalanceAlert } from '../../../services/costs/balance-alerts.ts';
import type { Notice } from '../../../store/outbox/notices.ts';
import type { BalanceAlert } from '../../../store/workspaces/balance-alerts.ts';
import {
  actions,
  banner,
  button,
  context,
  divider,
  loadingView,
  notice,
  section,
} from '../../block-kit/build.ts';
import { describeBalance } from '../../block-kit/descriptions/costs.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { formatMoney } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { channelMention, type Markup, mrkdwn, userMention } from '../../block-kit/text.ts';
import type { SlackContext } from '../../client/slack-context.ts';
import { channelField, textField, tickField } from '../../kit/fields.ts';
import { defineSettings } from '../../kit/settings.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { registerCostMonths } from './months.ts';
import { registerPrices } from './prices.ts';

const refreshAction = 'balance_refresh';
const openAlertAction = 'balance_alert_open';

/** *Balance*: what is known of it, asking the provider for it, and the alert. *Costs* and *Prices*. */
export function registerCosts(router: Router, context: AppContext): void {
  const { costs, balanceChecks } = context.services;
  registerCostMonths(router, context);
  registerPrices(router, context);
  registerAlert(router, context);

  router.action(openActions.balance, 'use', async ({ user, push }) => {
    const isKnown = (await costs.balance(user.workspaceId)) !== undefined;
    if (isKnown || !balanceChecks.areOn || !user.permissions.has('look_up')) {
      await push(await balanceView(context, user));
      return;
    }
    const replace = await push(loadingView('Balance', 'Asking the provider…'));
    const result = await balanceChecks.check(user.workspaceId);
    const failure =
      result.kind === 'failed' ? mrkdwn`${stateIcons.failed} ${result.error.message}` : undefined;
    await replace(await balanceView(context, user, failure));
  });

  router.action(refreshAction, 'look_up', async ({ user, view }) => {
    const result = await balanceChecks.check(user.workspaceId);
    switch (result.kind) {
      case 'not_connected':
        throw new UserError(mrkdwn`Connect the provider first.`);
      case 'failed':
        throw new UserError(mrkdwn`${result.error.message}`);
      case 'checked':
        await view?.replace(await balanceView(context, user));
    }
  });
}

/** The balance with its time, and for an admin the alert. */
async function balanceView(
  { services: { costs, balanceChecks, balanceAlerts } }: AppContext,
  { workspaceId, permissions }: User,
  said?: Markup,
): Promise<ModalView> {
  const isAdmin = permissions.has('administer');
  const [balance, alert] = await Promise.all([
    costs.balance(workspaceId),
    isAdmin ? balanceAlerts.read(workspaceId) : undefined,
  ]);
  return notice(
    'Balance',
    ...banner(said),
    section(balance === undefined ? mrkdwn`*Not known yet.*` : mrkdwn`*Balance* ${describeBalance(balance)}`),
    balanceChecks.areOn
      ? actions('balance', button(refreshAction, 'Refresh', { style: 'primary' }))
      : context(
          mrkdwn`The balance comes with answers to messages and codes. Refreshing it is off: the people who run Switchboard can switch it on.`,
        ),
    ...(isAdmin ? [divider(), alertLine(alert)] : []),
  );
}

function alertLine(alert: BalanceAlert | undefined): KnownBlock {
  const set =
    alert === undefined
      ? mrkdwn`: off`
      : mrkdwn` in ${channelMention(alert.channelId)}: below ${formatMoney(alert.below)}`;
  return section(mrkdwn`*Alert*${set}`, button(openAlertAction, 'Alert', { label: 'Change the alert' }));
}

/** When a channel is told that the balance runs out. */
function registerAlert(router: Router, context: AppContext): void {
  const { balanceAlerts, dialect } = context.services;

  defineSettings(context, {
    id: 'balance_alert',
    opens: openAlertAction,
    title: 'Balance alert',
    change: { action: 'settings.change', subject: 'balance_alert' },
    fields: {
      isOn: tickField('Alert', 'Post an alert when the balance runs out', { live: true }),
      channelId: channelField('alert'),
      below: textField('Below', {
        max: maxAmount,
        hint: dialect.currency === undefined ? 'In the account’s currency.' : `In ${dialect.currency}.`,
      }),
    },
    load: async (workspaceId) => ({ alert: await balanceAlerts.read(workspaceId) }),
    first: ({ alert }) => ({
      isOn: alert !== undefined,
      channelId: alert?.channelId,
      below: alert === undefined ? '' : formatMoney(alert.below),
    }),
    when: { channelId: ({ isOn }) => isOn, below: ({ isOn }) => isOn },
    notes: {
      below: () => mrkdwn`An alert is posted once, and again only after the balance has recovered.`,
    },
    async save({ workspaceId, userId }, { isOn, ...typed }) {
      if (!isOn) {
        await balanceAlerts.remove(workspaceId, userId);
        return undefined;
      }
      const read = readBalanceAlert(typed);
      if (!read.ok) {
        return read.faults;
      }
      await balanceAlerts.save({ workspaceId, setBy: userId, ...read.alert });
      return undefined;
    },
  }).register(router);
}

/** Returns the message that the balance is low, for a notice of the outbox. */
export function createBalanceMessage({ services }: SlackContext): (notice: Notice) => Promise<SlackMessage> {
  return async ({ workspaceId, userId }) => {
    const balance = await services.costs.balance(workspaceId);
    const figure = balance === undefined ? mrkdwn`` : mrkdwn` ${describeBalance(balance)}`;
    const text = mrkdwn`${stateIcons.unconfirmed} *The balance runs out:*${figure}. Top up the account at the provider.`;
    return message(text, [
      section(text),
      context(mrkdwn`Alert set by ${userMention(userId)}`),
      actions('balance_alert', button(openActions.balance, 'Balance')),
    ]);
  };
}
