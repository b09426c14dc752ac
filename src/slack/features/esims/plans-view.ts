import type { Button, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { countryNamed, type NamedCountry } from '../../../domain/phone/country-names.ts';
import {
  type EsimPlan,
  esimPlanSchema,
  type PlanFilter,
  type PlanPage,
  type PlanType,
  planTypeSchema,
} from '../../../services/esims/esim-plans.ts';
import type { ProviderAnswer } from '../../../services/operations/outcomes.ts';
import { actions, button, context, divider, input, modal, option, section } from '../../block-kit/build.ts';
import { countrySearch } from '../../block-kit/inputs/country-search.ts';
import { limits } from '../../block-kit/limits.ts';
import { loadingSection, loadingView } from '../../block-kit/loading-view.ts';
import {
  type PagePosition,
  pageIndicator,
  pagingButtons,
  viewPageOf,
} from '../../block-kit/paging/page-position.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { notConnectedText } from '../../middleware/not-connected.ts';
import { esimActions } from './actions.ts';
import { isElsewhere, planLines, unitsNote } from './plan-text.ts';

export const plansCallback = 'esim_plans';
export const planCountryAction = 'esim_country';
export const planTypeAction = 'esim_type';
export const planPagingActions = { previous: 'esim_plans_previous', next: 'esim_plans_next' } as const;

/** What the plans are browsed for. A top-up without an ICCID asks for its eSIM later. */
export const planUseSchema = z.union([
  z.object({ intent: z.enum(['any', 'create']) }),
  z.object({
    intent: z.literal('top_up'),
    iccid: z.string().exactOptional(),
    /** Where the eSIM's plan works, alpha-3; none if that is not known. */
    home: z.array(z.string()).exactOptional(),
  }),
]);
export type PlanUse = z.infer<typeof planUseSchema>;

/** The filters and the position of the plans shown, and what they are browsed for. */
export interface PlanQuery {
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
export type PlanChoice = z.infer<typeof choiceSchema>;

const title = 'eSIM plans';
const topUpTitle = 'Top-up plans';
const anyType = option('Any type', 'any');
const typeOptions = [anyType, option('Local', 'LOCAL'), option('Regional', 'REGION')];
/** Each takes two of the hundred blocks that a view may have. */
const maxPlansShown = 15;

export function loadingTopUps(): ModalView {
  return loadingView(topUpTitle, 'Asking the provider…');
}

/** What a user may do with eSIMs and their plans. */
export interface EsimRights {
  canOrder: boolean;
  /** Whether they see the eSIMs that there are. */
  seesEsims: boolean;
}

/** A page of the plans, below the filters, with buttons for what the user may do. */
export function plansView(
  query: PlanQuery,
  answer: ProviderAnswer<PlanPage> | 'loading',
  rights: EsimRights,
): ModalView {
  const { use, country, type } = query;
  return modal({
    callbackId: plansCallback,
    title: use.intent === 'top_up' ? topUpTitle : title,
    submit: 'Show plans',
    metadata: use,
    blocks: [
      ...(use.intent === 'top_up' && use.iccid !== undefined
        ? [section(mrkdwn`Choose a plan for the eSIM \`${use.iccid}\`.`)]
        : []),
      countrySearch('esim_country', planCountryAction, country, { every: true, dispatch: true }),
      input(
        'esim_type',
        'Type',
        {
          type: 'static_select',
          action_id: planTypeAction,
          options: typeOptions,
          initial_option: typeOptions.find(({ value }) => value === type) ?? anyType,
        },
        { dispatch: true },
      ),
      divider(),
      ...(answer === 'loading' ? [loadingSection('Asking the provider…')] : content(query, answer, rights)),
    ],
  });
}

function content(
  query: PlanQuery,
  answer: ProviderAnswer<PlanPage>,
  { canOrder, seesEsims }: EsimRights,
): KnownBlock[] {
  const others = otherButtons(query.use, seesEsims);
  if (answer.kind !== 'answered') {
    const why =
      answer.kind === 'failed' ? mrkdwn`${stateIcons.failed} ${answer.error.message}` : notConnectedText();
    return [section(why), ...buttonRow(others)];
  }
  const { plans, last, deprecated } = answer.value;
  const part = viewPageOf(plans, query.position, { last, most: maxPlansShown });
  return [
    ...(deprecated
      ? [context(mrkdwn`:information_source: From the provider’s older list, which has no prices.`)]
      : []),
    ...(part.shown.length === 0 ? [section(noPlans(query))] : []),
    ...part.shown.flatMap((plan, index) =>
      canOrder ? planBlocks(plan, index, query) : [section(planLines(plan, []))],
    ),
    ...unitsNote(part.shown),
    context(pageIndicator(answer.value)),
    ...buttonRow([...pagingButtons(part, planPagingActions), ...others]),
  ];
}

function buttonRow(buttons: readonly Button[]): KnownBlock[] {
  return buttons.length === 0 ? [] : [actions('esim_plans_paging', ...buttons)];
}

/** A top-up leads back to the status of its eSIM; other plans lead to the lists. */
function otherButtons(use: PlanUse, seesEsims: boolean): Button[] {
  if (use.intent === 'top_up') {
    return use.iccid === undefined
      ? []
      : [
          button(esimActions.statusHere, 'Back to the status', {
            value: JSON.stringify({ iccid: use.iccid }),
          }),
        ];
  }
  return [
    ...(seesEsims ? [button(esimActions.openList, 'All eSIMs')] : []),
    button(esimActions.openCountries, 'Countries'),
  ];
}

function noPlans({ country, type }: PlanQuery) {
  const kind = type === undefined ? '' : type === 'LOCAL' ? 'local ' : 'regional ';
  return country === undefined
    ? mrkdwn`No ${kind}plans on this page.`
    : mrkdwn`No ${kind}plans for *${country.name}*. Choose another country above.`;
}

/** Of a value of a button, of which a plan may take most. */
const maxHomeKept = 3;

function planBlocks(plan: EsimPlan, index: number, { use, country }: PlanQuery): KnownBlock[] {
  const home = use.intent === 'top_up' ? (use.home ?? []) : [];
  const choice: PlanChoice = {
    plan,
    ...(country !== undefined && plan.countries.includes(country.iso3) && { iso3: country.iso3 }),
    ...(use.intent === 'top_up' && use.iccid !== undefined && { iccid: use.iccid }),
    ...(isElsewhere(plan, home) && { home: home.slice(0, maxHomeKept) }),
  };
  const text = section(planLines(plan, home));
  const value = JSON.stringify(choice);
  const buttons = [
    ...(use.intent === 'top_up'
      ? []
      : [button(esimActions.create, 'Create', { value, label: `Create an eSIM: ${plan.name}` })]),
    ...(use.intent === 'create'
      ? []
      : [button(esimActions.topUp, 'Top up', { value, label: `Top up: ${plan.name}` })]),
  ];
  if (value.length > limits.buttonValue) {
    return [text, context(mrkdwn`This plan can’t be ordered from Slack.`)];
  }
  const [only, second] = buttons;
  return only !== undefined && second === undefined
    ? [{ ...text, accessory: only }]
    : [text, actions(`esim_plan_${index}`, ...buttons)];
}

/** Reads the filters from the fields of the view. */
export function readPlanQuery(values: FormValues, metadata: unknown, position: PagePosition): PlanQuery {
  const type = planTypeSchema.safeParse(values.esim_type?.text).data;
  return {
    use: planUseSchema.parse(metadata),
    country: countryNamed(values.esim_country?.text ?? ''),
    type,
    position,
  };
}

export function planFilterOf({ country, type, position }: PlanQuery): PlanFilter {
  return { country, type, page: position.page };
}
