import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { priceOf } from '../../../services/esims/esim-plans.ts';
import { context, facts, input, modal, notice, section } from '../../block-kit/build.ts';
import { countrySearch, countrySelect } from '../../block-kit/inputs/country-search.ts';
import { esimInput } from '../../block-kit/inputs/esim-input.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import { planCountries, planFacts, unitsNote } from './plan-text.ts';
import { choiceSchema } from './plans-view.ts';

export const confirmCallback = 'esim_confirm';
export const orderCountryAction = 'esim_order_country';

/** What is to be confirmed. `key` is that of the one order that this form makes. */
export const confirmMetadata = z.object({
  deed: z.enum(['create', 'top_up']),
  key: z.string(),
  choice: choiceSchema,
});
export type Confirmation = z.infer<typeof confirmMetadata>;

const confirmBlocks = { country: 'esim_order_country', esim: 'esim_order_esim' } as const;

/** The last look before money is spent: what is bought, for what, at what price. */
export function confirmView(confirmation: Confirmation): ModalView {
  const { deed, choice } = confirmation;
  const { plan, iccid } = choice;
  return modal({
    callbackId: confirmCallback,
    title: deed === 'create' ? 'Create this eSIM?' : 'Top up this eSIM?',
    submit: deed === 'create' ? 'Create' : 'Top up',
    close: 'Cancel',
    notifyOnClose: true,
    metadata: confirmation,
    blocks: [
      section(mrkdwn`*${plan.name}*`),
      facts(...planFacts(plan)),
      context(unitsNote),
      ...(plan.countries.length === 0 ? [] : [section(mrkdwn`*Works in*\n${planCountries(plan)}`)]),
      ...(deed === 'create' ? [] : [esimBlock(iccid)]),
      ...countryBlocks(confirmation),
      section(charge(confirmation)),
    ],
  });
}

function esimBlock(iccid: string | undefined): KnownBlock {
  return iccid === undefined ? esimInput(confirmBlocks.esim) : section(mrkdwn`*eSIM*\n\`${iccid}\``);
}

/** The provider wants a country named; it is asked for where the plan leaves it open. */
function countryBlocks(confirmation: Confirmation): InputBlock[] {
  const { deed, choice } = confirmation;
  const { countries } = choice.plan;
  if (countries.length > 1) {
    return [
      input(confirmBlocks.country, 'Country', countrySelect(orderCountryAction, countries, choice.iso3), {
        hint: 'The provider wants one named. The plan works in all of its countries.',
      }),
    ];
  }
  return countries.length === 0 && deed === 'top_up'
    ? [countrySearch(confirmBlocks.country, orderCountryAction, undefined, {})]
    : [];
}

function charge({ deed, choice }: Confirmation): Markup {
  const price = priceOf(choice.plan);
  const what = deed === 'create' ? mrkdwn`A new eSIM with this plan` : mrkdwn`This plan`;
  return price === undefined
    ? mrkdwn`${what} costs what the provider asks for it: its list does not show the price. It is charged to the account’s balance, and cannot be taken back.`
    : mrkdwn`${what} costs *${price}*. It is charged to the account’s balance, and cannot be taken back.`;
}

type ReadOrder =
  | { kind: 'create'; iso3: string | undefined }
  | { kind: 'top_up'; iso3: string; iccid: string }
  | { kind: 'faulty'; faults: Record<string, string> };

/** What is ordered: the choice that the form shows, with what was filled in. */
export function readOrder(values: FormValues, { deed, choice }: Confirmation): ReadOrder {
  const [only, ...others] = choice.plan.countries;
  const country = values[confirmBlocks.country]?.text ?? (others.length === 0 ? only : undefined);
  const iso3 = country !== undefined && /^[A-Z]{3}$/.test(country) ? country : undefined;
  if (deed === 'create') {
    return { kind: 'create', iso3 };
  }
  const iccid = choice.iccid ?? values[confirmBlocks.esim]?.text;
  return iso3 === undefined || iccid === undefined
    ? {
        kind: 'faulty',
        faults: {
          ...(iso3 === undefined ? { [confirmBlocks.country]: 'Choose a country.' } : {}),
          ...(iccid === undefined ? { [confirmBlocks.esim]: 'Choose an eSIM.' } : {}),
        },
      }
    : { kind: 'top_up', iso3, iccid };
}

export function orderingView(deed: Confirmation['deed']): ModalView {
  const what = deed === 'create' ? mrkdwn`Creating the eSIM…` : mrkdwn`Topping the eSIM up…`;
  return notice(
    deed === 'create' ? 'Create an eSIM' : 'Top up an eSIM',
    section(
      mrkdwn`:hourglass_flowing_sand: ${what} You may close this: the outcome also comes to you as a message.`,
    ),
  );
}
