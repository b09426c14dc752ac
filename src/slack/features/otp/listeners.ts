import { fieldsOf, freshForm, readCodeForm } from '../../../services/otp/code-form.ts';
import type { CodeSending } from '../../../services/otp/otp-service.ts';
import { notice, section } from '../../block-kit/build.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { ActionCall, Asker, CommandCall, Listening } from '../../middleware/calls.ts';
import type { Tools } from '../../middleware/context.ts';
import { Refusal } from '../../middleware/errors.ts';
import { requestKey } from '../../middleware/idempotency-key.ts';
import { notConnected } from '../../middleware/require-connection.ts';
import { otpHelp, readOtpCommand } from './command.ts';
import {
  codeBlock,
  codeCallback,
  codeMetadata,
  codePlaceAction,
  codeView,
  openCodeAction,
  readCode,
  wayAction,
} from './compose-view.ts';
import { codeOutcomeView, verifyAction } from './outcome-view.ts';
import {
  nothingToVerifyView,
  tryAgain,
  verdictView,
  verifyCallback,
  verifyMetadata,
  verifyView,
} from './verify-view.ts';

/** `/otp`: one-time codes in five ways, and their verification. */
export function listenToOtp(listening: Listening, { services, telling, commandPrefix }: Tools): void {
  const { workspaces, oneTimeCodes, operations } = services;

  async function formFor(asker: Asker, number: string, requestId: string, origin: string | undefined) {
    const { senderId } = await workspaces.defaults(asker.workspaceId);
    const key = requestKey(asker.workspaceId, requestId);
    return codeView(
      { ...freshForm, number, senderId },
      { inChannel: false, channelId: origin },
      { key, ...(origin === undefined ? {} : { origin }) },
    );
  }

  async function handle(call: CommandCall): Promise<void> {
    const { workspaceId, personId } = call.asker;
    if ((await workspaces.connection(workspaceId)) === undefined) {
      await call.reply(notConnected(call.asker, commandPrefix));
      return;
    }
    const command = readOtpCommand(call.text);
    if (command.kind === 'verify') {
      const codes = await oneTimeCodes.open(workspaceId, personId);
      await call.open(codes.length === 0 ? nothingToVerifyView() : verifyView(codes));
      return;
    }
    await call.open(await formFor(call.asker, command.number, call.requestId, call.channelId));
  }

  listening.command('otp', handle, () => otpHelp(commandPrefix));

  listening.action(openCodeAction, async (call: ActionCall) => {
    await call.open(await formFor(call.asker, '', call.requestId, undefined));
  });

  for (const actionId of [wayAction, codePlaceAction]) {
    listening.action(actionId, async ({ view }) => {
      if (view !== undefined) {
        const metadata = codeMetadata.parse(view.metadata);
        const { form, place } = readCode(view.values, metadata);
        await view.replace(codeView(form, place, metadata));
      }
    });
  }

  listening.submission(codeCallback, async ({ asker, values, metadata }) => {
    const { workspaceId } = asker;
    const remembered = codeMetadata.parse(metadata);
    const { key } = remembered;
    const { form, place } = readCode(values, remembered);
    const { country, emailConfigurationId } = await workspaces.defaults(workspaceId);
    const read = readCodeForm(form, country);
    if (!read.ok) {
      const { faults } = read;
      const atFault = fieldsOf[form.way].filter((field) => faults[field] !== undefined);
      return { errors: Object.fromEntries(atFault.map((field) => [codeBlock(field), faults[field] ?? ''])) };
    }
    if (read.code.way === 'email' && emailConfigurationId === undefined) {
      return { errors: { [codeBlock('address')]: noEmailConfiguration } };
    }
    return {
      view: notice('One-time code', section(mrkdwn`:hourglass_flowing_sand: Sending the code…`)),
      afterwards: async () => {
        const sending = await oneTimeCodes.send({
          ...asker,
          key,
          place: place.inChannel ? place.channelId : undefined,
          code: read.code,
        });
        if (sending.kind !== 'performed') {
          throw new Refusal(whyNot(sending), { isFinal: sending.kind === 'cancelled' });
        }
        await telling.tell(sending.operation);
        return codeOutcomeView(sending.operation, sending.shown);
      },
    };
  });

  listening.closed(codeCallback, async ({ asker, metadata }) => {
    await operations.cancel(asker.workspaceId, codeMetadata.parse(metadata).key, asker.personId);
  });

  listening.action(verifyAction, async (call: ActionCall) => {
    const codes = await oneTimeCodes.open(call.asker.workspaceId, call.asker.personId);
    const form = verifyView(codes, call.value);
    await (call.view?.replace(form) ?? call.open(form));
  });

  listening.submission(verifyCallback, async ({ asker, values, metadata }) => {
    const key = verifyMetadata.parse(metadata).key ?? values.otp_which?.text ?? '';
    const typed = values.otp_typed?.text ?? '';
    const verification = await oneTimeCodes.verify(asker.workspaceId, key, asker.personId, typed);
    const again = tryAgain(verification);
    return again === undefined ? { view: verdictView(verification) } : { errors: { otp_typed: again } };
  });
}

const noEmailConfiguration =
  'Codes by e-mail need an e-mail configuration. Make one on the provider’s dashboard; an admin then enters its id in the settings of Switchboard.';

function whyNot(sending: Exclude<CodeSending, { kind: 'performed' }>): Markup {
  switch (sending.kind) {
    case 'cancelled':
      return mrkdwn`You cancelled this. Nothing was sent.`;
    case 'not_connected':
      return mrkdwn`This workspace’s provider key was removed meanwhile. Nothing was sent.`;
    case 'no_email_configuration':
      return mrkdwn`${noEmailConfiguration} Nothing was sent.`;
  }
}
