import type { ModalView } from '@slack/types';
import {
  type DeliveryRuleName,
  deliveryRuleNames,
  deliveryRules,
  knownSince,
} from '../../../domain/deliveries/delivery-rules.ts';
import { banner, context, input, modal, option, section } from '../../block-kit/build.ts';
import { dayFor, type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';

export const deliveryChecksCallback = 'delivery_checks';
export const openDeliveryChecksAction = 'delivery_checks_open';

const checksBlock = 'delivery_checks';

/** Which rules the check before a send goes by. */
export function deliveryChecksView(off: readonly DeliveryRuleName[], said?: Markup): ModalView {
  const offered = deliveryRuleNames.map((name) => ({
    name,
    choice: option(deliveryRules[name].title, name, deliveryRules[name].meaning),
  }));
  const ticked = offered.filter(({ name }) => !off.includes(name)).map(({ choice }) => choice);
  return modal({
    callbackId: deliveryChecksCallback,
    title: 'Delivery checks',
    submit: 'Save',
    blocks: [
      ...banner(said),
      section(
        mrkdwn`Networks in Nigeria may drop a message that the provider has accepted. A review warns of what is ticked here. A warning never stops a send.`,
      ),
      input(
        checksBlock,
        'Warn of',
        {
          type: 'checkboxes',
          action_id: checksBlock,
          options: offered.map(({ choice }) => choice),
          ...(ticked.length === 0 ? {} : { initial_options: ticked }),
        },
        { optional: true },
      ),
      context(mrkdwn`Last updated: ${dayFor(new Date(knownSince))}. Networks change their filters.`),
    ],
  });
}

/** Returns the rules that are not ticked. */
export function readDeliveryChecks(values: FormValues): DeliveryRuleName[] {
  const ticked = values[checksBlock]?.ticked ?? [];
  return deliveryRuleNames.filter((name) => !ticked.includes(name));
}
