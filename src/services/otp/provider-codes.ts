import { z } from 'zod';
import { ownId } from '../../domain/access/ownership.ts';
import { readTypedCode } from '../../domain/otp/typed-code.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { TokenVerification } from '../../provider/tokens.ts';
import type { Context } from '../context.ts';
import { formOf, type OtpForm, otpFormSchema, type ProviderCode } from './code-form.ts';
import { expiredTtl, type UnansweredVerification, type Verification } from './code-vault.ts';

/**
 * What is known of codes that the provider made and sent, which it verifies by an operation beyond the description.
 * Attempts are counted here too: before each request, as one whose answer does not come may have been counted there.
 */
export interface ProviderCodes {
  keep(workspaceId: string, id: string, code: SentProviderCode): Promise<void>;
  /** Asks the provider. A code matches once. */
  verify(
    account: ProviderAccount,
    code: { workspaceId: string; id: string; userId: string },
    typed: string,
  ): Promise<Verification | UnansweredVerification>;
  /** Returns the form that a code was sent with, while the code is kept. */
  formOf(workspaceId: string, id: string, userId: string): Promise<OtpForm | undefined>;
}

interface SentProviderCode {
  /** The user who sent it, who alone may verify it. */
  userId: string;
  code: ProviderCode;
  /** The provider's id of it. */
  pinId: string;
}

const storedSchema = z.object({
  pinId: z.string(),
  expiresAt: z.number(),
  left: z.int(),
  state: z.enum(['open', 'used', 'expired']),
  length: z.int(),
  hasLetters: z.boolean(),
  form: otpFormSchema,
});
type StoredCode = z.infer<typeof storedSchema>;

interface Begun {
  kind: 'begun';
  pinId: string;
  typed: string;
  left: number;
}

export function createProviderCodes({
  store: { keyv, updateValue },
  time: { now: clock },
}: Context): ProviderCodes {
  const timeToLive = ({ expiresAt }: StoredCode) => Math.max(1, expiresAt + expiredTtl - clock().getTime());

  async function change<Result>(
    workspaceId: string,
    key: string,
    by: (kept: StoredCode | undefined) => { is: Result; next?: StoredCode | undefined },
  ): Promise<Result> {
    let result: { is: Result } | undefined;
    await updateValue({ workspaceId, area: 'provider-codes', key }, (value) => {
      const { is, next } = by(storedSchema.optional().parse(value));
      result = { is };
      return next === undefined ? 'keep' : { set: next, ttl: timeToLive(next) };
    });
    if (result === undefined) {
      throw new TypeError('a change is always made');
    }
    return result.is;
  }

  /** Takes an attempt, unless the code can no longer match. */
  function begin(
    kept: StoredCode | undefined,
    typed: string,
  ): { is: Verification | Begun; next?: StoredCode } {
    const ended = endOf(kept);
    if (kept === undefined || ended !== undefined) {
      return { is: ended ?? { kind: 'gone' } };
    }
    const read = readTypedCode(typed);
    const { length, hasLetters, pinId } = kept;
    if (read.length !== length || !(hasLetters ? /^[A-Za-z0-9]+$/ : /^\d+$/).test(read)) {
      return { is: { kind: 'malformed', length, hasLetters } };
    }
    const left = kept.left - 1;
    return { is: { kind: 'begun', pinId, typed: read, left }, next: { ...kept, left } };
  }

  function endOf(kept: StoredCode | undefined): Verification | undefined {
    if (kept === undefined) {
      return { kind: 'gone' };
    }
    if (kept.state === 'used') {
      return { kind: 'used' };
    }
    if (kept.left === 0) {
      return { kind: 'used_up' };
    }
    const isExpired = kept.state === 'expired' || clock().getTime() >= kept.expiresAt;
    return isExpired ? { kind: 'expired' } : undefined;
  }

  return {
    async keep(workspaceId, id, { userId, code, pinId }) {
      const kept: StoredCode = {
        pinId,
        expiresAt: clock().getTime() + code.minutes * 60_000,
        left: code.attempts,
        state: 'open',
        length: code.length,
        hasLetters: code.characters === 'ALPHANUMERIC',
        form: formOf(code),
      };
      await keyv(workspaceId, 'provider-codes').set(ownId(userId, id), kept, timeToLive(kept));
    },

    async formOf(workspaceId, id, userId) {
      const value: unknown = await keyv(workspaceId, 'provider-codes').get(ownId(userId, id));
      return value === undefined ? undefined : storedSchema.parse(value).form;
    },

    async verify(account, { workspaceId, id, userId }, typed) {
      const key = ownId(userId, id);
      const begun = await change(workspaceId, key, (kept) => begin(kept, typed));
      if (begun.kind !== 'begun') {
        return begun;
      }
      const { pinId, left } = begun;
      const outcome = await account.tokens.verify({ pinId, code: begun.typed });
      if (outcome.kind === 'accepted') {
        const { verdict } = outcome.value;
        return change(workspaceId, key, (kept) => settle(kept, verdict));
      }
      const { error } = outcome;
      if (outcome.kind !== 'not_sent') {
        return { kind: error.sent === 'maybe' ? 'unconfirmed' : 'unanswered', left, error };
      }
      // Nothing left, so no attempt is lost.
      await change(workspaceId, key, (kept) => ({
        is: undefined,
        next: kept && { ...kept, left: kept.left + 1 },
      }));
      return { kind: 'unanswered', left: left + 1, error };
    },
  };
}

/** Stores what the provider said. */
function settle(
  kept: StoredCode | undefined,
  verdict: TokenVerification['verdict'],
): { is: Verification; next?: StoredCode } {
  if (kept === undefined) {
    return { is: { kind: 'gone' } };
  }
  switch (verdict) {
    case 'match':
      return kept.state === 'used'
        ? { is: { kind: 'used' } }
        : { is: { kind: 'match' }, next: { ...kept, state: 'used' } };
    case 'expired':
      return {
        is: { kind: 'expired' },
        next: { ...kept, state: kept.state === 'used' ? 'used' : 'expired' },
      };
    case 'wrong':
      return { is: kept.left === 0 ? { kind: 'used_up' } : { kind: 'wrong', left: kept.left } };
  }
}
