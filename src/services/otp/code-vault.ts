import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Keyv } from 'keyv';
import { z } from 'zod';
import type { Clock, Stopwatch } from '../../lib/clock.ts';
import { createKeyedMutex } from '../../lib/keyed-mutex.ts';
import { Secret } from '../../lib/secret.ts';
import { ownId } from '../operations/ownership.ts';

/** What came of comparing what a customer read back. `used`: it matched before, and is good once only. */
export type Verification =
  | { kind: 'match' }
  | { kind: 'wrong'; left: number }
  | { kind: 'expired' }
  | { kind: 'used_up' }
  | { kind: 'used' }
  | { kind: 'gone' };

/** The codes that the program makes itself, since the provider cannot verify them (API §4.2, §4.6, §4.7). */
export interface CodeVault {
  /** Makes a code of `length` digits, each as likely as the next, and keeps what it can be recognised by. */
  create(workspaceId: string, id: string, code: NewCode): Promise<Secret>;
  /** Forgets a code that was never sent. */
  delete(workspaceId: string, id: string, userId: string): Promise<void>;
  /** Compares, in constant time. Each try counts, and a code is good once. */
  verify(workspaceId: string, id: string, userId: string, typed: string): Promise<Verification>;
}

export interface NewCode {
  /** Who may verify it: the person who sent it. */
  userId: string;
  length: number;
  minutes: number;
  attempts: number;
}

const keptSchema = z.object({
  /** A keyed hash of the code, under a key of its own; the code itself is nowhere. */
  hash: z.string(),
  hashKey: z.string(),
  /** When it was made, and when it ends, by the clock. */
  madeAt: z.number().default(0),
  expiresAt: z.number(),
  /** When it was made, by what `elapsed` said. */
  madeAtElapsed: z.number().default(0),
  left: z.number().int(),
  used: z.boolean(),
});
type Kept = z.infer<typeof keptSchema>;

/** How long after its end a code is still known, so that it can be told from one that never was. */
const rememberedFor = 24 * 60 * 60_000;
/** In milliseconds: what a clock may be put back by while it runs well. */
const mayDiffer = 5_000;

export function createCodeVault(options: {
  keyv: (workspaceId: string, area: string) => Keyv;
  clock: Clock;
  elapsed: Stopwatch;
}): CodeVault {
  const { clock, elapsed } = options;
  const codes = (workspaceId: string) => options.keyv(workspaceId, 'codes');
  const inTurn = createKeyedMutex();

  async function read(workspaceId: string, id: string): Promise<Kept | undefined> {
    const value: unknown = await codes(workspaceId).get(id);
    return value === undefined ? undefined : keptSchema.parse(value);
  }

  async function write(workspaceId: string, id: string, kept: Kept): Promise<void> {
    const remembered = kept.expiresAt + rememberedFor - clock().getTime();
    await codes(workspaceId).set(id, kept, Math.max(1, remembered));
  }

  async function compare(workspaceId: string, id: string, typed: string): Promise<Verification> {
    const kept = await read(workspaceId, id);
    if (kept === undefined) {
      return { kind: 'gone' };
    }
    if (kept.used) {
      return { kind: 'used' };
    }
    if (kept.left === 0) {
      return { kind: 'used_up' };
    }
    if (isOver(kept, clock().getTime(), elapsed())) {
      return { kind: 'expired' };
    }
    const digits = typed.replace(/[\s-]/g, '');
    const isRight = timingSafeEqual(hash(digits, kept.hashKey), Buffer.from(kept.hash, 'base64'));
    const left = kept.left - 1;
    await write(workspaceId, id, { ...kept, left, used: isRight });
    if (isRight) {
      return { kind: 'match' };
    }
    return left === 0 ? { kind: 'used_up' } : { kind: 'wrong', left };
  }

  return {
    async create(workspaceId, id, { userId, length, minutes, attempts }) {
      const code = Array.from({ length }, () => randomInt(10)).join('');
      const hashKey = randomBytes(32).toString('base64');
      const madeAt = clock().getTime();
      await write(workspaceId, ownId(userId, id), {
        hash: hash(code, hashKey).toString('base64'),
        hashKey,
        madeAt,
        expiresAt: madeAt + minutes * 60_000,
        madeAtElapsed: elapsed(),
        left: attempts,
        used: false,
      });
      return new Secret(code);
    },

    async delete(workspaceId, id, userId) {
      await codes(workspaceId).delete(ownId(userId, id));
    },

    verify(workspaceId, id, userId, typed) {
      // One after the other for one code: two tries at the same moment must not count as one.
      const own = ownId(userId, id);
      return inTurn(JSON.stringify([workspaceId, own]), () => compare(workspaceId, own, typed));
    },
  };
}

/**
 * Whether a code is too old by either clock, or was made later than it is now: set back, a clock must not let codes live
 * on. What `elapsed` says may have begun anew since, with the machine; then it says nothing.
 */
function isOver({ madeAt, expiresAt, madeAtElapsed }: Kept, now: number, elapsed: number): boolean {
  return now >= expiresAt || now < madeAt - mayDiffer || elapsed - madeAtElapsed >= expiresAt - madeAt;
}

function hash(code: string, key: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'base64')).update(code).digest();
}
