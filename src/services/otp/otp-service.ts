import { z } from 'zod';
import { maskNumber, type PhoneNumber, toDigits } from '../../domain/phone/phone-number.ts';
import type { Secret } from '../../lib/secret.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { Ending, Operation } from '../../store/operations/ledger.ts';
import type { Operations, SpendResult } from '../operations/operations.ts';
import { toEnding } from '../operations/outcomes.ts';
import type { Workspaces } from '../workspaces/workspaces.ts';
import type { CodeVault, Verification } from './code-vault.ts';

export const otpWaySchema = z.enum(['sms', 'voice', 'email', 'chat', 'in_app']);
/** The five ways to send a code (API §4.2, §4.4–4.7). */
export type OtpWay = z.infer<typeof otpWaySchema>;

/** The ways whose codes the program generates, and so can verify. */
export const verifiableWays: ReadonlySet<OtpWay> = new Set(['voice', 'email', 'chat']);

interface CodeSettings {
  length: number;
  minutes: number;
  attempts: number;
}

export type OtpRequest = CodeSettings &
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
  /** `shown`: an in-app token, returned only by the call that generated it. */
  (SpendResult & { shown?: Secret | undefined }) | { kind: 'no_email_configuration' };

/** What the ledger keeps of a send: never the code. */
export const otpSummarySchema = z.object({
  way: otpWaySchema,
  /** Masked. */
  to: z.string(),
  minutes: z.number(),
});
export type OtpSummary = z.infer<typeof otpSummarySchema>;

export interface OtpService {
  /** Sends a code, or has the provider generate one, once for its key. */
  send(request: {
    workspaceId: string;
    userId: string;
    key: string;
    channelId?: string | undefined;
    code: OtpRequest;
  }): Promise<SendOtpResult>;
  /** `key` is the key of the send. */
  verify(workspaceId: string, key: string, userId: string, typed: string): Promise<Verification>;
  /** Returns the user's sends whose codes can still be verified, newest first. */
  listVerifiable(workspaceId: string, userId: string): Promise<Operation[]>;
}

/** How many operations are searched. */
const searchDepth = 50;
const maxMinutes = 60;

export function createOtpService(options: {
  workspaces: Workspaces;
  operations: Operations;
  codeVault: CodeVault;
  clock: Clock;
}): OtpService {
  const { workspaces, operations, codeVault } = options;

  return {
    async send({ workspaceId, userId, key, channelId, code }) {
      const before = await operations.find(workspaceId, key, userId);
      if (before !== undefined) {
        return { kind: 'performed', operation: before, first: false };
      }
      const { emailConfigurationId } = await workspaces.defaults(workspaceId);
      let shown: Secret | undefined;
      const summary: OtpSummary = { way: code.way, to: maskRecipient(code), minutes: code.minutes };
      const result = await operations.spend(
        {
          workspaceId,
          key,
          kind: `otp.${code.way}`,
          userId,
          summary,
          numbers: code.way === 'email' ? undefined : [code.to],
          channelId: channelId || undefined,
        },
        async (account) => {
          if (code.way === 'in_app') {
            const outcome = await account.tokens.generate({ phoneNumber: toDigits(code.to), ...pinOf(code) });
            shown = outcome.kind === 'accepted' ? outcome.value.otp : undefined;
            return toEnding(outcome, ({ pinId }) => ({ providerId: pinId }));
          }
          if (code.way === 'sms') {
            return sendProviderCode(account, code);
          }
          const made = await codeVault.create(workspaceId, key, { userId, ...code });
          const ending = await sendOwnCode(account, code, made, emailConfigurationId ?? '');
          if (ending.state === 'rejected' || ending.state === 'not_sent') {
            await codeVault.delete(workspaceId, key, userId);
          }
          return ending;
        },
        async () =>
          code.way === 'email' && emailConfigurationId === undefined
            ? { kind: 'no_email_configuration' as const }
            : undefined,
      );
      return result.kind === 'performed' && result.first ? { ...result, shown } : result;
    },

    verify: (workspaceId, key, userId, typed) => codeVault.verify(workspaceId, key, userId, typed),

    async listVerifiable(workspaceId, userId) {
      const oldest = options.clock().getTime() - maxMinutes * 60_000;
      const recent = await operations.recent(workspaceId, userId, searchDepth);
      return recent.filter(
        ({ kind, state, createdAt }) =>
          [...verifiableWays].some((way) => kind === `otp.${way}`) &&
          (state === 'accepted' || state === 'unconfirmed') &&
          createdAt.getTime() >= oldest,
      );
    },
  };
}

/** Has the provider generate and send the code; only the provider can verify it. */
async function sendProviderCode(
  account: ProviderAccount,
  code: OtpRequest & { way: 'sms' },
): Promise<Ending> {
  const outcome = await account.tokens.send({
    to: toDigits(code.to),
    from: code.senderId,
    // API §1: on the generic route codes may not arrive, and the sender ID may be blocked.
    route: 'dnd',
    pinPlaceholder: code.placeholder,
    text: code.text,
    ...pinOf(code),
  });
  return toEnding(outcome, ({ pinId }) => ({ providerId: pinId }));
}

async function sendOwnCode(
  account: ProviderAccount,
  code: OtpRequest & { way: 'voice' | 'email' | 'chat' },
  made: Secret,
  emailConfigurationId: string,
): Promise<Ending> {
  const accepted = ({ messageId, balance }: { messageId: string; balance?: string | undefined }) => ({
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

function pinOf(code: CodeSettings & { kind: 'NUMERIC' | 'ALPHANUMERIC' }) {
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
