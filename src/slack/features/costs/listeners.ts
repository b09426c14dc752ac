import { readBalanceAlert } from '../../../services/costs/balance-alerts.ts';
import { loadingView } from '../../block-kit/loading-view.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { registerCostMonths } from './months-listeners.ts';
import { registerPrices } from './prices.ts';
import {
  alertCallback,
  alertOnAction,
  alertSaved,
  alertView,
  balanceView,
  formOfAlert,
  openAlertAction,
  readAlertForm,
  refreshAction,
} from './views.ts';

/** *Balance*: what is known of it, asking the provider for it, and the alert. *Costs* and *Prices*. */
export function registerCosts(router: Router, context: AppContext): void {
  const { services } = context;
  const { costs, balanceChecks, balanceAlerts, dialect } = services;
  const shown = { currency: dialect.currency };
  registerCostMonths(router, context);
  registerPrices(router, context);

  async function currentView({ workspaceId, permissions }: User, said?: Markup) {
    const [balance, admin] = await Promise.all([
      costs.balance(workspaceId),
      permissions.has('administer')
        ? balanceAlerts.read(workspaceId).then((alert) => ({ alert }))
        : undefined,
    ]);
    return balanceView({ balance, canAsk: balanceChecks.areOn, admin }, said);
  }

  router.action(openActions.balance, 'use', async (call) => {
    const { workspaceId, permissions } = call.user;
    const isKnown = (await costs.balance(workspaceId)) !== undefined;
    if (isKnown || !balanceChecks.areOn || !permissions.has('look_up')) {
      await call.push(await currentView(call.user));
      return;
    }
    const replace = await call.push(loadingView('Balance', 'Asking the provider…'));
    const result = await balanceChecks.check(workspaceId);
    const failure =
      result.kind === 'failed' ? mrkdwn`${stateIcons.failed} ${result.error.message}` : undefined;
    await replace(await currentView(call.user, failure));
  });

  router.action(refreshAction, 'look_up', async ({ user, view }) => {
    const result = await balanceChecks.check(user.workspaceId);
    switch (result.kind) {
      case 'not_connected':
        throw new UserError(mrkdwn`Connect the provider first.`);
      case 'failed':
        throw new UserError(mrkdwn`${result.error.message}`);
      case 'checked':
        await view?.replace(await currentView(user));
    }
  });

  router.action(openAlertAction, 'administer', async (call) => {
    const alert = await balanceAlerts.read(call.user.workspaceId);
    await call.push(alertView(formOfAlert(alert), shown));
  });

  router.action(alertOnAction, 'administer', async ({ view }) => {
    await view?.replace(alertView(readAlertForm(await view.rememberedValues()), shown));
  });

  router.submission(alertCallback, 'administer', async ({ user, values }) => {
    const { workspaceId, userId } = user;
    const form = readAlertForm(values);
    if (!form.isOn) {
      await balanceAlerts.remove(workspaceId, userId);
      return { view: alertView(form, { ...shown, said: alertSaved }) };
    }
    const read = readBalanceAlert(form);
    if (!read.ok) {
      return { errors: read.faults };
    }
    const alert = { workspaceId, setBy: userId, ...read.alert };
    await balanceAlerts.save(alert);
    return { view: alertView(formOfAlert(alert), { ...shown, said: alertSaved }) };
  });
}
