import { z } from 'zod';
import { maskNumber, type PhoneNumber, toDigits } from '../../domain/phone/phone-number.ts';
import type { Secret } from '../../lib/secret.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Ending, Operation } from '../../store/operations/ledger.ts';
import type { Operations } from '../operations/operations.ts';
import { toEnding } from '../operations/outcomes.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { CodeVault, Verification } from './code-vault.ts';

export const otpWaySchema = z.enum(['sms', 'voice', 'email', 'chat', 'in_app']);
/** The five ways a code reaches its person (API §4.2, §4.4–4.7). */
export type OtpWay = z.infer<typeof otpWaySchema>;

/** The ways whose codes the program makes, and so can verify. */
export const verifiableWays: ReadonlySet<OtpWay> = new Set(['voice', 'email', 'chat']);

interface Life {
  length: number;
  minutes: number;
  attempts: number;
}

export type OtpRequest = Life &
  (
    | {
        way: 'sms';
        to: PhoneNumber;
        senderId: string;
        kind: 'NUMERIC' | 'ALPHANUMERIC';
        text: string;
        placeholder: string;
      }
    | { way: 'in_app'; to: PhoneNumber; kind: 'NUMERIC' | 'ALPHANUMERIC' }
    | { way: 'voice'; to: PhoneNumber }
    | { way: 'chat'; to: PhoneNumber; device: string }
    | { way: 'email'; address: string }
  );

export type SendOtpResult =
  /** `shown`: an in-app token, for the one who asked, this once. */
  | { kind: 'performed'; operation: Operation; first: boolean; shown?: Secret }
  | { kind: 'cancelled' }
  | { kind: 'not_connected' }
  | { kind: 'no_email_configuration' };

/** What the ledger keeps of a code: never the code. */
export const otpSummarySchema = z.object({
  way: otpWaySchema,
  /** Masked. */
  to: z.string(),
  minutes: z.number(),
});
export type OtpSummary = z.infer<typeof otpSummarySchema>;

export interface OtpService {
  /** Sends a code, or has one made, once for its key. */
  send(request: {
    workspaceId: string;
    userId: string;
    key: string;
    channelId?: string | undefined;
    code: OtpRequest;
  }): Promise<SendOtpResult>;
  /** `key` is that of the send. */
  verify(workspaceId: string, key: string, userId: string, typed: string): Promise<Verification>;
  /** A person's codes that can still be verified, the newest first. */
  listVerifiable(workspaceId: string, userId: string): Promise<Operation[]>;
}

const latest = 50;
const mostMinutes = 60;

export function createOtpService(options: {
  workspaces: Workspaces;
  operations: Operations;
  keptCodes: CodeVault;
  clock: () => Date;
}): OtpService {
  const { workspaces, operations, keptCodes } = options;

  return {
    async send({ workspaceId, userId, key, channelId, code }) {
      const before = await operations.find(workspaceId, key, userId);
      if (before !== undefined) {
        return { kind: 'performed', operation: before, first: false };
      }
      const account = await workspaces.account(workspaceId);
      if (account === undefined) {
        return { kind: 'not_connected' };
      }
      const { emailConfigurationId } = await workspaces.defaults(workspaceId);
      if (code.way === 'email' && emailConfigurationId === undefined) {
        return { kind: 'no_email_configuration' };
      }
      let shown: Secret | undefined;
      const summary: OtpSummary = { way: code.way, to: maskRecipient(code), minutes: code.minutes };
      const performed = await operations.perform(
        {
          workspaceId,
          key,
          kind: `otp.${code.way}`,
          userId: userId,
          summary,
          ...(code.way === 'email' ? {} : { numbers: [code.to] }),
          ...(channelId && { channelId }),
        },
        async () => {
          if (code.way === 'in_app') {
            const outcome = await account.tokens.generate({ phoneNumber: toDigits(code.to), ...pinOf(code) });
            shown = outcome.kind === 'accepted' ? outcome.value.otp : undefined;
            return toEnding(outcome, ({ pinId }) => ({ providerId: pinId }));
          }
          if (code.way === 'sms') {
            return sendToken(account, code);
          }
          const made = await keptCodes.create(workspaceId, key, { userId, ...code });
          const ending = await sendOwn(account, code, made, emailConfigurationId ?? '');
          if (ending.state === 'rejected' || ending.state === 'not_sent') {
            await keptCodes.delete(workspaceId, key, userId);
          }
          return ending;
        },
      );
      return performed.kind === 'performed' && performed.first && shown ? { ...performed, shown } : performed;
    },

    verify: (workspaceId, key, userId, typed) => keptCodes.verify(workspaceId, key, userId, typed),

    async listVerifiable(workspaceId, userId) {
      const oldest = options.clock().getTime() - mostMinutes * 60_000;
      const recent = await operations.recent(workspaceId, userId, latest);
      return recent.filter(
        ({ kind, state, createdAt }) =>
          [...verifiableWays].some((way) => kind === `otp.${way}`) &&
          (state === 'accepted' || state === 'unconfirmed') &&
          createdAt.getTime() >= oldest,
      );
    },
  };
}

/** The provider makes the code, and it alone can verify it. */
async function sendToken(account: ProviderAccount, code: OtpRequest & { way: 'sms' }): Promise<Ending> {
  const outcome = await account.tokens.send({
    to: toDigits(code.to),
    from: code.senderId,
    // API §1: codes must not go on the generic route; they may not arrive, and the sender ID may be blocked.
    route: 'dnd',
    pinPlaceholder: code.placeholder,
    text: code.text,
    ...pinOf(code),
  });
  return toEnding(outcome, ({ pinId }) => ({ providerId: pinId }));
}

async function sendOwn(
  account: ProviderAccount,
  code: OtpRequest & { way: 'voice' | 'email' | 'chat' },
  made: Secret,
  emailConfigurationId: string,
): Promise<Ending> {
  const accepted = ({ messageId, balance }: { messageId: string; balance?: string }) => ({
    providerId: messageId,
    balance,
  });
  switch (code.way) {
    case 'voice':
      return toEnding(await account.tokens.call({ phoneNumber: toDigits(code.to), code: made }), accepted);
    case 'chat':
      return toEnding(
        await account.messages.sendChatOtp({ to: toDigits(code.to), from: code.device, code: made }),
        accepted,
      );
    case 'email':
      return toEnding(
        await account.tokens.email({ emailAddress: code.address, code: made, emailConfigurationId }),
        accepted,
      );
  }
}

function pinOf(code: Life & { kind: 'NUMERIC' | 'ALPHANUMERIC' }) {
  return {
    pinType: code.kind,
    pinAttempts: code.attempts,
    pinTimeToLive: code.minutes,
    pinLength: code.length,
  };
}

function maskRecipient(code: OtpRequest): string {
  return code.way === 'email' ? code.address.replace(/^(.).*@/, '$1•••@') : maskNumber(code.to);
}
