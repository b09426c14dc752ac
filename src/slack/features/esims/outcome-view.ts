import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { type OrderedEsim, orderSummarySchema } from '../../../services/esims/esim-orders.ts';
import type { Operation } from '../../../store/operations/ledger.ts';
import { actions, button, context, facts, notice, section } from '../../block-kit/build.ts';
import { countryLabel } from '../../block-kit/inputs/country-search.ts';
import type { EsimRef } from '../../block-kit/inputs/esim-input.ts';
import { message } from '../../block-kit/message.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import type { OutcomeRenderer } from '../../notifier/outcome-notifier.ts';
import { esimActions } from './actions.ts';

/** How an order ended, with the eSIM in full and the next steps, for the person who made it. */
export function orderOutcomeView(operation: Operation, esim: OrderedEsim | undefined): ModalView {
  const ref = esim === undefined ? undefined : { iccid: esim.iccid };
  return notice(
    titleOf(operation),
    section(words(operation)),
    ...(esim === undefined ? [] : [describeEsim(esim)]),
    context(details(operation)),
    ...nextSteps(operation, ref, esimActions.statusHere),
  );
}

/** The words for messages, which have only the end of the ICCID; their buttons find the eSIM by its order. */
export const esimRenderer: OutcomeRenderer = {
  forUser: (operation) =>
    message(words(operation), [
      section(words(operation)),
      context(details(operation)),
      ...nextSteps(operation, { order: operation.key }, esimActions.status),
    ]),
  forChannel: (operation) =>
    message(words(operation), [
      section(words(operation)),
      context(details(operation)),
      context(mrkdwn`By ${userMention(operation.userId)} with Switchboard`),
    ]),
  line: (operation) => {
    const { plan, price, iccid } = orderSummarySchema.parse(operation.summary);
    const what = iccid === undefined ? mrkdwn`New eSIM` : mrkdwn`Top-up of the eSIM ${iccid}`;
    return mrkdwn`${what} · ${plan}${price === undefined ? '' : ` · ${price}`}`;
  },
};

const stopped = 'The program stopped before the provider answered.';

function titleOf({ kind, state }: Operation): string {
  switch (state) {
    case 'underway':
      return 'Still under way';
    case 'accepted':
      return kind === 'esim.create' ? 'Created' : 'Topped up';
    case 'rejected':
    case 'not_sent':
      return kind === 'esim.create' ? 'Not created' : 'Not topped up';
    case 'unconfirmed':
      return 'Not confirmed';
  }
}

function words(operation: Operation): Markup {
  return operation.kind === 'esim.create' ? wordsOfCreation(operation) : wordsOfTopUp(operation);
}

function wordsOfCreation(operation: Operation): Markup {
  const { plan } = orderSummarySchema.parse(operation.summary);
  const { state, error, providerId } = operation;
  switch (state) {
    case 'underway':
      return mrkdwn`:hourglass_flowing_sand: *Still under way:* an eSIM with *${plan}*.`;
    case 'accepted':
      return mrkdwn`:white_check_mark: *The eSIM${providerId === undefined ? '' : ` ${providerId}`} is created*, with *${plan}*. Hand over its QR image, or the install details where the phone cannot scan.`;
    case 'rejected':
      return mrkdwn`:x: *The provider refused to create an eSIM* with *${plan}*. Nothing was bought. ${error?.message}`;
    case 'not_sent':
      return mrkdwn`:x: *No eSIM was created.* ${error?.message}`;
    case 'unconfirmed':
      return mrkdwn`:warning: *Unconfirmed: an eSIM with ${plan} may have been created.* ${error?.message ?? stopped} It is not created again by itself: look whether it stands in the list before you do.`;
  }
}

function wordsOfTopUp(operation: Operation): Markup {
  const { plan, iccid } = orderSummarySchema.parse(operation.summary);
  const { state, error } = operation;
  switch (state) {
    case 'underway':
      return mrkdwn`:hourglass_flowing_sand: *Still under way:* *${plan}* for the eSIM ${iccid}.`;
    case 'accepted':
      return mrkdwn`:white_check_mark: *The eSIM ${iccid} is topped up* with *${plan}*.`;
    case 'rejected':
      return mrkdwn`:x: *The provider refused to top up the eSIM ${iccid}* with *${plan}*. Nothing was bought. ${error?.message}`;
    case 'not_sent':
      return mrkdwn`:x: *The eSIM ${iccid} was not topped up.* ${error?.message}`;
    case 'unconfirmed':
      return mrkdwn`:warning: *Unconfirmed: the eSIM ${iccid} may have been topped up* with *${plan}*. ${error?.message ?? stopped} It is not topped up again by itself: look at its status before you do.`;
  }
}

function describeEsim({ iccid, state }: OrderedEsim): SectionBlock {
  return facts(
    ['ICCID', mrkdwn`\`${iccid}\``],
    ...(state === undefined ? [] : [['State', mrkdwn`\`${state}\``] as const]),
  );
}

function details(operation: Operation): Markup {
  const { price, country } = orderSummarySchema.parse(operation.summary);
  const parts = [
    ...(price === undefined ? [] : [mrkdwn`${price}`]),
    ...(country === undefined ? [] : [mrkdwn`${countryLabel(country)}`]),
    timeFor(operation.endedAt ?? operation.createdAt),
  ];
  return parts.reduce((all, part) => mrkdwn`${all} · ${part}`);
}

/** A creation that is not confirmed has no ICCID: the list shows whether there is a new eSIM. */
function nextSteps(operation: Operation, ref: EsimRef | undefined, statusAction: string): KnownBlock[] {
  const { kind, state } = operation;
  const isCreation = kind === 'esim.create';
  const value = JSON.stringify(ref);
  const list = button(esimActions.openList, 'All eSIMs');
  if (state === 'accepted' && ref !== undefined) {
    return [
      actions(
        'esim_next',
        ...(isCreation
          ? [
              button(esimActions.qrImage, 'QR image', { value, style: 'primary' }),
              button(esimActions.installation, 'Install details', { value }),
            ]
          : []),
        button(statusAction, 'Status', { value }),
      ),
    ];
  }
  if (state === 'unconfirmed') {
    const status = ref === undefined ? list : button(statusAction, 'Status', { value });
    return [actions('esim_next', isCreation ? list : status)];
  }
  return state === 'accepted' ? [actions('esim_next', list)] : [];
}
