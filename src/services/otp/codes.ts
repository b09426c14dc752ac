import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { ownId } from '../../domain/access/ownership.ts';
import { readTypedCode } from '../../domain/otp/one-time-code.ts';
import { Secret } from '../../lib/secret.ts';
import type { ProviderAccount } from '../../provider/client.ts';
import type { ProviderError } from '../../provider/errors.ts';
import type { TokenVerification } from '../../provider/tokens.ts';
import type { CodeAttempt } from '../../store/operations/code-trail.ts';
import type { Context } from '../context.ts';
import { formOf, type OtpForm, type OwnCode, otpFormSchema, type ProviderCode } from './code-form.ts';

/** The result of comparing the code that a customer read back. `used`: it matched before, and is valid only once. */
export type Verification =
  | { kind: 'match' }
  /** What was typed is no code of this length, and was not compared: no attempt is lost. */
  | { kind: 'malformed'; length: number; hasLetters?: boolean | undefined }
  | { kind: 'wrong'; left: number }
  | { kind: 'expired' }
  | { kind: 'used_up' }
  | { kind: 'used' }
  | { kind: 'gone' }
  /** The data was restored since the code was sent, and may have forgotten that it was used. */
  | { kind: 'restored' };

/** Why a code of the provider’s was not verified: `unconfirmed` where it may have been, and an attempt is lost. */
export interface UnansweredVerification {
  kind: 'unanswered' | 'unconfirmed';
  left: number;
  error: ProviderError;
}

/** Which code: the key of its send, and the user who sent it, who alone may verify it. */
interface CodeKey {
  workspaceId: string;
  id: string;
  userId: string;
}

const storedFields = {
  expiresAt: z.number(),
  /** Attempts. */
  left: z.int(),
  state: z.enum(['open', 'used', 'expired']),
  /** In characters. */
  length: z.int(),
  form: otpFormSchema,
};
const storedSchema = z.object(storedFields);
type StoredCode = z.infer<typeof storedSchema>;

/** What comes of a step, and the code as it is from then on; without one it stays as it is. */
interface Step<Code, Result> {
  is: Result;
  next?: Code | undefined;
  /** Recorded with the operations that sent the code. */
  attempted?: CodeAttempt | undefined;
  /** The keys of these operations. The first one is audited. Default: the code's own. */
  sentBy?: readonly string[] | undefined;
}

/** In milliseconds: how long an expired code is stored, to tell it from one that never existed. */
const expiredTtl = 24 * 60 * 60_000;

/** The codes of an area of the key-value store, each for as long as it can be verified, and a day. */
function createCodeStore<Code extends StoredCode>(
  { store: { keyv, updateValue, ledger }, time }: Context,
  { area, schema }: { area: string; schema: z.ZodType<Code> },
) {
  const timeToLive = ({ expiresAt }: StoredCode) =>
    Math.max(1, expiresAt + expiredTtl - time.now().getTime());

  return {
    async create({ workspaceId, id, userId }: CodeKey, code: Code): Promise<void> {
      await keyv(workspaceId, area).set(ownId(userId, id), code, timeToLive(code));
    },

    async delete(workspaceId: string, id: string, userId: string): Promise<void> {
      await keyv(workspaceId, area).delete(ownId(userId, id));
    },

    /** Returns the form that a code was sent with, while the code is stored. */
    async formOf(workspaceId: string, id: string, userId: string): Promise<OtpForm | undefined> {
      const value: unknown = await keyv(workspaceId, area).get(ownId(userId, id));
      return schema.optional().parse(value)?.form;
    },

    /** @param key of the operation that sent the code */
    async isLive(workspaceId: string, key: string): Promise<boolean> {
      const stored = schema.optional().parse(await keyv(workspaceId, area).get(key));
      return stored !== undefined && endOf(stored, time.now()) === undefined;
    },

    /**
     * In one step: two attempts at the same moment are two, and a code matches once, on whichever instances they are. What
     * was attempted is recorded with it.
     */
    change<Result>(
      { workspaceId, id, userId }: CodeKey,
      by: (stored: Code | undefined) => Step<Code, Result>,
    ): Promise<Result> {
      const key = ownId(userId, id);
      return ledger.attemptCode({ workspaceId, userId }, async (transaction) => {
        let done: Step<Code, Result> | undefined;
        const change = (value: unknown) => {
          done = by(schema.optional().parse(value));
          const { next } = done;
          return next === undefined ? ('keep' as const) : { set: next, ttl: timeToLive(next) };
        };
        await updateValue({ workspaceId, area, key }, change, transaction);
        if (done === undefined) {
          throw new TypeError('a change is always made');
        }
        return { result: done.is, attempted: done.attempted, keys: done.sentBy ?? [key] };
      });
    },
  };
}

/** Returns why a code can no longer match; undefined where it can. */
function endOf(stored: StoredCode, now: Date): Verification | undefined {
  if (stored.state === 'used') {
    return { kind: 'used' };
  }
  if (stored.left === 0) {
    return { kind: 'used_up' };
  }
  const isExpired = stored.state === 'expired' || now.getTime() >= stored.expiresAt;
  return isExpired ? { kind: 'expired' } : undefined;
}

const ownSchema = z.object({
  ...storedFields,
  /** The code, before it those that were sent later in its place: each of them verifies the number until it expires. */
  codes: z.array(
    z.object({
      /** The key of the operation that sent it. */
      key: z.string(),
      /** A hash of the code under its own key. The code itself is not stored. */
      hash: z.string(),
      hashKey: z.string(),
      expiresAt: z.number(),
    }),
  ),
});
type StoredOwnCode = z.infer<typeof ownSchema>;

/** Stored for a code that was sent in place of an earlier one, with which it shares its attempts and its end. */
const laterSchema = z.object({ insteadOf: z.string(), form: otpFormSchema });

const lastExpiry = (codes: StoredOwnCode['codes']) => Math.max(...codes.map(({ expiresAt }) => expiresAt));

/** One-time codes that the program generates itself, to verify them: the description has no operation for that. */
export function createCodeVault(context: Context) {
  const { time, store } = context;
  const codes = createCodeStore(context, { area: 'codes', schema: ownSchema });
  const findLater = async (workspaceId: string, key: string) =>
    laterSchema.safeParse(await store.keyv(workspaceId, 'codes').get(key)).data;
  /** Returns the key that a code is stored under: its own, or the key of the code that it replaces. */
  const storedAs = async (workspaceId: string, key: string) =>
    (await findLater(workspaceId, key))?.insteadOf ?? key;

  return {
    /** Returns the form that a code was sent with, while the code is stored. */
    formOf: async (workspaceId: string, id: string, userId: string) =>
      (await findLater(workspaceId, ownId(userId, id)))?.form ?? codes.formOf(workspaceId, id, userId),

    isLive: async (workspaceId: string, key: string): Promise<boolean> =>
      codes.isLive(workspaceId, await storedAs(workspaceId, key)),

    /** Deletes a code that was never sent. */
    async delete(workspaceId: string, id: string, userId: string): Promise<void> {
      const key = ownId(userId, id);
      const first = await storedAs(workspaceId, key);
      if (first !== key) {
        await codes.change({ workspaceId, id: first, userId }, (stored) => {
          const left = stored?.codes.filter((code) => code.key !== key) ?? [];
          return { is: undefined, next: stored && { ...stored, codes: left, expiresAt: lastExpiry(left) } };
        });
      }
      await codes.delete(workspaceId, id, userId);
    },

    /**
     * Generates a code of uniformly random digits, and stores the data to verify it and to send another one.
     *
     * @param insteadOf the key of the code it is sent in place of. Undefined is returned if that has ended
     */
    async create(
      workspaceId: string,
      id: string,
      {
        userId,
        code,
        expiresAt,
        insteadOf,
      }: { userId: string; code: OwnCode; expiresAt: Date; insteadOf?: string | undefined },
    ): Promise<Secret | undefined> {
      const { length, attempts } = code;
      const digits = Array.from({ length }, () => randomInt(10)).join('');
      const hashKey = randomBytes(32).toString('base64');
      const made = {
        key: ownId(userId, id),
        hash: hash(digits, hashKey).toString('base64'),
        hashKey,
        expiresAt: expiresAt.getTime(),
      };
      const form = formOf(code);
      if (insteadOf === undefined) {
        const stored = { codes: [made], expiresAt: made.expiresAt, left: attempts, length, form };
        await codes.create({ workspaceId, id, userId }, { ...stored, state: 'open' });
        return new Secret(digits);
      }
      const later = { insteadOf: ownId(userId, insteadOf), form };
      await store.keyv(workspaceId, 'codes').set(made.key, later, code.minutes * 60_000 + expiredTtl);
      const isAdded = await codes.change({ workspaceId, id: insteadOf, userId }, (stored) => {
        if (stored === undefined || endOf(stored, time.now()) !== undefined) {
          return { is: false };
        }
        const all = [made, ...stored.codes];
        return { is: true, next: { ...stored, codes: all, expiresAt: lastExpiry(all) } };
      });
      return isAdded ? new Secret(digits) : undefined;
    },

    /** Compares in constant time. Each comparison counts as an attempt, and only one code matches, once. */
    verify: async (workspaceId: string, id: string, userId: string, typed: string): Promise<Verification> =>
      codes.change({ workspaceId, id: await storedAs(workspaceId, ownId(userId, id)), userId }, (stored) =>
        compare(stored, typed, time.now()),
      ),
  };
}

function compare(
  stored: StoredOwnCode | undefined,
  typed: string,
  now: Date,
): Step<StoredOwnCode, Verification> {
  const ended = stored && endOf(stored, now);
  if (stored === undefined || ended !== undefined) {
    return { is: ended ?? { kind: 'gone' } };
  }
  const digits = readTypedCode(typed);
  if (digits.length !== stored.length || !/^\d+$/.test(digits)) {
    return { is: { kind: 'malformed', length: stored.length } };
  }
  const live = stored.codes.filter(({ expiresAt }) => now.getTime() < expiresAt);
  const right = live.filter((code) =>
    timingSafeEqual(hash(digits, code.hashKey), Buffer.from(code.hash, 'base64')),
  );
  const left = stored.left - 1;
  const sentBy = [...new Set([...right, ...live])].map(({ key }) => key);
  if (right.length > 0) {
    const next = { ...stored, left, state: 'used' } as const;
    return { is: { kind: 'match' }, next, attempted: 'verified', sentBy };
  }
  const next = { ...stored, left };
  return left === 0
    ? { is: { kind: 'used_up' }, next, attempted: 'used_up', sentBy }
    : { is: { kind: 'wrong', left }, next, attempted: 'wrong', sentBy };
}

function hash(code: string, key: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(code).digest();
}

const providerSchema = z.object({
  ...storedFields,
  /** The provider's id of it. */
  pinId: z.string(),
  hasLetters: z.boolean(),
});
type StoredProviderCode = z.infer<typeof providerSchema>;

/**
 * What is known of codes that the provider made and sent, which it verifies by an operation beyond the description.
 * Attempts are counted here too: before each request, as one whose answer does not come may have been counted there.
 */
export function createProviderCodes(context: Context) {
  const { time } = context;
  const codes = createCodeStore(context, { area: 'provider-codes', schema: providerSchema });

  return {
    formOf: codes.formOf,
    isLive: codes.isLive,

    async add(
      workspaceId: string,
      id: string,
      options: { userId: string; code: ProviderCode; pinId: string; expiresAt: Date },
    ): Promise<void> {
      const { userId, code, pinId } = options;
      const { length, attempts: left, characters } = code;
      const expiresAt = options.expiresAt.getTime();
      const hasLetters = characters === 'ALPHANUMERIC';
      const stored = { pinId, expiresAt, left, length, hasLetters, form: formOf(code) };
      await codes.create({ workspaceId, id, userId }, { ...stored, state: 'open' });
    },

    /** Asks the provider. A code matches once. */
    async verify(
      account: ProviderAccount,
      code: CodeKey,
      typed: string,
    ): Promise<Verification | UnansweredVerification> {
      const attempt = await codes.change(code, (stored) => begin(stored, typed, time.now()));
      if (attempt.kind !== 'begun') {
        return attempt;
      }
      const { pinId, left } = attempt;
      const outcome = await account.tokens.verify({ pinId, code: attempt.typed });
      if (outcome.kind === 'accepted') {
        const { verdict } = outcome.value;
        return codes.change(code, (stored) => settle(stored, verdict));
      }
      const { error } = outcome;
      if (outcome.kind !== 'not_sent') {
        return { kind: error.sent === 'maybe' ? 'unconfirmed' : 'unanswered', left, error };
      }
      // Nothing left, so no attempt is lost.
      await codes.change(code, (stored) => ({ is: undefined, next: stored && withAttempt(stored) }));
      return { kind: 'unanswered', left: left + 1, error };
    },
  };
}

function withAttempt(stored: StoredProviderCode): StoredProviderCode {
  return { ...stored, left: stored.left + 1 };
}

interface Begun {
  kind: 'begun';
  pinId: string;
  typed: string;
  left: number;
}

/** Takes an attempt, unless the code can no longer match. */
function begin(
  stored: StoredProviderCode | undefined,
  typed: string,
  now: Date,
): Step<StoredProviderCode, Verification | Begun> {
  const ended = stored && endOf(stored, now);
  if (stored === undefined || ended !== undefined) {
    return { is: ended ?? { kind: 'gone' } };
  }
  const read = readTypedCode(typed);
  const { length, hasLetters, pinId } = stored;
  if (read.length !== length || !(hasLetters ? /^[A-Za-z0-9]+$/ : /^\d+$/).test(read)) {
    return { is: { kind: 'malformed', length, hasLetters } };
  }
  const left = stored.left - 1;
  return { is: { kind: 'begun', pinId, typed: read, left }, next: { ...stored, left } };
}

/** Stores what the provider said. */
function settle(
  stored: StoredProviderCode | undefined,
  verdict: TokenVerification['verdict'],
): Step<StoredProviderCode, Verification> {
  if (stored === undefined) {
    return { is: { kind: 'gone' } };
  }
  const { state, left } = stored;
  // Another attempt at the same moment matched: the code stays verified, whatever this one was answered.
  if (state === 'used') {
    return { is: { kind: 'used' } };
  }
  switch (verdict) {
    case 'match':
      return { is: { kind: 'match' }, next: { ...stored, state: 'used' }, attempted: 'verified' };
    case 'expired':
      return { is: { kind: 'expired' }, next: { ...stored, state: 'expired' }, attempted: 'expired' };
    case 'wrong':
      return left === 0
        ? { is: { kind: 'used_up' }, attempted: 'used_up' }
        : { is: { kind: 'wrong', left }, attempted: 'wrong' };
  }
}
