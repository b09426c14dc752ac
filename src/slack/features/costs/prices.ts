import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { z } from 'zod';
import { type Route, routeSchema, routes } from '../../../domain/messages/routes.ts';
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
import {
  actions,
  banner,
  button,
  confirmDialog,
  context,
  modal,
  notice,
  option,
  section,
} from '../../block-kit/build.ts';
import { phoneCountryInput } from '../../block-kit/inputs/countries.ts';
import { selectInput, textInput } from '../../block-kit/inputs/fields.ts';
import { formatPrice } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { dayFor, type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { SubmissionRequest, SubmissionResponse } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openPricesAction } from './months.ts';

const priceActions = { add: 'prices_add', change: 'prices_change', remove: 'price_remove' } as const;
const priceCallback = 'price';

/** Whose price is changed; absent where one is added. */
const metadataSchema = z.object({ scope: priceScopeSchema.optional() });

/** Stands for no route in the select. */
const everyRoute = 'all';

/** *Prices*: what a page costs, as admins entered it. */
export function registerPrices(router: Router, context: AppContext): void {
  const { costs, prices } = context.services;

  router.action(openPricesAction, 'administer', async ({ user, push }) => {
    await push(await listView(context, user.workspaceId));
  });

  router.action(priceActions.add, 'administer', async ({ user, view }) => {
    await view?.replace(priceView(undefined, await costs.currency(user.workspaceId)));
  });

  router.action(priceActions.change, 'administer', async ({ user: { workspaceId }, value, view }) => {
    const scope = readScope(value);
    const entered = await prices.list(workspaceId);
    const amount = entered.find((price) => scopeValue(price.scope) === scopeValue(scope))?.amount;
    await view?.replace(priceView({ scope, amount }, await costs.currency(workspaceId)));
  });

  router.action(priceActions.remove, 'administer', async ({ user, value, view }) => {
    const { workspaceId, userId } = user;
    await prices.remove({ workspaceId, userId }, readScope(value));
    await view?.replace(await listView(context, workspaceId, mrkdwn`${stateIcons.done} Removed.`));
  });

  router.submission(priceCallback, 'administer', (call) => savePrice(context, call));
}

async function listView(
  { services: { costs, prices } }: AppContext,
  workspaceId: string,
  said?: Markup,
): Promise<ModalView> {
  const [entered, currency] = await Promise.all([prices.list(workspaceId), costs.currency(workspaceId)]);
  return pricesView(entered, currency, said);
}

async function savePrice(
  context: AppContext,
  { user: { workspaceId, userId }, values, metadata }: SubmissionRequest,
): Promise<SubmissionResponse> {
  const { costs, prices } = context.services;
  const { scope: changed } = metadataSchema.parse(metadata);
  const route = values.route?.text;
  const read = readPriceForm({
    route: changed?.route ?? (route === everyRoute ? undefined : route),
    country: changed?.country ?? values.country?.text,
    amount: values.amount?.text ?? '',
  });
  if (!read.ok) {
    return { errors: read.faults };
  }
  const currency = await costs.currency(workspaceId);
  const amount = currency === undefined ? read.amount : `${read.amount} ${currency}`;
  const price = { scope: read.scope, amount };
  if (changed !== undefined) {
    await prices.change({ workspaceId, userId }, price);
  } else {
    const added = await prices.add({ workspaceId, userId }, price);
    if (added !== 'added') {
      return { errors: { route: notAdded[added] } };
    }
  }
  return { view: await listView(context, workspaceId, mrkdwn`${stateIcons.done} Saved.`) };
}

const notAdded = {
  exists: 'These messages have a price already. Change it in Prices.',
  too_many: `There are ${maxPrices} prices already. Remove one first.`,
};

/** As a button carries it. */
function scopeValue({ route, country }: PriceScope): string {
  return JSON.stringify({ route, country });
}

function readScope(value: string): PriceScope {
  return priceScopeSchema.parse(JSON.parse(value));
}

function pricesView(
  prices: readonly EnteredPrice[],
  currency: string | undefined,
  said: Markup | undefined,
): ModalView {
  return notice(
    'Prices',
    ...banner(said),
    ...(prices.length === 0
      ? [section(mrkdwn`*No price is entered yet.*`)]
      : prices.map((price) => priceLine(price, currency))),
    ...(prices.length < maxPrices
      ? [actions('prices', button(priceActions.add, 'Add price', { style: 'primary' }))]
      : []),
    context(
      mrkdwn`An estimate uses the price for the route to the country, else that for the route, else that for all messages. Without one, it uses the median of what delivery reports said in the last 30 days.`,
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

/** `DND to Nigeria`. */
function nameOf({ route, country }: PriceScope): string {
  if (route === undefined) {
    return 'All messages';
  }
  const { title } = routes[route];
  return country === undefined ? title : `${title} to ${countryName(country)}`;
}

/** The form of a price: a new one, or of messages that have or had one. */
function priceView(
  changed: { scope: PriceScope; amount: string | undefined } | undefined,
  currency: string | undefined,
): ModalView {
  const money = changed?.amount === undefined ? undefined : readMoney(changed.amount);
  return modal({
    callbackId: priceCallback,
    title: 'Price',
    submit: 'Save',
    close: 'Cancel',
    metadata: { scope: changed?.scope },
    blocks: [
      ...(changed === undefined ? scopeInputs() : [section(mrkdwn`*${nameOf(changed.scope)}*`)]),
      textInput('amount', 'Price of a page', money && writeMoney({ nanos: money.nanos }), {
        maxLength: maxAmountLength,
        hint: `${currency === undefined ? 'In the account’s currency' : `In ${currency}`}, such as 4.25.`,
      }),
      ...(changed === undefined ? [] : [removeButton(changed.scope)]),
    ],
  });
}

function scopeInputs(): KnownBlock[] {
  const every = option('All routes', everyRoute);
  const ofRoute = (route: Route) => option(routes[route].title, route);
  return [
    selectInput('route', 'Route', [every, ...routeSchema.options.map(ofRoute)], { chosen: everyRoute }),
    phoneCountryInput('country', '', 'Without one, the price is for all countries.', { optional: true }),
  ];
}

function removeButton(scope: PriceScope): KnownBlock {
  return actions(
    'price',
    button(priceActions.remove, 'Remove price', {
      value: scopeValue(scope),
      confirm: confirmDialog({
        title: 'Remove price?',
        text: 'Estimates then use a more general price, or what delivery reports said.',
        yes: 'Remove',
        no: 'Keep',
      }),
    }),
  );
}
