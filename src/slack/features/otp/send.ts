import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { changes } from '../../../domain/limits/seen.ts';
import { fillMinutes } from '../../../domain/otp/code-text.ts';
import { codeLength, isOwnWay, type OtpWay } from '../../../domain/otp/otp-ways.ts';
import type { PhoneNumber } from '../../../domain/phone/phone-number.ts';
import type { Secret } from '../../../lib/secret.ts';
import {
  type CodeSetup,
  fieldsOf,
  nameOfSettings,
  type OtpForm,
  readOtpForm,
} from '../../../services/otp/code-form.ts';
import { shownCodeSchema } from '../../../services/otp/otp-service.ts';
import {
  canCallInstead,
  isOpen,
  isVerifiable,
  otpSummarySchema,
} from '../../../services/otp/verification.ts';
import { ifRefused } from '../../../services/refusal.ts';
import type { Operation } from '../../../store/operations/operation.ts';
import { actions, button, context, notice, performingView, present, section } from '../../block-kit/build.ts';
import { changesBlock, inactiveSenderRemark } from '../../block-kit/descriptions/changes.ts';
import { endedCodeSentence, outcomeOfCode, outcomeOfSend } from '../../block-kit/descriptions/codes.ts';
import { describeReached } from '../../block-kit/descriptions/limits.ts';
import { outcomeSentence, outcomeTitle } from '../../block-kit/descriptions/outcome.ts';
import { wayOptions } from '../../block-kit/inputs/selects.ts';
import { limits } from '../../block-kit/limits.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { clockFor, joinInline, type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import { defineCommand } from '../../kit/command.ts';
import { choiceField, destinationField, senderField, textField } from '../../kit/fields.ts';
import { defineOutcome, defineSpend } from '../../kit/outcome.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { addToRefusal, changedSinceShown } from '../../middleware/explain-refusal.ts';
import { type LastModal, lastModalBlocks } from '../../middleware/last-modal.ts';
import { withNumberRemark } from '../../middleware/number-remark.ts';
import type { ActionRequest } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions, sendAgainBlocks } from '../../navigation/open-actions.ts';
import type { ShownOutcome } from '../../notifier/outcome.ts';
import { anotherCodeBlock, createVerification, recipientOf, verifyAction, wayNames } from './verify.ts';

/** `/otp`: one-time codes, and their verification. */
export function registerOtp(router: Router, context: AppContext): void {
  const { workspaces, otp } = context.services;
  const form = createCodeForm(context);
  const verification = createVerification(context);

  defineCommand(context, {
    name: 'otp',
    title: 'How to send a one-time code',
    purpose: mrkdwn`*Send a one-time code* by SMS, voice call, email or chat app, and verify it.`,
    note: mrkdwn`Nobody sees the codes that Switchboard makes, and each works once. *Was a caller verified?* \`/${context.settings.commandPrefix}number +2348031234567\` shows when, even if a colleague sent the code.`,
    connected: true,
    words: {
      'verify …': {
        needs: 'send',
        help: (name) => mrkdwn`\`${name} verify\` checks the code that a customer reads back.`,
        run: verification.open,
      },
    },
    otherwise: {
      needs: 'send',
      help: (name) =>
        mrkdwn`\`${name}\` opens the form, \`${name} +2348031234567\` with the number filled in.`,
      accepts: (typed) => /\d/.test(typed),
      run: withNumberRemark(async (call) => {
        const { workspaceId, userId } = call.user;
        const filled = await otp.newForm(workspaceId, userId, call.text.trim());
        await call.open(await form.begin(call, filled, call.channelId));
      }, workspaces),
    },
  }).register(router);

  form.register(router);
  verification.register(router);
  router.action(openActions.otpForm, 'send', async (call) => {
    const filled = await otp.newForm(call.user.workspaceId, call.user.userId, call.value);
    await call.open(await form.begin(call, filled));
  });
  router.action(openActions.verifyCode, 'send', (call) => verification.open(call, ''));
  router.action(openActions.codeAgain, 'send', async (call) => {
    const filled = await otp.formAgain(call.user.workspaceId, call.user.userId, call.value);
    await call.show(await form.begin(call, filled));
  });
  router.action(callAction, 'send', async ({ user, value: key, show }) => {
    const replace = await show(performingView('One-time code', 'Calling…', 'sent'));
    const called = await otp
      .callInstead(user.workspaceId, user.userId, key)
      .catch(ifRefused(['limited'], ({ limit }) => limit))
      .catch(addToRefusal(nothingSent));
    if ('reason' in called) {
      // The limit may last only seconds, so the button stays.
      await replace(
        notice(
          'Not called yet',
          section(describeReached(called, nothingSent)),
          actions('otp_verify', callButton(key, true), verifyButton(key, false)),
        ),
      );
      return;
    }
    if ('verification' in called) {
      await replace(verification.resultView(called, key));
      return;
    }
    if (called.kind === 'not_as_shown') {
      throw new UserError(changedSinceShown(nothingSent));
    }
    await replace(
      await form.outcome(called.operation, {
        user,
        delivery: await context.notifier.notify(called.operation),
      }),
    );
  });
}

/** Its value is the key of the code that the call is made in place of. */
const callAction = 'otp_call_instead';

const callButton = (key: string, isFirst: boolean) =>
  button(callAction, 'Call instead', { value: key, ...(isFirst && { style: 'primary' }) });

const verifyButton = (key: string, isFirst: boolean) =>
  button(verifyAction, 'Verify', { value: key, ...(isFirst && { style: 'primary' }) });

const nothingSent = 'Nothing was sent.';

const maxNumber = limits.optionText;

const aboutSchema = shownCodeSchema.extend({
  /** What changed after the form was submitted. */
  changes: z.array(z.enum(changes)).optional(),
});
type About = z.infer<typeof aboutSchema>;

function createCodeForm(app: AppContext) {
  const { otp, messages } = app.services;
  /** Adds whom a code went to, while that is kept. */
  async function withNumber(operation: Operation, modal: LastModal) {
    const sent = await messages.sent(operation).catch(() => undefined);
    return { ...modal, sent: sent?.kind === 'kept' ? sent : undefined };
  }
  const form = defineSpend(app, {
    id: 'otp_send',
    title: 'One-time code',
    needs: 'send',
    about: aboutSchema,
    fields: {
      number: textField('Phone number', { max: maxNumber }),
      address: textField('Email address', { max: 254 }),
      way: choiceField('Send by', wayOptions, { first: 'sms', live: true }),
      device: textField('Device', {
        max: limits.optionText,
        hint: 'The name of your device for the chat app.',
      }),
      senderId: senderField(),
      destination: destinationField(),
    },
    load: async ({ workspaceId, permissions }) => ({
      ...(await otp.setup(workspaceId)),
      isAdmin: permissions.has('administer'),
    }),
    submit({ form: filled, data, meta }) {
      if (filled.way === 'in_app') {
        return 'Show token';
      }
      return isFromInactive(filled, data, meta.about) ? 'Send anyway' : 'Send code';
    },
    when: {
      number: ({ way }, setup) => fieldsOf(way, setup).includes('number'),
      address: ({ way }, setup) => fieldsOf(way, setup).includes('address'),
      device: ({ way }, setup) => fieldsOf(way, setup).includes('device'),
      senderId: ({ way }, setup) => fieldsOf(way, setup).includes('senderId'),
    },
    overrides: { way: ({ data }) => ({ options: data.ways.map((way) => wayOptions[way]) }) },
    above: ({ meta: { about } }) => present(about.changes && changesBlock(about.changes)),
    notes: {
      way: ({ form: filled, data, meta }) => [
        context(mrkdwn`${describeWay(filled.way, data)}`),
        ...present(isFromInactive(filled, data, meta.about) && section(inactiveSenderRemark)),
        ...(data.isAdmin ? missingDefaults(data, app.settings.commandPrefix) : []),
      ],
    },
    doing: 'Sending the code…',
    done: 'sent',
    nothingDone: nothingSent,
    async submitted({ user, key, form: { destination, ...filled }, meta: { about } }) {
      const { workspaceId, userId } = user;
      const setup = await otp.setup(workspaceId);
      const senderId = setup.defaults.senderId ?? filled.senderId;
      const active = isSms(filled.way)
        ? await app.services.senderIds.activeFor(workspaceId, { senderId })
        : [];
      const read = readOtpForm(filled, setup, active);
      if (!read.ok && nameOfSettings(setup) !== about.seen.codeSettings) {
        // It may miss a field that the form doesn't show.
        const shown = await otp.shownOf(workspaceId, filled.senderId);
        return { about: { ...shown, changes: ['code_settings'] } satisfies About };
      }
      if (!read.ok) {
        return { faults: read.faults };
      }
      const { code } = read;
      const channelId = destination.inChannel ? destination.channelId : undefined;
      return {
        async perform() {
          const sent = await otp.send({ workspaceId, userId, key, channelId, code, shown: about });
          if (sent.kind === 'not_as_shown') {
            const { seen, changes: found } = sent;
            const from = 'senderId' in code ? { senderId: code.senderId } : {};
            return { about: { seen, ...from, changes: [...found] } satisfies About };
          }
          return sent;
        },
      };
    },
    async outcome(operation, { result: { shown }, ...delivered }) {
      const modal = await withNumber(operation, delivered);
      if (summaryOf(operation).way !== 'in_app') {
        return codeOutcome.view(operation, modal);
      }
      return shown === undefined
        ? tokenOutcome.view(operation, modal)
        : shownTokenView(operation, shown, modal);
    },
  });

  return {
    register: form.register,

    /** Returns the last modal of a code, or of a call in its place. */
    outcome: async (operation: Operation, modal: LastModal): Promise<ModalView> =>
      codeOutcome.view(operation, await withNumber(operation, modal)),

    /** Returns the form of a new operation. `origin`: the channel that a command was typed in. */
    async begin(
      call: Pick<ActionRequest, 'user' | 'requestId'>,
      { number, ...filled }: OtpForm,
      origin?: string,
    ): Promise<ModalView> {
      // A field that is not shown yet is in the view's metadata, which has little room.
      const initial = { ...filled, number: number.slice(0, maxNumber) };
      const destination = { inChannel: false, channelId: origin };
      const about = await otp.shownOf(call.user.workspaceId, filled.senderId);
      return form.begin(call, about, { initial: { ...initial, destination } });
    },
  };
}

const isSms = (way: OtpWay): boolean => way === 'sms' || way === 'sms_token';

/** Whether the code would come from a sender ID that the form says is not active. */
function isFromInactive(
  { way, senderId }: Pick<OtpForm, 'way' | 'senderId'>,
  { defaults }: CodeSetup,
  { seen, senderId: shown }: About,
): boolean {
  return isSms(way) && seen.sender === 'inactive' && (defaults.senderId ?? senderId) === shown;
}

function missingDefaults({ defaults }: CodeSetup, prefix: string): KnownBlock[] {
  const missing = present(
    defaults.senderId === undefined && 'a sender ID for everyone',
    defaults.emailConfigurationId === undefined && 'an email configuration (for codes by email)',
  );
  return missing.length === 0
    ? []
    : [context(mrkdwn`Add ${missing.join(' and ')} under \`/${prefix}switchboard\`, *One-time codes*.`)];
}

/** Describes a code sent this way, and how to use it. */
function describeWay(way: OtpWay, { defaults, verifiesProviderCodes }: CodeSetup): Markup[] {
  const { length, minutes, attempts, characters, text, senderId } = defaults;
  const unit = isOwnWay(way) || characters === 'NUMERIC' ? 'digit' : 'character';
  return present(
    isSms(way) && senderId !== undefined && mrkdwn`From *${senderId}*`,
    isSms(way) && mrkdwn`Text: “${fillMinutes(text, minutes)}”`,
    mrkdwn`${pluralize(codeLength(way, length), unit)} · expires after ${pluralize(minutes, 'minute')} · ${pluralize(attempts, 'attempt')}`,
    way === 'sms_token' && verifiesProviderCodes
      ? mrkdwn`The provider makes the code. ${readBack}`
      : advice[way],
  );
}

const readBack = mrkdwn`The customer reads the code back, and you verify it here.`;
const cannotVerify = mrkdwn`You can’t verify it in Slack.`;

const advice: Record<OtpWay, Markup> = {
  sms: readBack,
  voice: mrkdwn`A call reads the code out. ${readBack}`,
  email: readBack,
  chat: mrkdwn`${readBack} The provider has to activate this route first.`,
  sms_token: mrkdwn`You can’t verify the code in Slack, as verifying codes made by the provider is off. Your operator can turn it on.`,
  in_app: mrkdwn`The token is shown to you once, and nothing is sent. ${cannotVerify}`,
};

const summaryOf = ({ summary }: Operation) => otpSummarySchema.parse(summary);

function details(operation: Operation): Markup[] {
  const { expiresAt, codeOutcome, endedAt, createdAt } = operation;
  const sentAt = timeFor(endedAt ?? createdAt);
  if (codeOutcome !== undefined && codeOutcome.kind !== 'expired') {
    return [mrkdwn`Code sent by ${wayNames[summaryOf(operation).way]} ${sentAt}`];
  }
  const expires = codeOutcome === undefined ? 'Expires' : 'Expired';
  const expiry = expiresAt !== undefined && mrkdwn`${expires} at ${clockFor(expiresAt)}`;
  const isSent = summaryOf(operation).way !== 'in_app' && !['rejected', 'not_sent'].includes(operation.state);
  return [joinInline(present(expiry, isSent ? mrkdwn`sent ${sentAt}` : sentAt))];
}

const toWhom = ({ operation, sent }: Pick<ShownOutcome, 'operation' | 'sent'>): PhoneNumber | string =>
  recipientOf({ operation, number: sent?.numbers[0] });

const line = (operation: Operation, shown: ShownOutcome): Markup =>
  mrkdwn`One-time code for ${toWhom(shown)} · ${wayNames[summaryOf(operation).way]}`;

const notDelivered = 'Code not delivered';

const check = 'Ask the customer before you send another code.';

/** A code that may have reached the customer can be verified. */
const codeOutcome = defineOutcome({
  title: ({ state }) => outcomeTitle('Code', state, 'sent'),
  subject: (operation, shown) =>
    mrkdwn`The code for ${toWhom(shown)} by ${wayNames[summaryOf(operation).way]}`,
  accepted(operation, shown) {
    const sent = outcomeOfSend(operation, shown.deliveries);
    const to = mrkdwn`${toWhom(shown)} by ${wayNames[summaryOf(operation).way]}`;
    const next = isVerifiable(operation)
      ? mrkdwn`Ask the customer to read the code back, and press *Verify*.`
      : cannotVerify;
    return sent.word === notDelivered
      ? outcomeSentence(sent, to)
      : mrkdwn`${outcomeSentence(sent, to)} ${next}`;
  },
  outcome: ({ operation, deliveries }) => outcomeOfCode(operation, deliveries),
  ended(shown) {
    const { operation, deliveries } = shown;
    return endedCodeSentence(outcomeOfCode(operation, deliveries), {
      to: toWhom(shown),
      by: wayNames[summaryOf(operation).way],
    });
  },
  done: 'sent',
  check,
  details,
  nextSteps(operation, { deliveries }) {
    const { key, kind, codeOutcome } = operation;
    if (isOpen(operation)) {
      const isLost = outcomeOfSend(operation, deliveries).word === notDelivered;
      const verify = verifyButton(key, !isLost);
      const call = callButton(key, isLost);
      return present<KnownBlock>(
        actions(
          'otp_verify',
          ...(!canCallInstead(operation) ? [verify] : isLost ? [call, verify] : [verify, call]),
        ),
        kind === 'otp.sms_token' &&
          context(
            mrkdwn`The provider made this code, so a call can’t read it out. For a call, send another code by *Voice call*.`,
          ),
      );
    }
    const isSpent = codeOutcome?.kind === 'expired' || codeOutcome?.kind === 'used_up';
    return isSpent ? [anotherCodeBlock(key)] : sendAgainBlocks(operation);
  },
  line,
});

const inAppToken = 'In-app token';

const tokenOutcome = defineOutcome({
  title: ({ state }) => (state === 'accepted' ? inAppToken : outcomeTitle(inAppToken, state)),
  subject: (_, shown) => mrkdwn`The token for ${toWhom(shown)}`,
  accepted: (_, shown) =>
    mrkdwn`*Token created* for ${toWhom(shown)}. It was shown once, to the person who asked, and isn’t stored.`,
  done: 'created',
  check: 'No customer has it: you can create another.',
  details,
  line,
});

/** A token is shown here once, and nowhere else. */
function shownTokenView(
  operation: Operation,
  token: Secret,
  modal: LastModal & Pick<ShownOutcome, 'sent'>,
): ModalView {
  const to = toWhom({ operation, sent: modal.sent });
  return notice(
    inAppToken,
    section(
      mrkdwn`${stateIcons.done} The token for ${to} is *\`${token.reveal()}\`*. It’s shown only once and isn’t stored. ${cannotVerify}`,
    ),
    ...details(operation).map((line) => context(line)),
    ...lastModalBlocks(operation, modal),
  );
}

export const codeRenderers = {
  'otp.sms': codeOutcome.describe,
  'otp.voice': codeOutcome.describe,
  'otp.email': codeOutcome.describe,
  'otp.chat': codeOutcome.describe,
  'otp.sms_token': codeOutcome.describe,
  'otp.in_app': tokenOutcome.describe,
};
