import { describeReason } from '../../../provider/response/error-messages.ts';
import type { OrderCheck } from '../../../services/esims/esim-approvals.ts';
import { priceOf } from '../../../services/esims/esim-plans.ts';
import { countryOptions } from '../../block-kit/inputs/country-search.ts';
import { esimAction, esimOptions } from '../../block-kit/inputs/esim-input.ts';
import { formatMoney } from '../../block-kit/plural.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { createOncePerDoubleClick } from '../../middleware/double-clicks.ts';
import { UserError } from '../../middleware/errors.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import { requirePerformed } from '../../middleware/require-performed.ts';
import type { Router } from '../../middleware/router/router.ts';
import { esimActions } from './actions.ts';
import {
  confirmCallback,
  confirmMetadata,
  confirmView,
  orderCountryAction,
  orderingView,
  readOrder,
} from './confirm-view.ts';
import { orderOutcomeView } from './outcome-view.ts';
import { choiceSchema } from './plans-view.ts';
import { purchasesOffError, requirePurchases } from './purchases.ts';

/** *Create* and *Top up*: a confirmation with the price, and then the order, placed once. */
export function registerEsimOrders(router: Router, context: AppContext): void {
  const {
    services,
    notifier,
    navigation,
    settings: { commandPrefix },
  } = context;
  const { esims, esimOrders, operations, claims } = services;
  const oncePerDoubleClick = createOncePerDoubleClick(claims);

  for (const [actionId, intent] of [
    [esimActions.create, 'create'],
    [esimActions.topUp, 'top_up'],
  ] as const) {
    router.action(actionId, 'buy', async (call: ActionRequest) => {
      const { user, value, requestId, push } = call;
      await requirePurchases(services, user.workspaceId, commandPrefix);
      const choice = choiceSchema.parse(JSON.parse(value));
      const confirmation = { intent, key: idempotencyKey(user.workspaceId, requestId), choice };
      // A double click would open a second confirmation, for a second order.
      await oncePerDoubleClick(call, actionId, async () => {
        await push(confirmView(confirmation));
      });
    });
  }

  router.submission(confirmCallback, 'buy', async ({ user, values, metadata }) => {
    const confirmation = confirmMetadata.parse(metadata);
    const read = readOrder(values, confirmation);
    if (read.kind === 'invalid') {
      return { errors: read.faults };
    }
    return {
      view: orderingView(confirmation.intent),
      background: async () => {
        const { key, choice } = confirmation;
        const order = { ...user, key, plan: choice.plan };
        const ordering =
          read.kind === 'create'
            ? await esimOrders.create({ ...order, iso3: read.iso3 })
            : await esimOrders.topUp({ ...order, iso3: read.iso3, iccid: read.iccid });
        if (ordering.kind === 'approval') {
          return navigation.approval(user, ordering.approval);
        }
        if (ordering.kind === 'plan_changed' || ordering.kind === 'failed') {
          throw new UserError(whyNotAsked(ordering), { isFinal: ordering.kind === 'plan_changed' });
        }
        if (ordering.kind === 'purchases_off') {
          throw purchasesOffError(commandPrefix);
        }
        requirePerformed(ordering, 'Nothing was bought.');
        const delivery = await notifier.notify(ordering.operation);
        return orderOutcomeView(ordering.operation, ordering.esim, { user, delivery });
      },
    };
  });

  router.closed(confirmCallback, async ({ user, metadata }) => {
    await operations.cancel(user.workspaceId, confirmMetadata.parse(metadata).key, user.userId);
  });

  router.action(esimAction, 'buy', async ({ user, value, view }) => {
    const { choice, ...confirmation } = confirmMetadata.parse(view?.metadata);
    const home = await esims.countriesOf(user.workspaceId, value);
    await view?.replace(confirmView({ ...confirmation, choice: { ...choice, home: [...home] } }));
  });

  router.options(orderCountryAction, 'buy', async ({ query }) => countryOptions(query, { withEvery: false }));

  router.options(esimAction, 'esim_status', async ({ user, query }) => {
    const { records, note } = await esims.choices(user.workspaceId);
    const { options, cut } = esimOptions(records, query);
    const notes = [note, cut > 0 ? `${cut} more: type some digits` : undefined].filter(Boolean);
    return { options, ...(notes.length > 0 && { note: notes.join('. ') }) };
  });
}

/** Where purchases may need approval, the plan is read again first. */
function whyNotAsked(check: Extract<OrderCheck, { kind: 'plan_changed' | 'failed' }>): Markup {
  if (check.kind === 'failed') {
    return mrkdwn`${describeReason(check.error).happened} Whether this needs approval depends on the price. Nothing was bought. Try again.`;
  }
  const price = check.plan && priceOf(check.plan);
  return price === undefined
    ? mrkdwn`*This plan is no longer for sale at that price.* Nothing was bought. Choose a plan again.`
    : mrkdwn`*The price is ${formatMoney(price)} now.* Nothing was bought. Choose the plan again.`;
}
