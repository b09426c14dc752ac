import type { KnownBlock, ModalView } from '@slack/types';
import type { WatchSettings } from '../../../services/watch/watch-settings.ts';
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
import { stateIcons } from '../../block-kit/state-icons.ts';
import { channelMention, type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { registerCostMonths } from './months.ts';
import { registerPrices } from './prices.ts';

const refreshAction = 'balance_refresh';

/** *Balance*: what is known of it, asking the provider for it, and whether a channel is told. *Costs* and *Prices*. */
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

/** The balance with its time, and for an admin whether a channel is told that it is low. */
async function balanceView(
  { services: { costs, balanceChecks, watchers } }: AppContext,
  { workspaceId, permissions }: User,
  said?: Markup,
): Promise<ModalView> {
  const isAdmin = permissions.has('administer');
  const [balance, watched] = await Promise.all([
    costs.balance(workspaceId),
    isAdmin ? watchers.settings.read(workspaceId) : undefined,
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
    ...(isAdmin ? [divider(), alertLine(watched)] : []),
  );
}

function alertLine(watched: WatchSettings | undefined): KnownBlock {
  const set =
    watched?.below === undefined || watched.off.includes('balance')
      ? mrkdwn`: off`
      : mrkdwn` in ${channelMention(watched.channelId)}: below ${formatMoney(watched.below)}`;
  return section(
    mrkdwn`*Alert*${set}`,
    button(openActions.watchers, 'Watchers', { label: 'Change watchers' }),
  );
}
