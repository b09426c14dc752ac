import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { Verification } from '../../../services/otp/code-vault.ts';
import { otpSummarySchema } from '../../../services/otp/otp-service.ts';
import type { Operation } from '../../../store/operations/ledger.ts';
import { input, modal, notice, option, section } from '../../block-kit/build.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { wayNames } from './outcome-view.ts';

export const verifyCallback = 'otp_verify';

/** The idempotency key of the code to verify, if the form was opened for one. */
export const verifyMetadata = z.object({ key: z.string().optional() });

/** The form for the code that the customer reads back: for the code of `key`, or with a choice of the open ones. */
export function verifyView(codes: readonly Operation[], key?: string): ModalView {
  const one = codes.find((operation) => operation.key === key);
  const options = codes.map((operation) => option(codeName(operation), operation.key));
  return modal({
    callbackId: verifyCallback,
    title: 'Verify a code',
    submit: 'Verify',
    close: 'Cancel',
    metadata: { key },
    blocks: [
      ...(one === undefined ? [] : [section(mrkdwn`The code for *${codeName(one)}*`)]),
      ...(key !== undefined
        ? []
        : [
            input('otp_which', 'Which code', {
              type: 'static_select',
              action_id: 'which',
              options,
              ...(options[0] === undefined ? {} : { initial_option: options[0] }),
            }),
          ]),
      input('otp_typed', 'What the customer reads back', {
        type: 'plain_text_input',
        action_id: 'typed',
        focus_on_load: true,
        max_length: 20,
      }),
    ],
  });
}

export function nothingToVerifyView(): ModalView {
  return notice(
    'Verify a code',
    section(
      mrkdwn`You have sent no code in the last hour that can be verified here. Codes by SMS and in-app tokens are verified at the provider.`,
    ),
  );
}

function codeName(operation: Operation): string {
  const { to, way } = otpSummarySchema.parse(operation.summary);
  return `${to}, ${wayNames[way]}`;
}

/** Returns the error beside the field while the code can be tried again, and undefined otherwise. */
export function retryHint(verification: Verification): string | undefined {
  return verification.kind === 'wrong'
    ? `Wrong: ${pluralize(verification.left, 'attempt')} left.`
    : undefined;
}

export function verificationView(verification: Verification): ModalView {
  return notice(
    verification.kind === 'match' ? 'It matches' : 'Not verified',
    section(verificationTexts[verification.kind]),
  );
}

const verificationTexts: Record<Verification['kind'], Markup> = {
  match: mrkdwn`${stateIcons.done} *Match.* That is the code. It is used now, and good for nothing more.`,
  wrong: mrkdwn`${stateIcons.failed} *Wrong.*`,
  expired: mrkdwn`:hourglass: *Expired.* Its time is over. Send another code.`,
  used_up: mrkdwn`${stateIcons.blocked} *Used up.* All attempts were wrong. Send another code.`,
  used: mrkdwn`${stateIcons.blocked} *Used.* This code was verified before, and is good once. Send another code.`,
  gone: mrkdwn`${stateIcons.unknown} *Not known.* The code is more than a day old, or another person sent it.`,
};
