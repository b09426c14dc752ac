import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { Verification } from '../../../services/otp/code-vault.ts';
import { otpSummarySchema } from '../../../services/otp/otp-service.ts';
import type { Operation } from '../../../store/operations/ledger.ts';
import { input, modal, notice, option, section } from '../../block-kit/build.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { wayNames } from './outcome-view.ts';

export const verifyCallback = 'otp_verify';

/** The code that the form is about, where it is about one. */
export const verifyMetadata = z.object({ key: z.string().optional() });

/** Where the agent types what the customer reads back: for one code, or for one of those still open. */
export function verifyView(codes: readonly Operation[], key?: string): ModalView {
  const one = codes.find((operation) => operation.key === key);
  const options = codes.map((operation) => option(nameOf(operation), operation.key));
  return modal({
    callbackId: verifyCallback,
    title: 'Verify a code',
    submit: 'Verify',
    close: 'Cancel',
    metadata: key === undefined ? {} : { key },
    blocks: [
      ...(one === undefined ? [] : [section(mrkdwn`The code for *${nameOf(one)}*`)]),
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

function nameOf(operation: Operation): string {
  const { to, way } = otpSummarySchema.parse(operation.summary);
  return `${to}, ${wayNames[way]}`;
}

/** What stands beside the field while it can be tried again; `undefined` where that is over. */
export function tryAgain(verification: Verification): string | undefined {
  return verification.kind === 'wrong'
    ? `Wrong: ${verification.left === 1 ? '1 attempt' : `${verification.left} attempts`} left.`
    : undefined;
}

export function verdictView(verification: Verification): ModalView {
  return notice(
    verification.kind === 'match' ? 'It matches' : 'Not verified',
    section(verdicts[verification.kind]),
  );
}

const verdicts: Record<Verification['kind'], Markup> = {
  match: mrkdwn`:white_check_mark: *Match.* That is the code. It is used now, and good for nothing more.`,
  wrong: mrkdwn`:x: *Wrong.*`,
  expired: mrkdwn`:hourglass: *Expired.* Its time is over. Send another code.`,
  used_up: mrkdwn`:no_entry: *Used up.* All attempts were wrong. Send another code.`,
  used: mrkdwn`:no_entry: *Used.* This code was verified before, and is good once. Send another code.`,
  gone: mrkdwn`:grey_question: *Not known.* The code is more than a day old, or another person sent it.`,
};
