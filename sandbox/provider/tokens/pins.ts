import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { addMinutes } from '../../lib/lagos-time.ts';
import type { OperationContext } from '../operation.ts';
import type { Pin } from '../state/state.ts';

const pinType = z.enum(['NUMERIC', 'ALPHANUMERIC']);

/** What a pin is to be like (API §2.3). */
export const pinFields = {
  pin_type: pinType,
  pin_attempts: z.int().min(1, 'must be at least 1'),
  pin_time_to_live: z.int().min(0, 'must be 0 to 60').max(60, 'must be 0 to 60'),
  pin_length: z.int().min(4, 'must be 4 to 8').max(8, 'must be 4 to 8'),
};

/** The request form of API §4.4 shows this one beside `pin_type`, with the same kind of value. */
export const messageType = pinType.exactOptional();

type PinWishes = z.infer<z.ZodObject<typeof pinFields>>;

/** A pin for a number, as it was wished for. It counts once it is in the state. */
export function newPin(wishes: PinWishes, number: string, { account, now }: OperationContext): Pin {
  return {
    id: randomUUID(),
    account: account.key,
    number,
    code: newCode(wishes),
    attemptsLeft: wishes.pin_attempts,
    expiresAt: addMinutes(now, wishes.pin_time_to_live).toISOString(),
  };
}

const alphabets = { NUMERIC: '0123456789', ALPHANUMERIC: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ' };

function newCode({ pin_type: type, pin_length: length }: PinWishes): string {
  const alphabet = alphabets[type];
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
