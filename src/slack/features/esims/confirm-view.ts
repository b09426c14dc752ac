import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { priceOf } from '../../../services/esims/esim-plans.ts';
import { facts, input, modal, section } from '../../block-kit/build.ts';
import { countrySearch, countrySelect } from '../../block-kit/inputs/country-search.ts';
import { esimInput } from '../../block-kit/inputs/esim-input.ts';
import { performingView } from '../../block-kit/loading-view.ts';
import { formatMoney } from '../../block-kit/plural.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { elsewhereRemark, planCountries, planFacts, unitsNote } from './plan-text.ts';
import { choiceSchema } from './plans-view.ts';

export const confirmCallback = 'esim_confirm';
export const orderCountryAction = 'esim_order_country';

/** The order to confirm. `key` is the idempotency key of the one order that the form places. */
export const confirmMetadata = z.object({
  intent: z.enum(['create', 'top_up']),
  key: z.string(),
  choice: choiceSchema,
});
export type Confirmation = z.infer<typeof confirmMetadata>;

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
      ...(plan.countries.length === 0 ? [] : [section(mrkdwn`*Works in*\n${planCountries(plan)}`)]),
      ...(intent === 'create' ? [] : [esimBlock(iccid)]),
      ...(remark === undefined ? [] : [{ ...section(remark), block_id: 'esim_elsewhere' }]),
      ...countryBlocks(confirmation),
      section(charge(confirmation)),
    ],
  });
}

function esimBlock(iccid: string | undefined): KnownBlock {
  return iccid === undefined ? esimInput('esim', { dispatch: true }) : section(mrkdwn`*eSIM*\n\`${iccid}\``);
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
  | { kind: 'invalid'; faults: Record<string, string> };

/** Reads the order: the choice that the form shows, with the fields that were filled in. */
export function readOrder(values: FormValues, { intent, choice }: Confirmation): ReadOrder {
  const [only, ...others] = choice.plan.countries;
  const country = values.country?.text ?? (others.length === 0 ? only : undefined);
  const iso3 = country !== undefined && /^[A-Z]{3}$/.test(country) ? country : undefined;
  if (intent === 'create') {
    return { kind: 'create', iso3 };
  }
  const iccid = choice.iccid ?? values.esim?.text;
  return iso3 === undefined || iccid === undefined
    ? {
        kind: 'invalid',
        faults: {
          ...(iso3 === undefined ? { country: 'Choose a country.' } : {}),
          ...(iccid === undefined ? { esim: 'Choose an eSIM.' } : {}),
        },
      }
    : { kind: 'top_up', iso3, iccid };
}

export function orderingView(intent: Confirmation['intent']): ModalView {
  return intent === 'create'
    ? performingView('New eSIM', 'Creating the eSIM…', 'bought')
    : performingView('eSIM top-up', 'Topping up the eSIM…', 'bought');
}
