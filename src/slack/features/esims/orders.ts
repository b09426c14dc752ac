import type { InputBlock, KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { describeReason } from '../../../provider/response/error-messages.ts';
import type { OrderCheck } from '../../../services/esims/esim-approvals.ts';
import { type OrderedEsim, orderSummarySchema } from '../../../services/esims/esim-orders.ts';
import { priceOf } from '../../../services/esims/esim-plans.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import {
  actions,
  button,
  context as contextBlock,
  facts,
  input,
  modal,
  performingView,
  present,
  section,
} from '../../block-kit/build.ts';
import {
  countryLabel,
  countryOptions,
  countrySearch,
  countrySelect,
} from '../../block-kit/inputs/countries.ts';
import { searchInput } from '../../block-kit/inputs/fields.ts';
import type { EsimRef } from '../../block-kit/inputs/selects.ts';
import { formatMoney } from '../../block-kit/plural.ts';
import { joinInline, type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { defineOutcome } from '../../kit/outcome.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import type { LastModal } from '../../middleware/last-modal.ts';
import { createOncePerDoubleClick } from '../../middleware/list-buttons.ts';
import { requirePerformed } from '../../middleware/not-performed.ts';
import type { ActionRequest, FieldErrors, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { esimActions } from './actions.ts';
import { esimSearch, findEsims } from './lists.ts';
import { choiceSchema, elsewhereRemark, planCountries, planFacts, unitsNote } from './plans.ts';

/** *Create* and *Top up*: a confirmation with the price, and then the order, placed once. */
export function registerEsimOrders(router: Router, context: AppContext): void {
  const { esims, operations } = context.services;
  router.action(esimActions.create, 'buy', (call) => confirm(context, call, 'create'));
  router.action(esimActions.topUp, 'buy', (call) => confirm(context, call, 'top_up'));

  router.submission(confirmCallback, 'buy', async ({ user, values, metadata }) => {
    const confirmation = confirmMetadata.parse(metadata);
    const read = readOrder(values, confirmation);
    return read.kind === 'invalid'
      ? { errors: read.faults }
      : {
          view: orderingView(confirmation.intent),
          background: () => order(context, user, confirmation, read),
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

  router.options(esimAction, 'buy', (request) => findEsims(context, request));
}

async function confirm(context: AppContext, call: ActionRequest, intent: Confirmation['intent']) {
  const { workspaceId } = call.user;
  await requirePurchases(context, workspaceId);
  const choice = choiceSchema.parse(JSON.parse(call.value));
  const confirmation = { intent, key: idempotencyKey(workspaceId, call.requestId), choice };
  // A double click would open a second confirmation, for a second order.
  await createOncePerDoubleClick(context.services.once)(call, `esim_${intent}`, async () => {
    await call.push(confirmView(confirmation));
  });
}

/** Places the order, or asks for its approval. */
async function order(
  { services: { esimOrders }, notifier, navigation, settings }: AppContext,
  user: User,
  { key, choice: { plan } }: Confirmation,
  read: Exclude<ReadOrder, { kind: 'invalid' }>,
): Promise<ModalView> {
  const ordering =
    read.kind === 'create'
      ? await esimOrders.create({ ...user, key, plan, iso3: read.iso3 })
      : await esimOrders.topUp({ ...user, key, plan, iso3: read.iso3, iccid: read.iccid });
  if (ordering.kind === 'approval') {
    return navigation.approval(user, ordering.approval);
  }
  if (ordering.kind === 'plan_changed' || ordering.kind === 'failed') {
    throw new UserError(whyNotAsked(ordering), { isFinal: ordering.kind === 'plan_changed' });
  }
  if (ordering.kind === 'purchases_off') {
    throw purchasesOffError(settings.commandPrefix);
  }
  requirePerformed(ordering, 'Nothing was bought.');
  const delivery = await notifier.notify(ordering.operation);
  return orderOutcomeView(ordering.operation, ordering.esim, { user, delivery });
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

const confirmCallback = 'esim_confirm';
const esimAction = 'esim';
const orderCountryAction = 'esim_order_country';

/** The order to confirm. `key` is the idempotency key of the one order that the form places. */
const confirmMetadata = z.object({
  intent: z.enum(['create', 'top_up']),
  key: z.string(),
  choice: choiceSchema,
});
type Confirmation = z.infer<typeof confirmMetadata>;

/** The last step before money is spent: the plan, what it is for, and its price. */
export function confirmView(confirmation: Confirmation): ModalView {
  const { intent, choice } = confirmation;
  const { plan, iccid, home = [] } = choice;
  const remark = intent === 'top_up' ? elsewhereRemark(plan, home) : undefined;
  return modal({
    callbackId: confirmCallback,
    title: intent === 'create' ? 'New eSIM' : 'eSIM top-up',
    submit: intent === 'create' ? 'Create' : 'Top up',
    close: 'Cancel',
    notifyOnClose: true,
    metadata: confirmation,
    blocks: [
      section(mrkdwn`*${plan.name}*`),
      facts(...planFacts(plan)),
      ...unitsNote([plan]),
      ...present(plan.countries.length > 0 && section(mrkdwn`*Works in*\n${planCountries(plan)}`)),
      ...present(intent === 'top_up' && esimBlock(iccid)),
      ...present(remark && { ...section(remark), block_id: 'esim_elsewhere' }),
      ...countryBlocks(confirmation),
      section(charge(confirmation)),
    ],
  });
}

function esimBlock(iccid: string | undefined): KnownBlock {
  return iccid === undefined
    ? searchInput('esim', 'eSIM', { ...esimSearch, actionId: esimAction, dispatch: true })
    : section(mrkdwn`*eSIM*\n\`${iccid}\``);
}

/** The provider requires a country; the form asks for it when the plan has none or several. */
function countryBlocks(confirmation: Confirmation): InputBlock[] {
  const { intent, choice } = confirmation;
  const { countries } = choice.plan;
  if (countries.length > 1) {
    return [
      input('country', 'Country', countrySelect(orderCountryAction, countries, choice.iso3), {
        hint: 'The provider needs one. The plan works in all its countries.',
      }),
    ];
  }
  return countries.length === 0 && intent === 'top_up'
    ? [countrySearch('country', orderCountryAction, undefined, {})]
    : [];
}

function charge({ intent, choice }: Confirmation): Markup {
  const price = priceOf(choice.plan);
  const subject = intent === 'create' ? 'A new eSIM with this plan' : 'This plan';
  const charged = 'The provider charges the account’s balance. This can’t be undone.';
  return price === undefined
    ? mrkdwn`${subject} has no listed price. ${charged}`
    : mrkdwn`${subject} costs *${formatMoney(price)}*. ${charged}`;
}

type ReadOrder =
  | { kind: 'create'; iso3: string | undefined }
  | { kind: 'top_up'; iso3: string; iccid: string }
  | { kind: 'invalid'; faults: FieldErrors };

/** Reads the order: the choice that the form shows, with the fields that were filled in. */
function readOrder(values: FormValues, { intent, choice }: Confirmation): ReadOrder {
  const [only, ...others] = choice.plan.countries;
  const country = values.country?.text ?? (others.length === 0 ? only : undefined);
  const iso3 = country !== undefined && /^[A-Z]{3}$/.test(country) ? country : undefined;
  if (intent === 'create') {
    return { kind: 'create', iso3 };
  }
  const iccid = choice.iccid ?? values.esim?.text;
  if (iso3 === undefined || iccid === undefined) {
    const faults = {
      country: iso3 === undefined ? 'Choose a country.' : undefined,
      esim: iccid === undefined ? 'Choose an eSIM.' : undefined,
    };
    return { kind: 'invalid', faults };
  }
  return { kind: 'top_up', iso3, iccid };
}

function orderingView(intent: Confirmation['intent']): ModalView {
  return intent === 'create'
    ? performingView('New eSIM', 'Creating the eSIM…', 'bought')
    : performingView('eSIM top-up', 'Topping up the eSIM…', 'bought');
}

/** Says that an admin has switched off buying eSIMs, to a user who tried to. */
function purchasesOffError(commandPrefix: string): UserError {
  return new UserError(
    mrkdwn`Buying eSIMs is switched off here, so nothing was bought. \`/${commandPrefix}esim\` still lists plans and eSIMs.`,
    { isFinal: true },
  );
}

/** @throws UserError where eSIMs cannot be bought in the workspace */
export async function requirePurchases(
  { services, settings }: AppContext,
  workspaceId: string,
): Promise<void> {
  if (!(await services.workspaces.defaults(workspaceId)).esimPurchases) {
    throw purchasesOffError(settings.commandPrefix);
  }
}

const creationTitles: Record<Operation['state'], string> = {
  underway: 'eSIM',
  accepted: 'eSIM created',
  rejected: 'eSIM rejected',
  not_sent: 'eSIM not created',
  unconfirmed: 'eSIM unconfirmed',
};

const topUpTitles: Record<Operation['state'], string> = {
  underway: 'Top-up',
  accepted: 'eSIM topped up',
  rejected: 'Top-up rejected',
  not_sent: 'eSIM not topped up',
  unconfirmed: 'Top-up unconfirmed',
};

/** For messages, which have only the end of the ICCID; their buttons find the eSIM by its order. */
const inMessages = {
  details: (operation: Operation) => [contextBlock(details(operation))],
  nextSteps: (operation: Operation) => nextSteps(operation, { order: operation.key }, esimActions.status),
};

const summaryOf = ({ summary }: Operation) => orderSummarySchema.parse(summary);

const creationOutcome = defineOutcome({
  ...inMessages,
  title: ({ state }) => creationTitles[state],
  subject: (operation) => mrkdwn`The eSIM with *${summaryOf(operation).plan}*`,
  accepted: (operation) =>
    mrkdwn`*The eSIM${operation.providerId === undefined ? '' : ` ${operation.providerId}`} is created*, with *${summaryOf(operation).plan}*. Share the QR image, or the install details if the phone can’t scan.`,
  done: 'created',
  check: 'Look in the list of eSIMs before you create another one.',
  line: (operation) => orderLine(operation, mrkdwn`New eSIM`),
});

const topUpOutcome = defineOutcome({
  ...inMessages,
  title: ({ state }) => topUpTitles[state],
  subject: (operation) => mrkdwn`The eSIM ${summaryOf(operation).iccid}`,
  accepted: (operation) =>
    mrkdwn`*The eSIM ${summaryOf(operation).iccid} is topped up* with *${summaryOf(operation).plan}*.`,
  done: 'topped up',
  check: 'Look at the status of the eSIM before you top it up again.',
  line: (operation) => orderLine(operation, mrkdwn`Top-up of the eSIM ${summaryOf(operation).iccid}`),
});

export const esimRenderers = {
  'esim.create': creationOutcome.renderer,
  'esim.top_up': topUpOutcome.renderer,
};

/** The outcome of an order, with the full ICCID and the next steps, for the user who placed it. */
export function orderOutcomeView(
  operation: Operation,
  esim: OrderedEsim | undefined,
  modal?: LastModal,
): ModalView {
  const { view } = isCreation(operation) ? creationOutcome : topUpOutcome;
  const ref = esim && { iccid: esim.iccid };
  return view(
    operation,
    modal,
    ...present(esim && describeEsim(esim)),
    contextBlock(details(operation)),
    ...nextSteps(operation, ref, esimActions.statusHere),
  );
}

const isCreation = ({ kind }: Operation) => kind === 'esim.create';

function orderLine(operation: Operation, subject: Markup): Markup {
  const { plan, price } = summaryOf(operation);
  return joinInline(present(subject, mrkdwn`${plan}`, price !== undefined && mrkdwn`${formatMoney(price)}`));
}

function describeEsim({ iccid, state }: OrderedEsim): SectionBlock {
  return facts(
    ['ICCID', mrkdwn`\`${iccid}\``],
    ...(state === undefined ? [] : [['State', mrkdwn`\`${state}\``] as const]),
  );
}

function details(operation: Operation): Markup {
  const { price, country } = summaryOf(operation);
  return joinInline(
    present(
      price !== undefined && mrkdwn`${formatMoney(price)}`,
      country !== undefined && mrkdwn`${countryLabel(country)}`,
      timeFor(operation.endedAt ?? operation.createdAt),
    ),
  );
}

/** An unconfirmed creation has no ICCID, so it leads to the list of eSIMs. */
function nextSteps(operation: Operation, ref: EsimRef | undefined, statusAction: string): KnownBlock[] {
  const { state } = operation;
  const value = JSON.stringify(ref);
  const list = button(esimActions.openList, 'All eSIMs');
  const status = ref === undefined ? list : button(statusAction, 'Status', { value });
  if (state === 'unconfirmed') {
    return [actions('esim_next', isCreation(operation) ? list : status)];
  }
  if (state === 'rejected' || state === 'not_sent') {
    return [actions('esim_next', button(openActions.esimPlans, 'Choose a plan'))];
  }
  const installs = [
    button(esimActions.qrImage, 'QR image', { value, style: 'primary' }),
    button(esimActions.installation, 'Install details', { value }),
  ];
  const isNew = isCreation(operation) && ref !== undefined;
  return state === 'accepted' ? [actions('esim_next', ...(isNew ? installs : []), status)] : [];
}
