import type { KnownBlock, ModalView } from '@slack/types';
import type { Secret } from '../../../lib/secret.ts';
import { isVerifiable, otpSummarySchema } from '../../../services/otp/otp-service.ts';
import type { MessageDelivery } from '../../../store/deliveries/deliveries.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import { actions, button, context, notice, section } from '../../block-kit/build.ts';
import { describeArrival } from '../../block-kit/descriptions/deliveries.ts';
import { failureLines, outcomeTitle } from '../../block-kit/descriptions/outcome.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { operationIcons, stateIcons } from '../../block-kit/state-icons.ts';
import { joinInline, type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import { type LastModal, lastModalBlocks, lastModalSteps } from '../../middleware/last-modal.ts';
import { createOutcomeRenderer } from '../../notifier/outcome-renderer.ts';
import { verifyAction } from './verify.ts';
import { cannotVerify, wayNames } from './way-texts.ts';

/** The outcome of sending a code. `shown` is an in-app token, which is shown here once and nowhere else. */
export function codeOutcomeView(operation: Operation, shown?: Secret, modal?: LastModal): ModalView {
  return notice(
    titleOf(operation),
    section(outcomeText(operation, [], shown)),
    ...outcomeDetails(operation),
    ...lastModalBlocks(operation, modal),
    ...lastModalSteps(verifyButton(operation), operation, modal),
  );
}

const inAppToken = 'In-app token';

function titleOf({ state, summary }: Operation): string {
  const { way } = otpSummarySchema.parse(summary);
  if (way === 'in_app') {
    return state === 'accepted' ? inAppToken : outcomeTitle(inAppToken, state);
  }
  return outcomeTitle('Code', state);
}

export const codeRenderer = createOutcomeRenderer({
  text: outcomeText,
  details: outcomeDetails,
  nextSteps: verifyButton,
  line: (operation) => {
    const { way, to } = otpSummarySchema.parse(operation.summary);
    return mrkdwn`One-time code for ${to} · ${wayNames[way]}`;
  },
});

function outcomeDetails(operation: Operation): KnownBlock[] {
  const { state, providerId, endedAt, createdAt, summary } = operation;
  const { minutes } = otpSummarySchema.parse(summary);
  const exists = state !== 'rejected' && state !== 'not_sent';
  return [
    context(
      joinInline([
        ...(exists ? [mrkdwn`Expires after ${pluralize(minutes, 'minute')}`] : []),
        ...(providerId === undefined ? [] : [mrkdwn`id \`${providerId}\``]),
        timeFor(endedAt ?? createdAt),
      ]),
    ),
  ];
}

function outcomeText(operation: Operation, deliveries: readonly MessageDelivery[], shown?: Secret): Markup {
  const { way, to } = otpSummarySchema.parse(operation.summary);
  const name = wayNames[way];
  switch (operation.state) {
    case 'underway':
      return mrkdwn`${operationIcons.underway} *In progress.* The code for ${to} is being sent by ${name}.`;
    case 'accepted':
      return accepted(operation, deliveries, shown);
    default:
      return failureLines(operation, operation.state, {
        subject: mrkdwn`The code for ${to} by ${name}`,
        done: way === 'in_app' ? 'made' : 'sent',
        check: 'Ask the customer before you send another code.',
      });
  }
}

function accepted(operation: Operation, deliveries: readonly MessageDelivery[], shown?: Secret): Markup {
  const { way, to } = otpSummarySchema.parse(operation.summary);
  if (way === 'in_app') {
    return shown === undefined
      ? mrkdwn`${stateIcons.done} *Token for ${to} made.* It was shown once, to the person who asked, and is not kept.`
      : mrkdwn`${stateIcons.done} The token for ${to} is *\`${shown.reveal()}\`*. It is shown only now and is not kept. ${cannotVerify}`;
  }
  const next = isVerifiable(operation)
    ? mrkdwn`Ask the customer to read the code back, and press *Verify*.`
    : cannotVerify;
  const { icon, word, end } = describeArrival({ deliveries, recipients: 1 });
  const known = deliveries.length === 0 ? mrkdwn`.` : end;
  const isLost = word === 'Not delivered';
  return mrkdwn`${icon} *${word}:* code for ${to} by ${wayNames[way]}${known}${isLost ? mrkdwn`` : mrkdwn` ${next}`}`;
}

/** A code that may have reached the customer can be verified. */
function verifyButton(operation: Operation): KnownBlock[] {
  return isVerifiable(operation)
    ? [actions('otp_verify', button(verifyAction, 'Verify', { value: operation.key, style: 'primary' }))]
    : [];
}
