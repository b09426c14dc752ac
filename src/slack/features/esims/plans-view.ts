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
import {
  type PagePosition,
  pageIndicator,
  pagingButtons,
  viewPageOf,
} from '../../block-kit/paging/page-position.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { esimActions } from './actions.ts';
import { planLines, unitsNote } from './plan-text.ts';

export const plansCallback = 'esim_plans';
export const planCountryAction = 'esim_country';
export const planTypeAction = 'esim_type';
export const turnPlans = { previous: 'esim_plans_previous', next: 'esim_plans_next' } as const;

/** What the plans are looked at for; the eSIM to be topped up is known or will be asked for. */
export const planUseSchema = z.union([
  z.object({ deed: z.enum(['any', 'create']) }),
  z.object({ deed: z.literal('top_up'), iccid: z.string().exactOptional() }),
]);
export type PlanUse = z.infer<typeof planUseSchema>;

/** What is asked for, and what for. */
export interface PlanQuestion {
  use: PlanUse;
  country?: NamedCountry | undefined;
  type?: PlanType | undefined;
  position: PagePosition;
}

/** What the button of a plan carries on to the confirmation. */
export const choiceSchema = z.object({
  plan: esimPlanSchema,
  /** The country that was looked for, alpha-3. */
  iso3: z.string().exactOptional(),
  iccid: z.string().exactOptional(),
});
export type PlanChoice = z.infer<typeof choiceSchema>;

const title = 'eSIM plans';
const anyType = option('Any type', 'any');
const typeOptions = [anyType, option('Local', 'LOCAL'), option('Regional', 'REGION')];
/** Each takes two of the hundred blocks that a view may have. */
const plansShown = 15;

/** The plans, a page at a time, under the filters they were asked by. */
export function plansView(question: PlanQuestion, answer: ProviderAnswer<PlanPage> | 'loading'): ModalView {
  const { use, country, type } = question;
  return modal({
    callbackId: plansCallback,
    title: use.deed === 'top_up' ? 'Top up an eSIM' : title,
    submit: 'Show plans',
    metadata: use,
    blocks: [
      ...(use.deed === 'top_up' && use.iccid !== undefined
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
      ...(answer === 'loading'
        ? [section(mrkdwn`:hourglass_flowing_sand: Asking the provider…`)]
        : content(question, answer)),
    ],
  });
}

function content(question: PlanQuestion, answer: ProviderAnswer<PlanPage>): KnownBlock[] {
  const others = waysOn(question.use);
  if (answer.kind !== 'answered') {
    const why =
      answer.kind === 'failed' ? mrkdwn`:x: ${answer.error.message}` : mrkdwn`No provider key is connected.`;
    return [section(why), ...buttonRow(others)];
  }
  const { plans, last, deprecated } = answer.value;
  const part = viewPageOf(plans, question.position, { last, most: plansShown });
  return [
    ...(deprecated
      ? [
          context(
            mrkdwn`:information_source: From the provider’s older list, which has no prices: the current one is not there.`,
          ),
        ]
      : []),
    ...(part.shown.length === 0 ? [section(nothing(question))] : []),
    ...part.shown.flatMap((plan, index) => planBlocks(plan, index, question)),
    ...(part.shown.length === 0 ? [] : [context(unitsNote)]),
    context(pageIndicator(answer.value)),
    ...buttonRow([...pagingButtons(part, turnPlans), ...others]),
  ];
}

function buttonRow(buttons: readonly Button[]): KnownBlock[] {
  return buttons.length === 0 ? [] : [actions('esim_plans_paging', ...buttons)];
}

/** From a top-up one goes back to the eSIM that it is for, so that the choice of it is not lost on the way. */
function waysOn(use: PlanUse): Button[] {
  if (use.deed === 'top_up') {
    return use.iccid === undefined
      ? []
      : [
          button(esimActions.statusHere, 'Back to its status', {
            value: JSON.stringify({ iccid: use.iccid }),
          }),
        ];
  }
  return [button(esimActions.openList, 'All eSIMs'), button(esimActions.openCountries, 'Countries')];
}

function nothing({ country, type }: PlanQuestion) {
  const of = type === undefined ? '' : type === 'LOCAL' ? 'local ' : 'regional ';
  return country === undefined
    ? mrkdwn`There are no ${of}plans on this page.`
    : mrkdwn`There are no ${of}plans for *${country.name}*. *Countries* lists where there are some.`;
}

function planBlocks(plan: EsimPlan, index: number, { use, country }: PlanQuestion): KnownBlock[] {
  const choice: PlanChoice = {
    plan,
    ...(country !== undefined && plan.countries.includes(country.iso3) && { iso3: country.iso3 }),
    ...(use.deed === 'top_up' && use.iccid !== undefined && { iccid: use.iccid }),
  };
  const text = section(planLines(plan));
  const value = JSON.stringify(choice);
  const buttons = [
    ...(use.deed === 'top_up'
      ? []
      : [button(esimActions.create, 'Create', { value, label: `Create an eSIM: ${plan.name}` })]),
    ...(use.deed === 'create'
      ? []
      : [button(esimActions.topUp, 'Top up', { value, label: `Top up: ${plan.name}` })]),
  ];
  if (value.length > limits.buttonValue) {
    return [text, context(mrkdwn`This plan’s data is too long to be ordered from here.`)];
  }
  const [only, second] = buttons;
  return only !== undefined && second === undefined
    ? [{ ...text, accessory: only }]
    : [text, actions(`esim_plan_${index}`, ...buttons)];
}

/** The filters as they stand in the view. */
export function readQuestion(values: FormValues, metadata: unknown, position: PagePosition): PlanQuestion {
  const type = planTypeSchema.safeParse(values.esim_type?.text).data;
  return {
    use: planUseSchema.parse(metadata),
    country: countryNamed(values.esim_country?.text ?? ''),
    type,
    position,
  };
}

export function filterOf({ country, type, position }: PlanQuestion): PlanFilter {
  return { country, type, page: position.page };
}
