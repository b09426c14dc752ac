import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { describeReason } from '../../../provider/response/error-messages.ts';
import type { UnansweredVerification, Verification } from '../../../services/otp/codes.ts';
import { otpSummarySchema } from '../../../services/otp/otp-service.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import { actions, button, loadingView, modal, notice, option, section } from '../../block-kit/build.ts';
import { selectInput, textInput } from '../../block-kit/inputs/fields.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { answerWhenReady, type FormResult } from '../../middleware/forms/answer-when-ready.ts';
import { notConnectedError } from '../../middleware/not-performed.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { wayNames } from './way-texts.ts';

/** The form for the code that a customer reads back. */
export function registerVerification(router: Router, { services: { otp } }: AppContext): void {
  router.action(verifyAction, 'send', async ({ user, value, show }) => {
    await show(verifyView(await otp.listVerifiable(user.workspaceId, user.userId), value));
  });

  router.submission(verifyCallback, 'send', async ({ user, values, metadata, beforeAckDeadline }) => {
    const key = verifyMetadata.parse(metadata).key ?? values.otp_which?.text ?? '';
    const typed = values.otp_typed?.text ?? '';
    return answerWhenReady(verify(user, key, typed), {
      beforeAckDeadline,
      loading: verifyingView(),
      secrets: ['otp_typed'],
    });
  });

  async function verify({ workspaceId, userId }: User, key: string, typed: string): Promise<FormResult> {
    const verification = await otp.verify(workspaceId, key, userId, typed);
    switch (verification.kind) {
      case 'not_connected':
        throw notConnectedError('The code was not checked.');
      case 'unanswered':
      case 'unconfirmed':
        return { view: unansweredView(verification, key) };
      default: {
        const retry = retryHint(verification);
        return retry === undefined
          ? { view: verificationView(verification, key) }
          : { errors: { otp_typed: retry } };
      }
    }
  }
}

const verifyCallback = 'otp_verify';
export const verifyAction = 'otp_verify';
/** Opens the form for another code. Its value is the key of the code that was verified. */
export const sendAnotherAction = 'otp_send_another';

/** The idempotency key of the code to verify, if the form was opened for one. */
const verifyMetadata = z.object({ key: z.string().optional() });

/** Eight digits with anything that people write between them. */
const maxTyped = 40;

/** The form for the code that the customer reads back: for the code of `key`, or with a choice of the open ones. */
export function verifyView(codes: readonly Operation[], key?: string): ModalView {
  const one = codes.find((operation) => operation.key === key);
  const options = codes.map((operation) => option(codeName(operation), operation.key));
  return modal({
    callbackId: verifyCallback,
    title: 'Verification',
    submit: 'Verify',
    close: 'Cancel',
    metadata: { key },
    blocks: [
      ...(one === undefined ? [] : [section(mrkdwn`Code for *${codeName(one)}*`)]),
      ...(key !== undefined
        ? []
        : [selectInput('otp_which', 'Sent to', options, { chosen: options[0]?.value })]),
      textInput('otp_typed', 'Code from the customer', '', { maxLength: maxTyped, focus: true }),
    ],
  });
}

export function nothingToVerifyView(verifiesProviderCodes: boolean): ModalView {
  return notice(
    'Verification',
    section(
      verifiesProviderCodes
        ? mrkdwn`You have sent no code in the last hour. You can’t verify in-app tokens in Slack.`
        : mrkdwn`You have sent no code in the last hour. You can’t verify codes made by the provider in Slack: that is off.`,
    ),
  );
}

export function verifyingView(): ModalView {
  return loadingView('Verification', 'The provider is checking the code…');
}

function codeName(operation: Operation): string {
  const { to, way } = otpSummarySchema.parse(operation.summary);
  return `${to}, ${wayNames[way]}`;
}

/** Returns the error beside the field while the code can be tried again, and undefined otherwise. */
function retryHint(verification: Verification): string | undefined {
  switch (verification.kind) {
    case 'malformed':
      return verification.hasLetters
        ? `The code has ${pluralize(verification.length, 'letter or digit', 'letters and digits')}.`
        : `The code has ${pluralize(verification.length, 'digit')}.`;
    case 'wrong':
      return `Wrong: ${pluralize(verification.left, 'attempt')} left.`;
    default:
      return undefined;
  }
}

/** How a verification ended. `key` is that of the code: where it can no longer match, another can be sent. */
export function verificationView(verification: Verification, key: string): ModalView {
  return notice(
    verification.kind === 'match' ? 'Verified' : 'Not verified',
    section(verificationTexts[verification.kind]),
    ...(spent.has(verification.kind) ? [sendAnother(key)] : []),
  );
}

/** That the provider did not say whether the code matches. */
export function unansweredView({ kind, left, error }: UnansweredVerification, key: string): ModalView {
  const attempts = left === 0 ? mrkdwn`No attempts left.` : mrkdwn`${pluralize(left, 'attempt')} left.`;
  const again = button(verifyAction, 'Verify again', { value: key, style: 'primary' });
  const { happened, next } = describeReason(error);
  return notice(
    kind === 'unconfirmed' ? 'Unconfirmed' : 'Not verified',
    section(
      kind === 'unconfirmed'
        ? mrkdwn`${stateIcons.unconfirmed} *Unconfirmed:* the code may or may not have been checked. ${happened} If it was right, it may be used now. ${attempts}`
        : mrkdwn`${stateIcons.failed} *The provider did not check the code.* ${happened} ${next} ${attempts}`,
    ),
    actions(
      'otp_unanswered',
      ...(left === 0 ? [] : [again]),
      button(sendAnotherAction, 'Send another code', { value: key }),
    ),
  );
}

const spent: ReadonlySet<Verification['kind']> = new Set(['expired', 'used_up', 'used']);

function sendAnother(key: string): KnownBlock {
  return actions(
    'otp_another',
    button(sendAnotherAction, 'Send another code', { value: key, style: 'primary' }),
  );
}

const verificationTexts: Record<Verification['kind'], Markup> = {
  match: mrkdwn`${stateIcons.done} *Match.* This code is now used.`,
  malformed: mrkdwn`${stateIcons.failed} *Wrong length.*`,
  wrong: mrkdwn`${stateIcons.failed} *Wrong.*`,
  expired: mrkdwn`:hourglass: *Expired.*`,
  used_up: mrkdwn`${stateIcons.blocked} *No attempts left.*`,
  used: mrkdwn`${stateIcons.blocked} *Already used.* A code works once.`,
  gone: mrkdwn`${stateIcons.unknown} *Not found.* The code is more than a day old, or another person sent it.`,
};
