import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { ownId } from '../../domain/access/ownership.ts';
import { readTypedCode } from '../../domain/otp/typed-code.ts';
import { Secret } from '../../lib/secret.ts';
import type { ProviderError } from '../../provider/errors.ts';
import type { Context } from '../context.ts';
import { formOf, type OtpForm, type OwnCode, otpFormSchema } from './code-form.ts';

/** The result of comparing the code that a customer read back. `used`: it matched before, and is valid only once. */
export type Verification =
  | { kind: 'match' }
  /** What was typed is no code of this length, and was not compared: no attempt is lost. */
  | { kind: 'malformed'; length: number; hasLetters?: boolean | undefined }
  | { kind: 'wrong'; left: number }
  | { kind: 'expired' }
  | { kind: 'used_up' }
  | { kind: 'used' }
  | { kind: 'gone' };

/** Why a code of the provider’s was not verified: `unconfirmed` where it may have been, and an attempt is lost. */
export interface UnansweredVerification {
  kind: 'unanswered' | 'unconfirmed';
  left: number;
  error: ProviderError;
}

/** One-time codes that the program generates itself, to verify them: the description has no operation for that. */
export interface CodeVault {
  /** Generates a code of uniformly random digits, and stores what is needed to verify it and to send another one. */
  create(workspaceId: string, id: string, code: NewCode): Promise<Secret>;
  /** Deletes a code that was never sent. */
  delete(workspaceId: string, id: string, userId: string): Promise<void>;
  /** Compares in constant time. Each comparison counts as an attempt, and a code matches only once. */
  verify(workspaceId: string, id: string, userId: string, typed: string): Promise<Verification>;
  /** Returns the form that a code was sent with, while the code is kept. */
  formOf(workspaceId: string, id: string, userId: string): Promise<OtpForm | undefined>;
}

export interface NewCode {
  /** The user who sent it, who alone may verify it. */
  userId: string;
  code: OwnCode;
}

const storedSchema = z.object({
  /** A hash of the code under its own key. The code itself is not stored. */
  hash: z.string(),
  hashKey: z.string(),
  expiresAt: z.number(),
  left: z.number().int(),
  used: z.boolean(),
  /** Of digits. */
  length: z.int(),
  form: otpFormSchema,
});
type StoredCode = z.infer<typeof storedSchema>;

/** In milliseconds: how long an expired code is kept, to tell it from one that never existed. */
export const expiredTtl = 24 * 60 * 60_000;

export function createCodeVault({ store: { keyv, updateValue }, time: { now: clock } }: Context): CodeVault {
  const codes = (workspaceId: string) => keyv(workspaceId, 'codes');

  async function read(workspaceId: string, id: string): Promise<StoredCode | undefined> {
    const value: unknown = await codes(workspaceId).get(id);
    return value === undefined ? undefined : storedSchema.parse(value);
  }

  function timeToLive({ expiresAt }: StoredCode): number {
    return Math.max(1, expiresAt + expiredTtl - clock().getTime());
  }

  /** Returns what comparing yields, and the code as it is from then on; without one it stays as it is. */
  function compare(kept: StoredCode | undefined, typed: string): { is: Verification; then?: StoredCode } {
    if (kept === undefined) {
      return { is: { kind: 'gone' } };
    }
    if (kept.used) {
      return { is: { kind: 'used' } };
    }
    if (kept.left === 0) {
      return { is: { kind: 'used_up' } };
    }
    if (clock().getTime() >= kept.expiresAt) {
      return { is: { kind: 'expired' } };
    }
    const digits = readTypedCode(typed);
    if (!isCodeOf(digits, kept.length)) {
      return { is: { kind: 'malformed', length: kept.length } };
    }
    const isRight = timingSafeEqual(hash(digits, kept.hashKey), Buffer.from(kept.hash, 'base64'));
    const left = kept.left - 1;
    const then = { ...kept, left, used: isRight };
    if (isRight) {
      return { is: { kind: 'match' }, then };
    }
    return { is: left === 0 ? { kind: 'used_up' } : { kind: 'wrong', left }, then };
  }

  return {
    async create(workspaceId, id, { userId, code }) {
      const { length, minutes, attempts } = code;
      const digits = Array.from({ length }, () => randomInt(10)).join('');
      const hashKey = randomBytes(32).toString('base64');
      const kept = {
        hash: hash(digits, hashKey).toString('base64'),
        hashKey,
        expiresAt: clock().getTime() + minutes * 60_000,
        left: attempts,
        used: false,
        length,
        form: formOf(code),
      };
      await codes(workspaceId).set(ownId(userId, id), kept, timeToLive(kept));
      return new Secret(digits);
    },

    async delete(workspaceId, id, userId) {
      await codes(workspaceId).delete(ownId(userId, id));
    },

    formOf: async (workspaceId, id, userId) => (await read(workspaceId, ownId(userId, id)))?.form,

    async verify(workspaceId, id, userId, typed) {
      let result: Verification = { kind: 'gone' };
      // In one step: two attempts at the same moment are two, and a code matches once, on whichever instances they are.
      await updateValue({ workspaceId, area: 'codes', key: ownId(userId, id) }, (value) => {
        const { is, then } = compare(storedSchema.optional().parse(value), typed);
        result = is;
        return then === undefined ? 'keep' : { set: then, ttl: timeToLive(then) };
      });
      return result;
    },
  };
}

function isCodeOf(digits: string, length: number): boolean {
  return digits.length === length && /^\d+$/.test(digits);
}

function hash(code: string, key: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(code).digest();
}
