import type { ModalView, SectionBlock } from '@slack/types';
import { z } from 'zod';
import { routeTitles } from '../../../domain/messages/routes.ts';
import { readMoney, writeMoney } from '../../../domain/money/money.ts';
import { countryName } from '../../../domain/phone/countries.ts';
import {
  type EnteredPrice,
  maxAmountLength,
  maxPrices,
  type PriceScope,
  priceScopeSchema,
  readPriceForm,
} from '../../../services/costs/entered-prices.ts';
import { isOfAccount } from '../../../services/costs/estimate.ts';
import { actions, banner, button, confirmDialog, context, notice, section } from '../../block-kit/build.ts';
import { formatPrice } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { dayFor, type Markup, mrkdwn } from '../../block-kit/text.ts';
import { choiceField, countryField, textField } from '../../kit/fields.ts';
import { defineForm } from '../../kit/form.ts';
import { saved } from '../../kit/settings.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { openPricesAction } from './months.ts';

const priceActions = { change: 'prices_change', remove: 'price_remove' } as const;

/** *Prices*: what a page costs, as admins entered it. */
export function registerPrices(router: Router, context: AppContext): void {
  const { prices } = context.services;
  const form = createPriceForm(context);
  form.register(router);

  router.action(openPricesAction, 'administer', async ({ user, push }) => {
    await push(await pricesView(context, user));
  });
  router.action(openActions.priceForm, 'administer', async ({ user, show }) => {
    await show(await form.view(user, {}));
  });
  router.action(priceActions.change, 'administer', async ({ user, value, view }) => {
    await view?.replace(await form.view(user, { scope: readScope(value) }));
  });
  router.action(priceActions.remove, 'administer', async ({ user, value, view }) => {
    await prices.remove(user, readScope(value));
    await view?.replace(await pricesView(context, user, mrkdwn`${stateIcons.done} Removed.`));
    await context.navigation.refreshHome(user);
  });
}

/** As a button carries it. */
function scopeValue({ route, country }: PriceScope): string {
  return JSON.stringify({ route, country });
}

function readScope(value: string): PriceScope {
  return priceScopeSchema.parse(JSON.parse(value));
}

async function pricesView(
  { services: { costs, prices } }: AppContext,
  { workspaceId }: User,
  feedback?: Markup,
): Promise<ModalView> {
  const [entered, currency] = await Promise.all([prices.list(workspaceId), costs.currency(workspaceId)]);
  return notice(
    'Prices',
    ...banner(feedback),
    ...(entered.length === 0
      ? [section(mrkdwn`*No price is entered yet.*`)]
      : entered.map((price) => priceLine(price, currency))),
    ...(entered.length < maxPrices
      ? [actions('prices', button(openActions.priceForm, 'Add price', { style: 'primary' }))]
      : []),
    context(
      mrkdwn`Estimates use the most specific price: route and country, then route, then all messages. Without one, they use the median of the last 30 days’ delivery reports.`,
    ),
  );
}

function priceLine(price: EnteredPrice, currency: string | undefined): SectionBlock {
  const { scope, amount, enteredAt } = price;
  const unused = isOfAccount(price, currency)
    ? mrkdwn``
    : mrkdwn`\n${stateIcons.unconfirmed} Not used: the account is in ${currency ?? ''}.`;
  const change = button(priceActions.change, 'Change', {
    value: scopeValue(scope),
    label: `Change the price of ${nameOf(scope)}`,
  });
  return section(
    mrkdwn`*${nameOf(scope)}*: ${formatPrice(amount)} a page · entered ${dayFor(new Date(enteredAt))}${unused}`,
    change,
  );
}

/** `Transactional (DND) to Nigeria`. */
function nameOf({ route, country }: PriceScope): string {
  if (route === undefined) {
    return 'All messages';
  }
  const title = routeTitles[route];
  return country === undefined ? title : `${title} to ${countryName(country)}`;
}

/** Stands for no route in the select. */
const everyRoute = 'all';

const priceFields = {
  route: choiceField('Route', { [everyRoute]: 'All routes', ...routeTitles }, { first: everyRoute }),
  country: countryField('Without one, the price is for all countries.', { optional: true }),
  amount: textField('Price of a page', { max: maxAmountLength }),
};

/** The form of a price: a new one, or, with a scope, of messages that have or had one. */
function createPriceForm(context: AppContext) {
  const { costs, prices } = context.services;
  return defineForm({
    id: 'price',
    title: 'Price',
    submit: 'Save',
    needs: 'administer',
    meta: z.object({ scope: priceScopeSchema.optional() }),
    fields: priceFields,
    async load({ workspaceId }, { scope }) {
      const [entered, currency] = await Promise.all([prices.list(workspaceId), costs.currency(workspaceId)]);
      const price = scope && entered.find((each) => scopeValue(each.scope) === scopeValue(scope));
      return { isNew: scope === undefined, currency, price };
    },
    first({ price }) {
      // Without the currency, which the hint below the field names.
      const money = price && readMoney(price.amount);
      return { amount: money === undefined ? '' : writeMoney({ nanos: money.nanos }) };
    },
    when: { route: (_form, { isNew }) => isNew, country: (_form, { isNew }) => isNew },
    overrides: {
      amount: ({ data: { currency } }) => ({
        hint: `${currency === undefined ? 'In the account’s currency' : `In ${currency}`}, such as 4.25.`,
      }),
    },
    above: ({ meta: { scope } }) => (scope === undefined ? [] : [section(mrkdwn`*${nameOf(scope)}*`)]),
    below({ meta: { scope } }) {
      if (scope === undefined) {
        return [];
      }
      const remove = button(priceActions.remove, 'Remove price', {
        value: scopeValue(scope),
        confirm: confirmDialog({
          title: 'Remove price?',
          text: 'Estimates will then use a more general price, or the costs in delivery reports.',
          yes: 'Remove',
          no: 'Keep',
        }),
      });
      return [actions('price', remove)];
    },
    async submitted({ user, form, meta }) {
      const read = readPriceForm({
        route: form.route === everyRoute ? undefined : form.route,
        country: form.country || undefined,
        amount: form.amount,
        ...meta.scope,
      });
      if (!read.ok) {
        return { faults: read.faults };
      }
      const currency = await costs.currency(user.workspaceId);
      const amount = currency === undefined ? read.amount : `${read.amount} ${currency}`;
      const price = { scope: read.scope, amount };
      if (meta.scope !== undefined) {
        await prices.change(user, price);
      } else {
        const added = await prices.add(user, price);
        if (added !== 'added') {
          return { faults: { route: notAdded[added] } };
        }
      }
      return {
        view: await pricesView(context, user, saved),
        background: () => context.navigation.refreshHome(user),
      };
    },
  });
}

const notAdded = {
  exists: 'These messages have a price already. Change it in Prices.',
  too_many: `There are ${maxPrices} prices already. Remove one first.`,
};
