import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { OtpWay } from '../../../domain/otp/otp-ways.ts';
import { describeReason } from '../../../provider/response/error-messages.ts';
import type { UnansweredVerification, Verification } from '../../../services/otp/codes.ts';
import { otpSummarySchema } from '../../../services/otp/otp-service.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import { actions, button, loadingView, notice, option, present, section } from '../../block-kit/build.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import { optionsField, textField } from '../../kit/fields.ts';
import { defineForm } from '../../kit/form.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { addToRefusal } from '../../middleware/explain-refusal.ts';
import type { CommandRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';

/** Its value is the key of the code. */
export const verifyAction = 'otp_verify';

/** Eight digits with anything that people write between them. */
const maxTyped = 40;

/** The form for the code that a customer reads back: for one code, or with a choice of those that can be verified. */
export function createVerification({ services: { otp } }: AppContext) {
  const form = defineForm({
    id: 'otp_verify',
    title: 'Verification',
    submit: 'Verify',
    needs: 'send',
    fields: {
      which: optionsField('Sent to'),
      typed: textField('Code from the customer', { max: maxTyped, focus: true, secret: true }),
    },
    meta: z.object({ key: z.string().optional() }),
    load: async ({ workspaceId, userId }, { key }) => ({
      key,
      codes: await otp.listVerifiable(workspaceId, userId),
    }),
    first: ({ codes }) => ({ which: codes[0]?.key ?? '' }),
    when: { which: (_, { key, codes }) => key === undefined && codes.length > 0 },
    looks: {
      which: ({ data }) => ({ options: data.codes.map((code) => option(nameOf(code), code.key)) }),
    },
    above({ data: { codes, key } }) {
      const code = codes.find((each) => each.key === key);
      return code === undefined ? [] : [section(mrkdwn`Code for *${nameOf(code)}*`)];
    },
    slow: { loading: loadingView('Verification', 'The provider is checking the code…') },
    async submitted({ user: { workspaceId, userId }, form: { which, typed }, meta: { key = which } }) {
      const verification = await otp
        .verify(workspaceId, key, userId, typed)
        .catch(addToRefusal('The code was not checked.'));
      switch (verification.kind) {
        case 'unanswered':
        case 'unconfirmed':
          return { view: unansweredView(verification, key) };
        default: {
          const retry = retryHint(verification);
          return retry === undefined
            ? { view: verificationView(verification, key) }
            : { faults: { typed: retry } };
        }
      }
    },
  });

  return {
    async open({ user, open }: CommandRequest): Promise<void> {
      const codes = await otp.listVerifiable(user.workspaceId, user.userId);
      const { verifiesProviderCodes } = await otp.setup(user.workspaceId);
      await open(codes.length === 0 ? nothingToVerifyView(verifiesProviderCodes) : await form.view(user, {}));
    },

    register(router: Router): void {
      form.register(router);
      router.action(verifyAction, 'send', async ({ user, value, show }) => {
        await show(await form.view(user, { key: value }));
      });
    },
  };
}

/** In a sentence: *by SMS*. */
export const wayNames: Record<OtpWay, string> = {
  sms: 'SMS',
  voice: 'voice call',
  email: 'email',
  chat: 'chat app',
  sms_token: 'SMS, code made by the provider',
  in_app: 'in-app token',
};

function nameOf({ summary }: Operation): string {
  const { to, way } = otpSummarySchema.parse(summary);
  return `${to}, ${wayNames[way]}`;
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
export function verificationView({ kind }: Verification, key: string): ModalView {
  const isSpent = kind === 'expired' || kind === 'used_up' || kind === 'used';
  const another = button(openActions.codeAgain, 'Send another code', { value: key, style: 'primary' });
  return notice(
    kind === 'match' ? 'Verified' : 'Not verified',
    section(verificationTexts[kind]),
    ...present(isSpent && actions('otp_another', another)),
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
      ...present(left > 0 && again),
      button(openActions.codeAgain, 'Send another code', { value: key }),
    ),
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
