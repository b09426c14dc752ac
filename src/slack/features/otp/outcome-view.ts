import type { KnownBlock, ModalView } from '@slack/types';
import type { Secret } from '../../../lib/secret.ts';
import { type OtpWay, otpSummarySchema, verifiableWays } from '../../../services/otp/otp-service.ts';
import type { Operation } from '../../../store/operations/ledger.ts';
import { actions, button, context, notice, section } from '../../block-kit/build.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { type Markup, mrkdwn, timeFor, userMention } from '../../block-kit/text.ts';
import type { OutcomeRenderer } from '../../notifier/outcome-notifier.ts';

export const verifyAction = 'otp_verify';

/** How a code's send ended. `shown` is an in-app token: it stands here once and nowhere else. */
export function codeOutcomeView(operation: Operation, shown?: Secret): ModalView {
  const title = operation.state === 'accepted' ? 'Done' : titles[operation.state];
  return notice(title, ...outcomeBlocks(operation, shown), ...verifyButton(operation));
}

const titles = {
  underway: 'Still under way',
  rejected: 'Not sent',
  not_sent: 'Not sent',
  unconfirmed: 'Not confirmed',
} as const;

export const codeRenderer: OutcomeRenderer = {
  forUser: (operation) =>
    message(words(operation), [...outcomeBlocks(operation), ...verifyButton(operation)]),
  forChannel: (operation): SlackMessage =>
    message(words(operation), [
      ...outcomeBlocks(operation),
      context(mrkdwn`By ${userMention(operation.userId)} with Switchboard`),
    ]),
  line: (operation) => {
    const { way, to } = otpSummarySchema.parse(operation.summary);
    return mrkdwn`One-time code for ${to} · ${wayNames[way]}`;
  },
};

export const wayNames: Record<OtpWay, string> = {
  sms: 'SMS',
  voice: 'voice call',
  email: 'e-mail',
  chat: 'chat app',
  in_app: 'in-app token',
};

function outcomeBlocks(operation: Operation, shown?: Secret): KnownBlock[] {
  const { minutes } = otpSummarySchema.parse(operation.summary);
  const id = operation.providerId === undefined ? mrkdwn`` : mrkdwn` · id \`${operation.providerId}\``;
  return [
    section(words(operation, shown)),
    context(mrkdwn`Good for ${minutes} minutes${id} · ${timeFor(operation.endedAt ?? operation.createdAt)}`),
  ];
}

function words(operation: Operation, shown?: Secret): Markup {
  const { way, to } = otpSummarySchema.parse(operation.summary);
  const name = wayNames[way];
  switch (operation.state) {
    case 'underway':
      return mrkdwn`:hourglass_flowing_sand: *Still under way.* The code for ${to} is being sent by ${name}.`;
    case 'accepted':
      return accepted(way, to, shown);
    case 'rejected':
      return mrkdwn`:x: *The provider refused the code* for ${to} by ${name}. Nothing was sent. ${operation.error?.message}`;
    case 'not_sent':
      return mrkdwn`:x: *The code for ${to} was not sent.* ${operation.error?.message}`;
    case 'unconfirmed':
      return mrkdwn`:warning: *Unconfirmed: the code for ${to} may have been sent* by ${name}. ${operation.error?.message} It is not sent again by itself: ask the customer before you send another.`;
  }
}

function accepted(way: OtpWay, to: string, shown?: Secret): Markup {
  if (way === 'in_app') {
    return shown === undefined
      ? mrkdwn`:white_check_mark: *A token for ${to} was made.* It was shown once, to the person who asked for it, and is not kept. Only the provider can verify it.`
      : mrkdwn`:white_check_mark: The token for ${to} is *\`${shown.reveal()}\`*. It is shown this once and is not kept. Only the provider can verify it.`;
  }
  const next =
    way === 'sms'
      ? mrkdwn`Only the provider can verify it.`
      : mrkdwn`Ask the customer to read it back, and press *Verify*.`;
  return mrkdwn`:white_check_mark: *The provider accepted the code* for ${to} by ${wayNames[way]}. ${next}`;
}

/** A code that may have arrived can be read back, and so verified. */
function verifyButton(operation: Operation): KnownBlock[] {
  const { way } = otpSummarySchema.parse(operation.summary);
  const mayHaveArrived = operation.state === 'accepted' || operation.state === 'unconfirmed';
  return verifiableWays.has(way) && mayHaveArrived
    ? [actions('otp_verify', button(verifyAction, 'Verify', { value: operation.key, style: 'primary' }))]
    : [];
}
