import type { ActionsBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { OtpWay } from '../../../domain/otp/otp-ways.ts';
import type { PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { shownTime } from '../../../domain/time/shown-time.ts';
import { localClock } from '../../../domain/time/start-time.ts';
import { describeReason } from '../../../provider/response/error-messages.ts';
import type { UnansweredVerification, Verification } from '../../../services/otp/codes.ts';
import { otpSummarySchema, type SentCode, type VerifyResult } from '../../../services/otp/verification.ts';
import {
  actions,
  button,
  context,
  loadingView,
  notice,
  option,
  present,
  section,
} from '../../block-kit/build.ts';
import { afterGuesses, codeIcons } from '../../block-kit/descriptions/codes.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { clockFor, type Markup, mrkdwn, stripMarkup, timeFor } from '../../block-kit/text.ts';
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

/** The form for the code that a customer reads back: for one code, or with a choice of the live ones. */
export function createVerification({ services: { otp }, settings: { commandPrefix } }: AppContext) {
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
    load: async ({ workspaceId, userId, zone }, { key }) => ({
      key,
      zone,
      codes: await otp.listVerifiable(workspaceId, userId),
    }),
    first: ({ codes }) => ({ which: codes[0]?.operation.key ?? '' }),
    when: { which: (_, { key, codes }) => key === undefined && codes.length > 0 },
    overrides: {
      which: ({ data: { codes, zone } }) => ({
        options: codes.map((code) =>
          option(stripMarkup(nameOf(code)), code.operation.key, lifeOf(code, zone)),
        ),
      }),
    },
    above({ data: { codes, key } }) {
      const code = codes.find(({ operation }) => operation.key === key);
      return code?.operation.expiresAt === undefined
        ? []
        : [section(mrkdwn`Code for *${nameOf(code)}*. Expires at ${clockFor(code.operation.expiresAt)}.`)];
    },
    slow: { loading: loadingView('Verification', 'The provider is checking the code…') },
    async submitted({ user: { workspaceId, userId }, form: { which, typed }, meta: { key = which } }) {
      const result = await otp
        .verify(workspaceId, key, userId, typed)
        .catch(addToRefusal('The code was not checked.'));
      const retry = retryHint(result.verification);
      return retry === undefined ? { view: resultView(result, key) } : { faults: { typed: retry } };
    },
  });

  return {
    resultView,

    async open({ user, open }: Pick<CommandRequest, 'user' | 'open'>, typed: string): Promise<void> {
      const codes = await otp.listVerifiable(user.workspaceId, user.userId);
      const { verifiesProviderCodes } = await otp.setup(user.workspaceId);
      // A form keeps no code, so the typed one is not filled in.
      const feedback = typed === '' ? undefined : mrkdwn`Enter the code here.`;
      const none = () => nothingToVerifyView(verifiesProviderCodes, commandPrefix);
      await open(codes.length === 0 ? none() : await form.view(user, {}, { feedback }));
    },

    register(router: Router): void {
      form.register(router);
      router.action(verifyAction, 'send', async ({ user, value, show }) => {
        const result = await otp.verify(user.workspaceId, value, user.userId, '');
        const isLive = retryHint(result.verification) !== undefined;
        await show(isLive ? await form.view(user, { key: value }) : resultView(result, value));
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
  sms_token: 'SMS (provider’s code)',
  in_app: 'in-app token',
};

/** Who got a code: in full for who sent it, while the number is kept. */
export function recipientOf({ operation, number }: SentCode): PhoneNumber | string {
  return number ?? otpSummarySchema.parse(operation.summary).to;
}

function nameOf(code: SentCode): Markup {
  return mrkdwn`${recipientOf(code)}, ${wayNames[otpSummarySchema.parse(code.operation.summary).way]}`;
}

/** When a code was sent, and when it expires: two may have gone to the same number. */
function lifeOf({ operation: { createdAt, expiresAt } }: SentCode, zone: string): string | undefined {
  const shown = (at: Date) => shownTime(localClock(at, zone));
  return expiresAt && `Sent at ${shown(createdAt)}, expires at ${shown(expiresAt)}`;
}

export function nothingToVerifyView(verifiesProviderCodes: boolean, prefix: string): ModalView {
  return notice(
    'Verification',
    section(
      mrkdwn`You have no codes to verify. Codes that expired, were verified, or have no attempts left aren’t listed here. \`/${prefix}sms history +2348031234567\` shows how they ended.`,
    ),
    context(
      verifiesProviderCodes
        ? mrkdwn`You can’t verify in-app tokens in Slack.`
        : mrkdwn`Codes made by the provider can’t be verified in Slack: your operator hasn’t turned that on.`,
    ),
  );
}

/** Returns the error beside the field while the code can be tried again, and undefined otherwise. */
function retryHint(verification: VerifyResult['verification']): string | undefined {
  switch (verification.kind) {
    case 'malformed':
      return verification.hasLetters
        ? `The code has ${pluralize(verification.length, 'letter or digit', 'letters and digits')}.`
        : `The code has ${pluralize(verification.length, 'digit')}.`;
    case 'wrong':
      return `Wrong code, ${pluralize(verification.left, 'attempt')} left.`;
    default:
      return undefined;
  }
}

function resultView({ verification, sent }: VerifyResult, key: string): ModalView {
  return 'error' in verification
    ? unansweredView(verification, key)
    : verificationView(verification, key, sent);
}

/** The outcome of a verification. `key` names the code; if it can no longer match, another can be sent. */
export function verificationView({ kind }: Verification, key: string, sent: SentCode | undefined): ModalView {
  const titles: Partial<Record<Verification['kind'], string>> = {
    match: 'Verified',
    used: 'Already verified',
  };
  return notice(
    titles[kind] ?? 'Not verified',
    section(describeResult(kind, sent)),
    ...present<KnownBlock>(
      kind === 'match' && context(mrkdwn`The history keeps who verified it, and when.`),
      kind !== 'match' && kind !== 'gone' && anotherCodeBlock(key),
    ),
  );
}

export function anotherCodeBlock(key: string): ActionsBlock {
  return actions(
    'otp_another',
    button(openActions.codeAgain, 'Send another code', { value: key, style: 'primary' }),
  );
}

function describeResult(kind: Verification['kind'], sent: SentCode | undefined): Markup {
  const operation = sent?.operation;
  const { codeOutcome, expiresAt } = operation ?? {};
  const ended = codeOutcome && timeFor(new Date(codeOutcome.at));
  switch (kind) {
    case 'match':
      return mrkdwn`${codeIcons.verified} *Verified:* ${sent && recipientOf(sent)}${ended && mrkdwn`, ${ended}`}.`;
    case 'used':
      return mrkdwn`${stateIcons.blocked} *Already verified${ended && mrkdwn` ${ended}`}.* A code works once.`;
    case 'expired':
      return mrkdwn`${codeIcons.expired} *Expired${expiresAt && mrkdwn` ${timeFor(expiresAt)}`}.* The code was not verified.`;
    case 'used_up':
      return mrkdwn`${codeIcons.used_up} *No attempts left${operation && afterGuesses(operation)}.*`;
    case 'malformed':
    case 'wrong':
      return mrkdwn`${stateIcons.failed} *Wrong code.*`;
    case 'restored':
      return mrkdwn`${codeIcons.unknown} *Not checked.* The data was restored from a backup after this code was sent, so the code may have been used.`;
    case 'gone':
      return mrkdwn`${codeIcons.unknown} *Not found.* The code is more than a day old, or another person sent it.`;
  }
}

/** That the provider did not say whether the code matches. */
export function unansweredView({ kind, left, error }: UnansweredVerification, key: string): ModalView {
  const attempts = left === 0 ? mrkdwn`No attempts left.` : mrkdwn`${pluralize(left, 'attempt')} left.`;
  const verifyAgain = button(verifyAction, 'Verify again', { value: key, style: 'primary' });
  const { happened, next } = describeReason(error);
  return notice(
    kind === 'unconfirmed' ? 'Unconfirmed' : 'Not verified',
    section(
      kind === 'unconfirmed'
        ? mrkdwn`${stateIcons.unconfirmed} *Unconfirmed:* the code may or may not have been checked. ${happened} If the code was right, it may now be used up. ${attempts}`
        : mrkdwn`${stateIcons.failed} *The provider did not check the code.* ${happened} ${next} ${attempts}`,
    ),
    actions(
      'otp_unanswered',
      ...present(left > 0 && verifyAgain),
      button(openActions.codeAgain, 'Send another code', { value: key }),
    ),
  );
}
