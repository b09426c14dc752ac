import type { KnownBlock, ModalView, SectionBlock } from '@slack/types';
import { type OrderedEsim, orderSummarySchema } from '../../../services/esims/esim-orders.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import { actions, button, context, facts, notice, section } from '../../block-kit/build.ts';
import { failureLines } from '../../block-kit/descriptions/outcome.ts';
import { countryLabel } from '../../block-kit/inputs/countries.ts';
import type { EsimRef } from '../../block-kit/inputs/selects.ts';
import { formatMoney } from '../../block-kit/plural.ts';
import { operationIcons } from '../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import { type LastModal, lastModalBlocks } from '../../middleware/last-modal.ts';
import { createOutcomeRenderer } from '../../notifier/outcome-renderer.ts';
import { esimActions } from './actions.ts';

/** The outcome of an order, with the full ICCID and the next steps, for the user who placed it. */
export function orderOutcomeView(
  operation: Operation,
  esim: OrderedEsim | undefined,
  modal?: LastModal,
): ModalView {
  const ref = esim === undefined ? undefined : { iccid: esim.iccid };
  return notice(
    titleOf(operation),
    section(outcomeText(operation)),
    ...(esim === undefined ? [] : [describeEsim(esim)]),
    context(details(operation)),
    ...nextSteps(operation, ref, esimActions.statusHere),
    ...lastModalBlocks(operation, modal),
  );
}

/** For messages, which have only the end of the ICCID; their buttons find the eSIM by its order. */
export const esimRenderer = createOutcomeRenderer({
  text: outcomeText,
  details: (operation) => [context(details(operation))],
  nextSteps: (operation) => nextSteps(operation, { order: operation.key }, esimActions.status),
  line: (operation) => {
    const { plan, price, iccid } = orderSummarySchema.parse(operation.summary);
    const subject = iccid === undefined ? mrkdwn`New eSIM` : mrkdwn`Top-up of the eSIM ${iccid}`;
    return mrkdwn`${subject} · ${plan}${price === undefined ? '' : ` · ${formatMoney(price)}`}`;
  },
});

function titleOf({ kind, state }: Operation): string {
  const isCreation = kind === 'esim.create';
  switch (state) {
    case 'underway':
      return isCreation ? 'eSIM' : 'Top-up';
    case 'accepted':
      return isCreation ? 'eSIM created' : 'eSIM topped up';
    case 'rejected':
      return isCreation ? 'eSIM rejected' : 'Top-up rejected';
    case 'not_sent':
      return isCreation ? 'eSIM not created' : 'eSIM not topped up';
    case 'unconfirmed':
      return isCreation ? 'eSIM unconfirmed' : 'Top-up unconfirmed';
  }
}

function outcomeText(operation: Operation): Markup {
  return operation.kind === 'esim.create' ? creationText(operation) : topUpText(operation);
}

function creationText(operation: Operation): Markup {
  const { plan } = orderSummarySchema.parse(operation.summary);
  const { state, providerId } = operation;
  switch (state) {
    case 'underway':
      return mrkdwn`${operationIcons.underway} *In progress:* an eSIM with *${plan}*.`;
    case 'accepted':
      return mrkdwn`${operationIcons.accepted} *The eSIM${providerId === undefined ? '' : ` ${providerId}`} is created*, with *${plan}*. Share the QR image, or the install details if the phone can’t scan.`;
    default:
      return failureLines(operation, state, {
        subject: mrkdwn`The eSIM with *${plan}*`,
        done: 'created',
        check: 'Look in the list of eSIMs before you create another one.',
      });
  }
}

function topUpText(operation: Operation): Markup {
  const { plan, iccid } = orderSummarySchema.parse(operation.summary);
  const { state } = operation;
  switch (state) {
    case 'underway':
      return mrkdwn`${operationIcons.underway} *In progress:* *${plan}* for the eSIM ${iccid}.`;
    case 'accepted':
      return mrkdwn`${operationIcons.accepted} *The eSIM ${iccid} is topped up* with *${plan}*.`;
    default:
      return failureLines(operation, state, {
        subject: mrkdwn`The eSIM ${iccid}`,
        done: 'topped up',
        check: 'Look at the status of the eSIM before you top it up again.',
      });
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
    ...(price === undefined ? [] : [mrkdwn`${formatMoney(price)}`]),
    ...(country === undefined ? [] : [mrkdwn`${countryLabel(country)}`]),
    timeFor(operation.endedAt ?? operation.createdAt),
  ];
  return joinInline(parts);
}

/** An unconfirmed creation has no ICCID, so it leads to the list of eSIMs. */
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
