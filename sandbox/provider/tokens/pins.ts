import { randomInt, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { addMinutes } from '../../lib/lagos-time.ts';
import type { OperationContext } from '../operation.ts';
import type { Pin } from '../state/state.ts';

const pinType = z.enum(['NUMERIC', 'ALPHANUMERIC']);

/** The properties of a requested pin (API §2.3). */
export const pinFields = {
  pin_type: pinType,
  pin_attempts: z.int().min(1, 'must be at least 1'),
  pin_time_to_live: z.int().min(0, 'must be 0 to 60').max(60, 'must be 0 to 60'),
  pin_length: z.int().min(4, 'must be 4 to 8').max(8, 'must be 4 to 8'),
};

/** The request of API §4.4 has this beside `pin_type`, with the same values. */
export const messageType = pinType.exactOptional();

type PinRequest = z.infer<z.ZodObject<typeof pinFields>>;

/** Creates a pin for a number. It is valid once it is in the state. */
export function newPin(request: PinRequest, number: string, { account, now }: OperationContext): Pin {
  return {
    id: randomUUID(),
    account: account.key,
    number,
    code: newCode(request),
    attemptsLeft: request.pin_attempts,
    expiresAt: addMinutes(now, request.pin_time_to_live).toISOString(),
  };
}

const alphabets = { NUMERIC: '0123456789', ALPHANUMERIC: '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ' };

function newCode({ pin_type: type, pin_length: length }: PinRequest): string {
  const alphabet = alphabets[type];
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
