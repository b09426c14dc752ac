import { idempotencyKey } from '../../../domain/access/request-keys.ts';
import { type OtpForm, readOtpForm } from '../../../services/otp/code-form.ts';
import type { DestinationChoice } from '../../block-kit/inputs/destination-input.ts';
import { performingView } from '../../block-kit/loading-view.ts';
import { mrkdwn } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import { UserError } from '../../middleware/errors.ts';
import { notConnectedMessage, requirePerformed } from '../../middleware/not-performed.ts';
import { withNumberRemark } from '../../middleware/number-remark.ts';
import type { ActionRequest, CommandRequest, User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { numbersOr } from '../../middleware/unknown-subcommand.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { otpHelp, readOtpCommand } from './command.ts';
import {
  type CodeMetadata,
  codeCallback,
  codeDestinationAction,
  codeMetadata,
  codeView,
  readCode,
  wayAction,
} from './compose-view.ts';
import { codeOutcomeView } from './outcome-view.ts';
import { registerVerification } from './verify-listeners.ts';
import { nothingToVerifyView, sendAnotherAction, verifyView } from './verify-view.ts';

/** `/otp`: one-time codes, and their verification. */
export function registerOtp(router: Router, context: AppContext): void {
  const {
    services,
    settings: { commandPrefix },
  } = context;
  const { workspaces, otp, operations } = services;

  async function viewOf(
    { workspaceId, permissions }: User,
    content: { form: OtpForm; destination: DestinationChoice; metadata: CodeMetadata },
  ) {
    return codeView({
      ...content,
      setup: await otp.setup(workspaceId),
      isAdmin: permissions.has('administer'),
      settingsCommand: `/${commandPrefix}switchboard`,
    });
  }

  /** Returns the form of a new operation. */
  function opening(user: User, form: OtpForm, requestId: string, origin?: string) {
    const key = idempotencyKey(user.workspaceId, requestId);
    return viewOf(user, {
      form,
      destination: { inChannel: false, channelId: origin },
      metadata: { key, origin },
    });
  }

  async function handle({ user, text, channelId, requestId, reply, open }: CommandRequest): Promise<void> {
    const { workspaceId, userId } = user;
    if ((await workspaces.connection(workspaceId)) === undefined) {
      await reply(notConnectedMessage(user, commandPrefix));
      return;
    }
    const command = readOtpCommand(text);
    if (command.kind === 'verify') {
      const codes = await otp.listVerifiable(workspaceId, userId);
      const { verifiesProviderCodes } = await otp.setup(workspaceId);
      await open(codes.length === 0 ? nothingToVerifyView(verifiesProviderCodes) : verifyView(codes));
      return;
    }
    const form = await otp.newForm(workspaceId, userId, command.number);
    await open(await opening(user, form, requestId, channelId));
  }

  router.command(
    'otp',
    'send',
    withNumberRemark(handle, workspaces),
    () => otpHelp(commandPrefix),
    numbersOr('verify'),
  );

  router.action(openActions.otpForm, 'send', async ({ user, requestId, open }: ActionRequest) => {
    const form = await otp.newForm(user.workspaceId, user.userId, '');
    await open(await opening(user, form, requestId));
  });

  router.action(sendAnotherAction, 'send', async ({ user, value, requestId, show }: ActionRequest) => {
    const form = await otp.formAgain(user.workspaceId, user.userId, value);
    await show(await opening(user, form, requestId));
  });

  for (const actionId of [wayAction, codeDestinationAction]) {
    router.action(actionId, 'send', async ({ user, view }) => {
      if (view !== undefined) {
        const metadata = codeMetadata.parse(view.metadata);
        await view.replace(await viewOf(user, { ...readCode(view.values, metadata), metadata }));
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
  const { otp } = services;

  router.submission(codeCallback, 'send', async ({ user, values, metadata }) => {
    const { workspaceId, userId } = user;
    const formMetadata = codeMetadata.parse(metadata);
    const { form, destination } = readCode(values, formMetadata);
    const read = readOtpForm(form, await otp.setup(workspaceId));
    if (!read.ok) {
      return { errors: read.faults };
    }
    return {
      view: performingView('One-time code', 'Sending the code…', 'sent'),
      background: async () => {
        const sending = await otp.send({
          workspaceId,
          userId,
          key: formMetadata.key,
          channelId: destination.inChannel ? destination.channelId : undefined,
          code: read.code,
        });
        if (sending.kind === 'no_email_configuration') {
          throw new UserError(mrkdwn`The email configuration was removed. Nothing was sent.`);
        }
        requirePerformed(sending, 'Nothing was sent.');
        const delivery = await notifier.notify(sending.operation);
        return codeOutcomeView(sending.operation, sending.shown, {
          user,
          delivery,
          canAsk: services.providerHistory.isOn,
        });
      },
    };
  });
}
