import type { Button, ContextBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { nameStates } from '../../../domain/esims/plan-figures.ts';
import { countryNamed, type NamedCountry } from '../../../domain/phone/country-names.ts';
import {
  type EsimPlan,
  esimPlanSchema,
  type PlanPage,
  type PlanType,
  planTypeSchema,
  priceOf,
} from '../../../services/esims/esim-plans.ts';
import { ifRefused } from '../../../services/refusal.ts';
import {
  actions,
  button,
  context,
  divider,
  loadingSection,
  loadingView,
  modal,
  option,
  present,
  section,
} from '../../block-kit/build.ts';
import { countryLabel, countryOptions, countrySearch } from '../../block-kit/inputs/countries.ts';
import { selectInput } from '../../block-kit/inputs/fields.ts';
import { brief, clampText, limits } from '../../block-kit/limits.ts';
import {
  firstPosition,
  type PagePosition,
  pageIndicator,
  pagePositionSchema,
  pagingButtons,
  viewPageOf,
} from '../../block-kit/paging.ts';
import { formatMoney } from '../../block-kit/plural.ts';
import { joinInline, Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { unreadText } from '../../middleware/explain-refusal.ts';
import { onPaging } from '../../middleware/list-buttons.ts';
import type { ActionRequest, ShowModal, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { esimActions } from './actions.ts';

const plansCallback = 'esim_plans';
const planCountryAction = 'esim_country';
const planTypeAction = 'esim_type';
const planPagingActions = { previous: 'esim_plans_previous', next: 'esim_plans_next' } as const;

/** What the plans are browsed for. A top-up without an ICCID asks for its eSIM later. */
const planUseSchema = z.union([
  z.object({ intent: z.enum(['any', 'create']) }),
  z.object({
    intent: z.literal('top_up'),
    iccid: z.string().exactOptional(),
    /** Where the eSIM's plan works, alpha-3; none if that is not known. */
    home: z.array(z.string()).exactOptional(),
  }),
]);
type PlanUse = z.infer<typeof planUseSchema>;

/** The filters, the position, and the purpose of the plans shown. */
interface PlanQuery {
  use: PlanUse;
  country?: NamedCountry | undefined;
  type?: PlanType | undefined;
  position: PagePosition;
}

/** The value of a plan's button, for the confirmation. */
export const choiceSchema = z.object({
  plan: esimPlanSchema,
  /** The country of the filter, alpha-3. */
  iso3: z.string().exactOptional(),
  iccid: z.string().exactOptional(),
  /** Where the eSIM's plan works, some of it, if this plan works elsewhere. */
  home: z.array(z.string()).exactOptional(),
});
type PlanChoice = z.infer<typeof choiceSchema>;

const title = 'eSIM plans';
const topUpTitle = 'Top-up plans';
const typeOptions = [option('Any type', 'any'), option('Local', 'LOCAL'), option('Regional', 'REGION')];
/** Each takes two of the hundred blocks that a view may have. */
export const maxPlansShown = 15;

/** The plans, with their filters and pages. */
export function registerEsimPlans(router: Router, context: AppContext): void {
  const shownAt = async (call: ActionRequest, position: PagePosition) => {
    if (call.view !== undefined) {
      const { values, metadata } = call.view;
      await showPlans(context, call.show, call.user, readPlanQuery(values, metadata, position));
    }
  };
  router.action(openActions.esimPlans, 'look_up', (call) =>
    showPlans(context, call.show, call.user, {
      use: { intent: 'any' },
      country: countryNamed(call.value),
      position: firstPosition,
    }),
  );
  for (const filter of [planCountryAction, planTypeAction]) {
    router.action(filter, 'look_up', (call) => shownAt(call, firstPosition));
  }
  onPaging(router, planPagingActions, 'look_up', pagePositionSchema, shownAt);

  router.submission(plansCallback, 'look_up', async ({ user, values, metadata }) => {
    const query = readPlanQuery(values, metadata, firstPosition);
    return {
      view: plansView(query, 'loading', await rightsOf(context, user)),
      background: () => plansFor(context, user, query),
    };
  });

  router.options(planCountryAction, 'look_up', async ({ query }) =>
    countryOptions(query, { withEvery: true }),
  );
}

/** Shows a loading view at once, and the plans once the provider has answered. */
export async function showPlans(
  context: AppContext,
  show: ShowModal,
  user: User,
  query: PlanQuery,
): Promise<void> {
  const replace = await show(plansView(query, 'loading', await rightsOf(context, user)));
  await replace(await plansFor(context, user, query));
}

/** The same for plans to top up an eSIM. Plans for its country come first. */
export async function showTopUps(
  context: AppContext,
  show: ShowModal,
  user: User,
  iccid: string,
): Promise<void> {
  // Without the filters: once shown, a field keeps its value, and the country is not known yet.
  const replace = await show(loadingView(topUpTitle, 'Asking the provider…'));
  const home = await context.services.esims.countriesOf(user.workspaceId, iccid);
  const [only = '', ...others] = home;
  await replace(
    await plansFor(context, user, {
      use: { intent: 'top_up', iccid, home: [...home] },
      country: others.length === 0 ? countryNamed(only) : undefined,
      position: firstPosition,
    }),
  );
}

async function plansFor(context: AppContext, user: User, query: PlanQuery): Promise<ModalView> {
  const { country, type, position } = query;
  const filter = { country, type, page: position.page };
  const answer = await context.services.esims
    .plans(user.workspaceId, filter)
    .catch(ifRefused(['not_connected', 'failed'], unreadText));
  return plansView(query, answer, await rightsOf(context, user));
}

async function rightsOf(context: AppContext, user: User): Promise<EsimRights> {
  return { canOrder: await canOrder(context, user), seesEsims: user.permissions.has('esim_status') };
}

/** Whether a user can create and top up eSIMs: that may be off in the workspace. */
export async function canOrder(
  { services: { workspaces } }: AppContext,
  { workspaceId, permissions }: User,
): Promise<boolean> {
  return permissions.has('buy') && (await workspaces.defaults(workspaceId)).esimPurchases;
}

/** What a user may do with eSIMs and their plans. */
interface EsimRights {
  canOrder: boolean;
  /** Whether they see the eSIMs that there are. */
  seesEsims: boolean;
}

/**
 * A page of plans below the filters, with the buttons the user may use.
 *
 * @param answer a text says why they can't be read
 */
export function plansView(
  query: PlanQuery,
  answer: PlanPage | Markup | 'loading',
  rights: EsimRights,
): ModalView {
  const { use, country, type } = query;
  return modal({
    callbackId: plansCallback,
    title: use.intent === 'top_up' ? topUpTitle : title,
    submit: 'Show plans',
    metadata: use,
    blocks: [
      ...present(
        use.intent === 'top_up' &&
          use.iccid !== undefined &&
          section(mrkdwn`Choose a plan for the eSIM \`${use.iccid}\`.`),
      ),
      countrySearch('esim_country', planCountryAction, country, { every: true, dispatch: true }),
      selectInput('esim_type', 'Type', typeOptions, {
        actionId: planTypeAction,
        chosen: type ?? 'any',
        dispatch: true,
      }),
      divider(),
      ...(answer === 'loading'
        ? [loadingSection('Asking the provider…')]
        : planContent(query, answer, rights)),
    ],
  });
}

function planContent(
  query: PlanQuery,
  answer: PlanPage | Markup,
  { canOrder, seesEsims }: EsimRights,
): KnownBlock[] {
  const others = otherButtons(query.use, seesEsims);
  if (answer instanceof Markup) {
    return [section(answer), ...buttonRow(others)];
  }
  const { plans, last, deprecated } = answer;
  const { country, type } = query;
  const kind = type === undefined ? '' : type === 'LOCAL' ? 'local ' : 'regional ';
  const none =
    country === undefined
      ? mrkdwn`No ${kind}plans on this page.`
      : mrkdwn`No ${kind}plans for *${country.name}*. Choose another country above.`;
  const part = viewPageOf(plans, query.position, { last, most: maxPlansShown });
  return [
    ...present<KnownBlock>(
      deprecated &&
        context(mrkdwn`:information_source: From the provider’s older list, which has no prices.`),
      part.shown.length === 0 && section(none),
    ),
    ...part.shown.flatMap((plan, index) =>
      canOrder ? planBlocks(plan, index, query) : [section(planLines(plan, []))],
    ),
    ...unitsNote(part.shown),
    context(pageIndicator(answer)),
    ...buttonRow([...pagingButtons(part, planPagingActions), ...others]),
  ];
}

function buttonRow(buttons: readonly Button[]): KnownBlock[] {
  return buttons.length === 0 ? [] : [actions('esim_plans_paging', ...buttons)];
}

/** A top-up leads back to the status of its eSIM; other plans lead to the lists. */
function otherButtons(use: PlanUse, seesEsims: boolean): Button[] {
  if (use.intent === 'top_up') {
    const value = JSON.stringify({ iccid: use.iccid });
    return present(
      use.iccid !== undefined && button(esimActions.statusHere, 'Back to the status', { value }),
    );
  }
  return present(
    seesEsims && button(esimActions.openList, 'See all eSIMs'),
    button(esimActions.openCountries, 'See countries'),
  );
}

/** In the value of a button: a plan may take most of it. */
const maxHomeInValue = 3;

export function planBlocks(
  plan: EsimPlan,
  index: number,
  { use, country }: Pick<PlanQuery, 'use' | 'country'>,
): KnownBlock[] {
  const home = use.intent === 'top_up' ? (use.home ?? []) : [];
  const choice: PlanChoice = {
    plan,
    ...(country !== undefined && plan.countries.includes(country.iso3) && { iso3: country.iso3 }),
    ...(use.intent === 'top_up' && use.iccid !== undefined && { iccid: use.iccid }),
    ...(isElsewhere(plan, home) && { home: home.slice(0, maxHomeInValue) }),
  };
  const text = planLines(plan, home);
  const value = JSON.stringify(choice);
  if (value.length > limits.buttonValue) {
    return [section(text), context(mrkdwn`This plan can’t be ordered from Slack.`)];
  }
  const create = button(esimActions.create, 'Create', { value, label: `Create an eSIM: ${plan.name}` });
  const topUp = button(esimActions.topUp, 'Top up', { value, label: `Top up: ${plan.name}` });
  return use.intent === 'any'
    ? [section(text), actions(`esim_plan_${index}`, create, topUp)]
    : [section(text, use.intent === 'create' ? create : topUp)];
}

/** Reads the filters from the fields of the view. */
function readPlanQuery(values: FormValues, metadata: unknown, position: PagePosition): PlanQuery {
  return {
    use: planUseSchema.parse(metadata),
    country: countryNamed(values.esim_country?.text ?? ''),
    type: planTypeSchema.safeParse(values.esim_type?.text).data,
    position,
  };
}

const typeNames = new Map([
  ['LOCAL', 'Local'],
  ['REGION', 'Regional'],
]);

const maxCountriesNamed = 5;
const maxHomeNamed = 2;

/** A plan in a list. `home`: the countries of the eSIM that it is to top up. */
export function planLines(plan: EsimPlan, home: readonly string[] = []): Markup {
  const { name, countries } = plan;
  const figures = [
    planPrice(plan),
    ...bareFigures(plan).map(([title, figure]) => mrkdwn`${title} ${figure}`),
  ];
  const coverage = present(
    planType(plan),
    countries.length > 0 && mrkdwn`${planCountries(plan, maxCountriesNamed)}`,
  );
  const lines = present(
    mrkdwn`*${brief(name)}*`,
    joinInline(figures),
    coverage.length > 0 && joinInline(coverage),
    isElsewhere(plan, home) && mrkdwn`:warning: Not for ${countryNames(home, maxHomeNamed)}`,
  );
  return mrkdwn`${lines}`;
}

/** The facts of a plan for its confirmation, each with its title. */
export function planFacts(plan: EsimPlan): (readonly [string, Markup])[] {
  const type = planType(plan);
  return [
    ['Price', planPrice(plan)],
    ...bareFigures(plan).map(([title, figure]) => [title, mrkdwn`${figure}`] as const),
    ...present(type !== undefined && (['Type', type] as const)),
  ];
}

/** The figures that have no unit and are not in the name. */
function bareFigures({ name, data, time }: EsimPlan): (readonly ['Data' | 'Time', number])[] {
  return present(
    data !== undefined && !nameStates(name, data, 'data') && (['Data', data] as const),
    time !== undefined && !nameStates(name, time, 'time') && (['Time', time] as const),
  );
}

/** Said once of all plans shown, where there is a figure that it is true of. */
export function unitsNote(plans: readonly EsimPlan[]): ContextBlock[] {
  return plans.some((plan) => bareFigures(plan).length > 0)
    ? [context(mrkdwn`The provider does not name the units of data and time.`)]
    : [];
}

/** Whether a plan works in none of these countries. Not, if the provider says where of neither. */
function isElsewhere({ countries }: Pick<EsimPlan, 'countries'>, home: readonly string[]): boolean {
  return home.length > 0 && countries.length > 0 && !countries.some((country) => home.includes(country));
}

/** Says that a plan is for other countries than the eSIM's; undefined: it is not. */
export function elsewhereRemark(plan: EsimPlan, home: readonly string[]): Markup | undefined {
  return isElsewhere(plan, home)
    ? mrkdwn`:warning: *This plan is for ${planCountries(plan, maxHomeNamed)}.* The eSIM’s plan is for ${countryNames(home, maxHomeNamed)}.`
    : undefined;
}

/** Returns the countries of a plan by name: all, or the first `most` and how many more there are. */
export function planCountries({ countries }: EsimPlan, most = countries.length): string {
  return countryNames(countries, most);
}

function countryNames(countries: readonly string[], most: number): string {
  const names = countries.map(countryLabel).sort((one, other) => one.localeCompare(other, 'en'));
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ');
}

function planPrice(plan: EsimPlan): Markup {
  const price = priceOf(plan);
  return price === undefined
    ? mrkdwn`_price not listed_`
    : mrkdwn`*${clampText(formatMoney(price), limits.listText)}*`;
}

function planType({ type }: EsimPlan): Markup | undefined {
  return type === undefined ? undefined : mrkdwn`${typeNames.get(type) ?? brief(type)}`;
}
