import { emptyOtpForm, otpFields, readOtpForm } from '../../../services/otp/code-form.ts';
import { notice } from '../../block-kit/build.ts';
import { loadingSection } from '../../block-kit/loading-view.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { notConnectedMessage } from '../../middleware/authorization/not-connected-message.ts';
import { UserError } from '../../middleware/errors.ts';
import { idempotencyKey } from '../../middleware/idempotency-key.ts';
import { withNumberRemark } from '../../middleware/number-remark.ts';
import type { ActionRequest, CommandRequest, User } from '../../middleware/requests.ts';
import { requirePerformed } from '../../middleware/require-performed.ts';
import type { Router } from '../../middleware/router/router.ts';
import { numbersOr } from '../../middleware/unknown-subcommand.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { otpHelp, readOtpCommand } from './command.ts';
import {
  codeBlock,
  codeCallback,
  codeDestinationAction,
  codeMetadata,
  codeView,
  readCode,
  wayAction,
} from './compose-view.ts';
import { codeOutcomeView, verifyAction } from './outcome-view.ts';
import {
  nothingToVerifyView,
  retryHint,
  verificationView,
  verifyCallback,
  verifyMetadata,
  verifyView,
} from './verify-view.ts';

/** `/otp`: one-time codes in five ways, and their verification. */
export function registerOtp(router: Router, context: AppContext): void {
  const { services, commandPrefix } = context;
  const { workspaces, otp, operations } = services;

  async function formFor(user: User, number: string, requestId: string, origin: string | undefined) {
    const { senderId } = await workspaces.defaults(user.workspaceId);
    const key = idempotencyKey(user.workspaceId, requestId);
    return codeView(
      { ...emptyOtpForm, number, senderId },
      { inChannel: false, channelId: origin },
      { key, origin },
    );
  }

  async function handle(call: CommandRequest): Promise<void> {
    const { workspaceId, userId } = call.user;
    if ((await workspaces.connection(workspaceId)) === undefined) {
      await call.reply(notConnectedMessage(call.user, commandPrefix));
      return;
    }
    const command = readOtpCommand(call.text);
    if (command.kind === 'verify') {
      const codes = await otp.listVerifiable(workspaceId, userId);
      await call.open(codes.length === 0 ? nothingToVerifyView() : verifyView(codes));
      return;
    }
    await call.open(await formFor(call.user, command.number, call.requestId, call.channelId));
  }

  router.command(
    'otp',
    withNumberRemark(handle, workspaces),
    () => otpHelp(commandPrefix),
    numbersOr('verify'),
  );

  router.action(openActions.otpForm, async (call: ActionRequest) => {
    await call.open(await formFor(call.user, '', call.requestId, undefined));
  });

  for (const actionId of [wayAction, codeDestinationAction]) {
    router.action(actionId, async ({ view }) => {
      if (view !== undefined) {
        const metadata = codeMetadata.parse(view.metadata);
        const { form, destination } = readCode(view.values, metadata);
        await view.replace(codeView(form, destination, metadata));
      }
    });
  }

  router.closed(codeCallback, async ({ user, metadata }) => {
    await operations.cancel(user.workspaceId, codeMetadata.parse(metadata).key, user.userId);
  });
  registerCodeSubmission(router, context);
  registerVerification(router, otp);
}

function registerCodeSubmission(router: Router, { services, notifier }: AppContext): void {
  const { workspaces, otp } = services;

  router.submission(codeCallback, async ({ user, values, metadata }) => {
    const { workspaceId } = user;
    const formMetadata = codeMetadata.parse(metadata);
    const { form, destination } = readCode(values, formMetadata);
    const { country, emailConfigurationId } = await workspaces.defaults(workspaceId);
    const read = readOtpForm(form, country);
    if (!read.ok) {
      const { faults } = read;
      const invalid = otpFields[form.way].filter((field) => faults[field] !== undefined);
      return { errors: Object.fromEntries(invalid.map((field) => [codeBlock(field), faults[field] ?? ''])) };
    }
    if (read.code.way === 'email' && emailConfigurationId === undefined) {
      return { errors: { [codeBlock('address')]: noEmailConfiguration } };
    }
    return {
      view: notice('One-time code', loadingSection('Sending the code…')),
      background: async () => {
        const sending = await otp.send({
          ...user,
          key: formMetadata.key,
          channelId: destination.inChannel ? destination.channelId : undefined,
          code: read.code,
        });
        if (sending.kind === 'no_email_configuration') {
          throw new UserError(mrkdwn`${noEmailConfiguration} Nothing was sent.`);
        }
        requirePerformed(sending, 'Nothing was sent.');
        await notifier.notify(sending.operation);
        return codeOutcomeView(sending.operation, sending.shown);
      },
    };
  });
}

/** The form for the code that a customer reads back. */
function registerVerification(router: Router, otp: AppContext['services']['otp']): void {
  router.action(verifyAction, async (call: ActionRequest) => {
    const codes = await otp.listVerifiable(call.user.workspaceId, call.user.userId);
    const form = verifyView(codes, call.value);
    await (call.view?.replace(form) ?? call.open(form));
  });

  router.submission(verifyCallback, async ({ user, values, metadata }) => {
    const key = verifyMetadata.parse(metadata).key ?? values.otp_which?.text ?? '';
    const typed = values.otp_typed?.text ?? '';
    const verification = await otp.verify(user.workspaceId, key, user.userId, typed);
    const retry = retryHint(verification);
    return retry === undefined ? { view: verificationView(verification) } : { errors: { otp_typed: retry } };
  });
}

const noEmailConfiguration =
  'Codes by e-mail need an e-mail configuration. Make one on the provider’s dashboard; an admin then enters its id in the settings of Switchboard.';
