import type { ModalView } from '@slack/types';
import {
  type DeliveryRuleName,
  deliveryRuleNames,
  deliveryRules,
  knownSince,
} from '../../../domain/deliveries/delivery-rules.ts';
import { banner, context, modal, option, section } from '../../block-kit/build.ts';
import { tickInput } from '../../block-kit/inputs/fields.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { dayFor, type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { Router } from '../../middleware/router/router.ts';

/** Which rules the check before a send goes by. Only admins may change them. */
export function registerDeliveryChecks(router: Router, { services: { workspaces } }: AppContext): void {
  router.action(openDeliveryChecksAction, 'administer', async (call) => {
    await call.push(deliveryChecksView(await workspaces.rulesOff(call.user.workspaceId)));
  });

  router.submission(deliveryChecksCallback, 'administer', async ({ user, values }) => {
    const off = readDeliveryChecks(values);
    await workspaces.saveRulesOff(user.workspaceId, off);
    return { view: deliveryChecksView(off, mrkdwn`${stateIcons.done} Saved.`) };
  });
}

const deliveryChecksCallback = 'delivery_checks';
export const openDeliveryChecksAction = 'delivery_checks_open';

const checksBlock = 'delivery_checks';

/** Which rules the check before a send goes by. */
export function deliveryChecksView(off: readonly DeliveryRuleName[], said?: Markup): ModalView {
  return modal({
    callbackId: deliveryChecksCallback,
    title: 'Delivery checks',
    submit: 'Save',
    blocks: [
      ...banner(said),
      section(
        mrkdwn`Networks in Nigeria may drop a message that the provider has accepted. A review warns of what is ticked here. A warning never stops a send.`,
      ),
      tickInput(
        checksBlock,
        'Warn of',
        deliveryRuleNames.map((name) => [
          option(deliveryRules[name].title, name, deliveryRules[name].meaning),
          !off.includes(name),
        ]),
      ),
      context(mrkdwn`Last updated: ${dayFor(new Date(knownSince))}. Networks change their filters.`),
    ],
  });
}

/** Returns the rules that are not ticked. */
function readDeliveryChecks(values: FormValues): DeliveryRuleName[] {
  const ticked = values[checksBlock]?.ticked ?? [];
  return deliveryRuleNames.filter((name) => !ticked.includes(name));
}
