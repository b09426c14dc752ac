import type { ModalView } from '@slack/types';
import { ifRefused } from '../../../services/refusal.ts';
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
import { formatMoney } from '../../block-kit/plural.ts';
import { channelMention, type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { unreadText } from '../../middleware/explain-refusal.ts';
import { connectFirst } from '../../middleware/not-performed.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { registerCostMonths } from './months.ts';
import { registerPrices } from './prices.ts';

const refreshAction = 'balance_refresh';

/** *Balance*: the newest known one, asking the provider, and the alert in a channel. *Costs* and *Prices*. */
export function registerCosts(router: Router, context: AppContext): void {
  const { costs, balanceChecks } = context.services;
  registerCostMonths(router, context);
  registerPrices(router, context);

  router.action(openActions.balance, 'use', async ({ user, push }) => {
    const isKnown = (await costs.balance(user.workspaceId)) !== undefined;
    if (isKnown || !balanceChecks.areOn || !user.permissions.has('look_up')) {
      await push(await balanceView(context, user));
      return;
    }
    const replace = await push(loadingView('Balance', 'Asking the provider…'));
    const failure = await balanceChecks
      .check(user.workspaceId)
      .then(() => undefined)
      .catch(ifRefused(['failed'], unreadText))
      .catch(ifRefused(['not_connected'], () => undefined));
    await replace(await balanceView(context, user, failure));
  });

  router.action(refreshAction, 'look_up', async ({ user, view }) => {
    await balanceChecks.check(user.workspaceId).catch(connectFirst);
    await view?.replace(await balanceView(context, user));
  });
}

/** The balance with its time; for an admin also whether a low balance is reported in a channel. */
async function balanceView(
  { services: { costs, balanceChecks, watchers } }: AppContext,
  { workspaceId, permissions }: User,
  feedback?: Markup,
): Promise<ModalView> {
  const isAdmin = permissions.has('administer');
  const [balance, watched] = await Promise.all([
    costs.balance(workspaceId),
    isAdmin ? watchers.settings.read(workspaceId) : undefined,
  ]);
  const alert =
    watched?.below === undefined || watched.off.includes('balance')
      ? mrkdwn`*Alert*: off`
      : mrkdwn`*Alert* in ${channelMention(watched.channelId)}: below ${formatMoney(watched.below)}`;
  const change = button(openActions.watchers, 'Change alerts');
  return notice(
    'Balance',
    ...banner(feedback),
    section(balance === undefined ? mrkdwn`*Not known yet.*` : mrkdwn`*Balance* ${describeBalance(balance)}`),
    balanceChecks.areOn
      ? actions('balance', button(refreshAction, 'Refresh', { style: 'primary' }))
      : context(
          mrkdwn`The balance comes with answers to messages and codes. Refreshing it is off: your operator can turn it on.`,
        ),
    ...(isAdmin ? [divider(), section(alert, change)] : []),
  );
}
