import type { InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { otpWaySchema } from '../../../domain/otp/otp-ways.ts';
import type { OtpRequest } from '../../../services/otp/code-form.ts';
import {
  type CodeSetup,
  fieldsOf,
  type OtpField,
  type OtpForm,
  otpFields,
  readOtpForm,
} from '../../../services/otp/code-form.ts';
import { context, modal, performingView } from '../../block-kit/build.ts';
import {
  type DestinationChoice,
  destinationInputs,
  readDestination,
} from '../../block-kit/inputs/destination-input.ts';
import { textInput } from '../../block-kit/inputs/fields.ts';
import { otpWayInput, senderIdInput } from '../../block-kit/inputs/selects.ts';
import { limits } from '../../block-kit/limits.ts';
import { helpMessage, type SlackMessage } from '../../block-kit/message.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { FormValues } from '../../block-kit/view-state.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { requirePerformed, whenConnected } from '../../middleware/not-performed.ts';
import { withNumberRemark } from '../../middleware/number-remark.ts';
import type { CommandRequest, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { numbersOr } from '../../middleware/unknown-subcommand.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { codeOutcomeView } from './outcome-view.ts';
import { nothingToVerifyView, registerVerification, sendAnotherAction, verifyView } from './verify.ts';
import { describeWay } from './way-texts.ts';

/** `/otp`: one-time codes, and their verification. */
export function registerOtp(router: Router, context: AppContext): void {
  const { workspaces, otp, operations } = context.services;
  const handle = whenConnected(context, (call) => onOtpCommand(context, call));
  router.command(
    'otp',
    'send',
    withNumberRemark(handle, workspaces),
    () => otpHelp(context.settings.commandPrefix),
    numbersOr('verify'),
  );

  router.action(openActions.otpForm, 'send', async (call) => {
    const form = await otp.newForm(call.user.workspaceId, call.user.userId, '');
    await call.open(await newCodeView(context, call, form));
  });

  router.action(sendAnotherAction, 'send', async (call) => {
    const form = await otp.formAgain(call.user.workspaceId, call.user.userId, call.value);
    await call.show(await newCodeView(context, call, form));
  });

  for (const actionId of [wayAction, codeDestinationAction]) {
    router.action(actionId, 'send', async ({ user, view }) => {
      const metadata = codeMetadata.parse(view?.metadata);
      await view?.replace(await viewOf(context, user, { ...readCode(view.values, metadata), metadata }));
    });
  }

  router.submission(codeCallback, 'send', async ({ user, values, metadata }) => {
    const { key, ...rest } = codeMetadata.parse(metadata);
    const { form, destination } = readCode(values, { key, ...rest });
    const read = readOtpForm(form, await otp.setup(user.workspaceId));
    const channelId = destination.inChannel ? destination.channelId : undefined;
    return read.ok
      ? {
          view: performingView('One-time code', 'Sending the code…', 'sent'),
          background: () => sendCode(context, user, { key, channelId, code: read.code }),
        }
      : { errors: read.faults };
  });

  router.closed(codeCallback, async ({ user, metadata }) => {
    await operations.cancel(user.workspaceId, codeMetadata.parse(metadata).key, user.userId);
  });
  registerVerification(router, context);
}

async function onOtpCommand(context: AppContext, call: CommandRequest): Promise<void> {
  const { otp } = context.services;
  const { workspaceId, userId } = call.user;
  const command = readOtpCommand(call.text);
  if (command.kind === 'verify') {
    const codes = await otp.listVerifiable(workspaceId, userId);
    const { verifiesProviderCodes } = await otp.setup(workspaceId);
    await call.open(codes.length === 0 ? nothingToVerifyView(verifiesProviderCodes) : verifyView(codes));
    return;
  }
  const form = await otp.newForm(workspaceId, userId, command.number);
  await call.open(await newCodeView(context, call, form, call.channelId));
}

/** Returns the form of a new operation. */
function newCodeView(
  context: AppContext,
  { user, requestId }: Pick<CommandRequest, 'user' | 'requestId'>,
  form: OtpForm,
  origin?: string,
): Promise<ModalView> {
  const key = idempotencyKey(user.workspaceId, requestId);
  const destination = { inChannel: false, channelId: origin };
  return viewOf(context, user, { form, destination, metadata: { key, origin } });
}

async function viewOf(
  { services, settings }: AppContext,
  { workspaceId, permissions }: User,
  content: Pick<CodeFormContent, 'form' | 'destination' | 'metadata'>,
): Promise<ModalView> {
  return codeView({
    ...content,
    setup: await services.otp.setup(workspaceId),
    isAdmin: permissions.has('administer'),
    settingsCommand: `/${settings.commandPrefix}switchboard`,
  });
}

async function sendCode(
  { services: { otp, providerHistory }, notifier }: AppContext,
  user: User,
  sent: { key: string; channelId: string | undefined; code: OtpRequest },
): Promise<ModalView> {
  const { workspaceId, userId } = user;
  const sending = await otp.send({ workspaceId, userId, ...sent });
  if (sending.kind === 'no_email_configuration') {
    throw new UserError(mrkdwn`The email configuration was removed. Nothing was sent.`);
  }
  requirePerformed(sending, 'Nothing was sent.');
  const delivery = await notifier.notify(sending.operation);
  return codeOutcomeView(sending.operation, sending.shown, { user, delivery, canAsk: providerHistory.isOn });
}

/** `/otp` · `/otp +2348031234567` · `/otp verify` */
export function readOtpCommand(text: string): { kind: 'verify' } | { kind: 'send'; number: string } {
  return text.trim().toLowerCase() === 'verify' ? { kind: 'verify' } : { kind: 'send', number: text.trim() };
}

function otpHelp(prefix: string): SlackMessage {
  const name = `/${prefix}otp`;
  return helpMessage(
    mrkdwn`How to send a one-time code with ${name}`,
    mrkdwn`*Send a one-time code* by SMS, voice call, email or chat app, and verify it.`,
    [
      mrkdwn`\`${name}\` opens the form, \`${name} +2348031234567\` with the number filled in.`,
      mrkdwn`\`${name} verify\` checks the code that a customer reads back.`,
    ],
    mrkdwn`Nobody sees the codes that Switchboard makes, and each works once. Codes made by the provider can’t be verified in Slack.`,
  );
}

const codeCallback = 'otp_send';
const wayAction = 'otp_way';
const codeDestinationAction = 'otp_place_choice';

/**
 * The idempotency key of the form's send, the channel it was opened from, and the values of fields that the chosen way
 * does not have, for when the user switches back.
 */
const codeMetadata = z.object({
  key: z.string(),
  origin: z.string().optional(),
  hidden: z.record(z.string(), z.string()).optional(),
});
type CodeMetadata = z.infer<typeof codeMetadata>;

/** In characters of JSON for one field, so that all of them fit into the metadata of a view. */
const maxHidden = 600;

interface CodeFormContent {
  form: OtpForm;
  destination: DestinationChoice;
  metadata: CodeMetadata;
  setup: CodeSetup;
  isAdmin: boolean;
  /** The command that opens the settings. */
  settingsCommand: string;
}

export function codeView(content: CodeFormContent): ModalView {
  const { form, destination, metadata, setup } = content;
  const { way } = form;
  const fields = fieldsOf(way, setup);
  const [recipient, ...others] = fields.map((field) => fieldInput(field, form));
  return modal({
    callbackId: codeCallback,
    title: 'One-time code',
    submit: way === 'in_app' ? 'Show code' : 'Send code',
    close: 'Cancel',
    notifyOnClose: true,
    metadata: { ...metadata, hidden: hiddenValues(form, fields) },
    blocks: [
      ...(recipient === undefined ? [] : [recipient]),
      otpWayInput('way', way, { ways: setup.ways, actionId: wayAction }),
      ...others,
      context(mrkdwn`${describeWay(way, setup)}`),
      ...adminHint(content),
      ...destinationInputs(destination, codeDestinationAction),
    ],
  });
}

function adminHint({ isAdmin, setup, settingsCommand }: CodeFormContent): KnownBlock[] {
  const { senderId, emailConfigurationId } = setup.defaults;
  const missing = [
    ...(senderId === undefined ? ['a sender ID for everyone'] : []),
    ...(emailConfigurationId === undefined ? ['an email configuration for codes by email'] : []),
  ];
  return isAdmin && missing.length > 0
    ? [context(mrkdwn`Add ${missing.join(' and ')} under \`${settingsCommand}\`, *One-time codes*.`)]
    : [];
}

function hiddenValues(form: OtpForm, shown: readonly OtpField[]): Record<string, string> {
  const fields = otpFields
    .filter((field) => !shown.includes(field))
    .map((field) => [field, form[field] ?? ''] as const)
    .filter(([, value]) => value !== '' && JSON.stringify(value).length <= maxHidden);
  return Object.fromEntries(fields);
}

function fieldInput(field: OtpField, form: OtpForm): InputBlock {
  const typed = (label: string, options: { hint?: string; maxLength?: number } = {}) =>
    textInput(field, label, form[field], {
      maxLength: options.maxLength ?? limits.optionText,
      hint: options.hint,
    });
  switch (field) {
    case 'number':
      return typed('Phone number');
    case 'address':
      return typed('Email address', { maxLength: 254 });
    case 'device':
      return typed('Device', { hint: 'The name of your device for the chat app.' });
    case 'senderId':
      return senderIdInput('senderId', form.senderId);
  }
}

/** Reads the form. A field that the chosen way does not have keeps its value. */
function readCode(
  values: FormValues,
  { origin, hidden = {} }: CodeMetadata,
): { form: OtpForm; destination: DestinationChoice } {
  const chosen = (field: OtpField) => (field in values ? values[field]?.text : hidden[field]);
  return {
    form: {
      way: otpWaySchema.catch('sms').parse(values.way?.text),
      number: chosen('number') ?? '',
      address: chosen('address') ?? '',
      device: chosen('device') ?? '',
      senderId: chosen('senderId'),
    },
    destination: readDestination(values, origin),
  };
}
