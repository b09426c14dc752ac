import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import type { NotAsShown } from '../../../domain/limits/seen.ts';
import { type OrderedEsim, orderSummarySchema } from '../../../services/esims/esim-placing.ts';
import { type EsimPlan, priceOf } from '../../../services/esims/esim-plans.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import {
  actions,
  button,
  context as contextBlock,
  facts,
  input,
  loadingView,
  modal,
  performingView,
  present,
  section,
} from '../../block-kit/build.ts';
import { approvalBlocks, askForApproval } from '../../block-kit/descriptions/needs-approval.ts';
import {
  countryLabel,
  countryOptions,
  countrySearch,
  countrySelect,
} from '../../block-kit/inputs/countries.ts';
import { searchInput } from '../../block-kit/inputs/fields.ts';
import type { EsimRef } from '../../block-kit/inputs/selects.ts';
import { formatMoney } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, joinWords, type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { defineOutcome } from '../../kit/outcome.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { addToRefusal, changedSinceShown } from '../../middleware/explain-refusal.ts';
import type { LastModal } from '../../middleware/last-modal.ts';
import { createOncePerDoubleClick } from '../../middleware/list-buttons.ts';
import type { ActionRequest, AskAgain, FieldErrors, User } from '../../middleware/requests.ts';
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
    if (read.kind === 'invalid') {
      return { errors: read.faults };
    }
    const isNew = confirmation.intent === 'create';
    const title = isNew ? 'New eSIM' : 'eSIM top-up';
    return {
      view:
        confirmation.approvalIn === undefined
          ? performingView(title, isNew ? 'Creating the eSIM…' : 'Topping up the eSIM…', 'bought')
          : loadingView(title, 'Asking for approval…'),
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
  await context.services.esimOrders.requirePurchases(workspaceId);
  const choice = choiceSchema.parse(JSON.parse(call.value));
  const approvalIn = await context.services.esimOrders.approvals.channelFor(workspaceId, choice.plan);
  const confirmation = { intent, key: idempotencyKey(workspaceId, call.requestId), choice, approvalIn };
  // A double click would open a second confirmation, for a second order.
  await createOncePerDoubleClick(context.services.once)(call, `esim_${intent}`, async () => {
    await call.push(confirmView(confirmation));
  });
}

const nothingBought = 'Nothing was bought.';

/** Places the order, or asks for its approval. */
async function order(
  { services: { esimOrders }, notifier, navigation }: AppContext,
  user: User,
  confirmation: Confirmation,
  read: Exclude<ReadOrder, { kind: 'invalid' }>,
): Promise<ModalView | AskAgain> {
  const { key, choice, approvalIn } = confirmation;
  const { plan } = choice;
  const seen = approvalIn === undefined ? {} : { approval: 'needed' as const };
  const asked =
    read.kind === 'create'
      ? esimOrders.create({ ...user, key, plan, seen, iso3: read.iso3 })
      : esimOrders.topUp({ ...user, key, plan, seen, iso3: read.iso3, iccid: read.iccid });
  const ordering = await asked.catch(addToRefusal(nothingBought));
  if (ordering.kind === 'approval') {
    return navigation.approval(user, ordering.approval);
  }
  if (ordering.kind === 'not_as_shown') {
    const entered = {
      ...(read.iso3 !== undefined && { iso3: read.iso3 }),
      ...(read.kind === 'top_up' && { iccid: read.iccid }),
    };
    const changed = {
      ...confirmation,
      choice: { ...choice, ...entered, plan: ordering.plan },
      approvalIn: await esimOrders.approvals.channelFor(user.workspaceId, ordering.plan),
    };
    const view = confirmView(changed, { plan, changes: ordering.changes });
    return { view, ifClosed: changedSinceShown(nothingBought) };
  }
  const delivery = await notifier.notify(ordering.operation);
  return orderOutcomeView(ordering.operation, ordering.esim, { user, delivery });
}

const confirmCallback = 'esim_confirm';
const esimAction = 'esim';
const orderCountryAction = 'esim_order_country';

/** The order to confirm. `key` is the idempotency key of the one order that the form places. */
const confirmMetadata = z.object({
  intent: z.enum(['create', 'top_up']),
  key: z.string(),
  choice: choiceSchema,
  /** The approval channel that the form names, if approval is needed. */
  approvalIn: z.string().optional(),
});
type Confirmation = z.infer<typeof confirmMetadata>;

/** What the submitted confirmation showed, and what has changed since. */
interface ShownBefore extends Pick<NotAsShown, 'changes'> {
  plan: EsimPlan;
}

/** The last step before money is spent: the plan, its purpose and price, and whether it needs approval. */
export function confirmView(confirmation: Confirmation, before?: ShownBefore): ModalView {
  const { intent, choice, approvalIn } = confirmation;
  const { plan, iccid, home = [] } = choice;
  const remark = intent === 'top_up' ? elsewhereRemark(plan, home) : undefined;
  const esim =
    iccid === undefined
      ? searchInput('esim', 'eSIM', { ...esimSearch, actionId: esimAction, dispatch: true })
      : section(mrkdwn`*eSIM*\n\`${iccid}\``);
  const price = priceOf(plan);
  const cost = price === undefined ? mrkdwn`has no listed price` : mrkdwn`costs *${formatMoney(price)}*`;
  const subject = intent === 'create' ? 'A new eSIM with this plan' : 'This plan';
  return modal({
    callbackId: confirmCallback,
    title: intent === 'create' ? 'New eSIM' : 'eSIM top-up',
    submit: approvalIn !== undefined ? askForApproval : intent === 'create' ? 'Create' : 'Top up',
    close: 'Cancel',
    notifyOnClose: true,
    metadata: confirmation,
    blocks: [
      ...present(before && { ...section(describeChanges(before, plan)), block_id: 'changes' }),
      section(mrkdwn`*${plan.name}*`),
      facts(...planFacts(plan)),
      ...unitsNote([plan]),
      ...present(plan.countries.length > 0 && section(mrkdwn`*Works in*\n${planCountries(plan)}`)),
      ...present(intent === 'top_up' && esim),
      ...present(remark && { ...section(remark), block_id: 'esim_elsewhere' }),
      ...countryBlocks(confirmation),
      section(mrkdwn`${subject} ${cost}. The provider charges the account’s balance. This can’t be undone.`),
      ...approvalBlocks(approvalIn, 'purchase'),
    ],
  });
}

function describeChanges({ plan: shown, changes }: ShownBefore, plan: EsimPlan): Markup {
  const before = priceOf(shown);
  const now = priceOf(plan);
  const offer =
    before === now
      ? mrkdwn`The provider has changed this plan.`
      : mrkdwn`The price is now *${now === undefined ? 'not listed' : formatMoney(now)}*${before === undefined ? '' : mrkdwn`, not ${formatMoney(before)}`}.`;
  const sentences = present(
    changes.includes('offer') && offer,
    changes.includes('approval_needed') && mrkdwn`It now needs approval.`,
    changes.includes('approval_not_needed') &&
      mrkdwn`It no longer needs approval, and would be bought right away.`,
  );
  return mrkdwn`${stateIcons.unconfirmed} *Nothing was bought.* ${joinWords(sentences, ' ')} Review it again, then continue.`;
}

/** The provider requires a country; the form asks for it when the plan names several or no country. */
function countryBlocks(confirmation: Confirmation): InputBlock[] {
  const { intent, choice } = confirmation;
  const { countries } = choice.plan;
  if (countries.length > 1) {
    return [
      input('country', 'Country', countrySelect(orderCountryAction, countries, choice.iso3), {
        hint: 'The provider requires a country. The plan works in all of its countries anyway.',
      }),
    ];
  }
  return countries.length === 0 && intent === 'top_up'
    ? [countrySearch('country', orderCountryAction, undefined, {})]
    : [];
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
  details: (operation: Operation) => [details(operation)],
  nextSteps: (operation: Operation) => nextSteps(operation, { order: operation.key }, esimActions.status),
};

const summaryOf = ({ summary }: Operation) => orderSummarySchema.parse(summary);

const creationOutcome = defineOutcome({
  ...inMessages,
  title: ({ state }) => creationTitles[state],
  subject: (operation) => mrkdwn`The eSIM with *${summaryOf(operation).plan}*`,
  accepted: (operation) =>
    mrkdwn`*eSIM${operation.providerId === undefined ? '' : ` ${operation.providerId}`} created* with *${summaryOf(operation).plan}*. Share the QR image, or the install details if the phone can’t scan.`,
  done: 'created',
  check: 'Look in the list of eSIMs before you create another one.',
  line: (operation) => orderLine(operation, mrkdwn`New eSIM`),
});

const topUpOutcome = defineOutcome({
  ...inMessages,
  title: ({ state }) => topUpTitles[state],
  subject: (operation) => mrkdwn`The eSIM ${summaryOf(operation).iccid}`,
  accepted: (operation) =>
    mrkdwn`*eSIM ${summaryOf(operation).iccid} topped up* with *${summaryOf(operation).plan}*.`,
  done: 'topped up',
  check: 'Look at the status of the eSIM before you top it up again.',
  line: (operation) => orderLine(operation, mrkdwn`Top-up of the eSIM ${summaryOf(operation).iccid}`),
});

export const esimRenderers = {
  'esim.create': creationOutcome.describe,
  'esim.top_up': topUpOutcome.describe,
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
    ...present(
      esim &&
        facts(
          ['ICCID', mrkdwn`\`${esim.iccid}\``],
          ...(esim.state === undefined ? [] : [['State', mrkdwn`\`${esim.state}\``] as const]),
        ),
    ),
    contextBlock(details(operation)),
    ...nextSteps(operation, ref, esimActions.statusHere),
  );
}

const isCreation = ({ kind }: Operation) => kind === 'esim.create';

function orderLine(operation: Operation, subject: Markup): Markup {
  const { plan, price } = summaryOf(operation);
  return joinInline(present(subject, mrkdwn`${plan}`, price !== undefined && mrkdwn`${formatMoney(price)}`));
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
  const list = button(esimActions.openList, 'See all eSIMs');
  const status = ref === undefined ? list : button(statusAction, 'Show status', { value });
  if (state === 'unconfirmed') {
    return [actions('esim_next', isCreation(operation) ? list : status)];
  }
  if (state === 'rejected' || state === 'not_sent') {
    return [actions('esim_next', button(openActions.esimPlans, 'Choose a plan'))];
  }
  const installs = [
    button(esimActions.qrImage, 'Get QR image', { value, style: 'primary' }),
    button(esimActions.installation, 'Show install details', { value }),
  ];
  const isNew = isCreation(operation) && ref !== undefined;
  return state === 'accepted' ? [actions('esim_next', ...(isNew ? installs : []), status)] : [];
}
