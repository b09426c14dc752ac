import { z } from 'zod';
import type { JsonObject } from '../lib/json.ts';
import { lagosTimestamp } from '../lib/lagos-time.ts';
import { ok } from './http/replies.ts';
import { ProviderErrorReply, pageOf, pagingFields } from './http/request-checks.ts';
import { type OperationHandler, operation } from './operation.ts';
import type { AcceptedMessage } from './state/state.ts';

// Operations known from the facts but absent from the description. In the app each is off by default.

/** A right code can be used once. A wrong one uses up an attempt; without attempts left, every code is wrong. */
const verifyToken = operation({
  name: 'beyond.verifyToken',
  method: 'POST',
  path: '/api/sms/otp/verify',
  fields: z.strictObject({ pin_id: z.string(), pin: z.string() }),
  answer({ pin_id: id, pin: code }, { account, state, now }) {
    const pin = state.pins.find((known) => known.id === id && known.account === account.key);
    if (!pin) {
      throw new ProviderErrorReply(404, `Pin not found: ${id}`);
    }
    const common = { pinId: id, msisdn: pin.number };
    if (new Date(pin.expiresAt) <= now) {
      return ok({ ...common, verified: 'Expired' });
    }
    const right = pin.attemptsLeft > 0 && pin.code === code;
    pin.attemptsLeft -= 1;
    if (!right) {
      return ok({ ...common, verified: false });
    }
    state.pins = state.pins.filter((known) => known !== pin);
    return ok({ ...common, verified: 'True' });
  },
});

const listPhonebooks = operation({
  name: 'beyond.phonebooks',
  method: 'GET',
  path: '/api/phonebooks',
  fields: z.strictObject(pagingFields),
  answer(paging, { account }) {
    const phonebooks = account.phonebooks.map(({ id, name, contacts, createdAt }) => ({
      id,
      name,
      total_number_of_contacts: contacts.length,
      date_created: createdAt,
    }));
    return ok(pageOf(phonebooks, paging));
  },
});

const balance = operation({
  name: 'beyond.balance',
  method: 'GET',
  path: '/api/get-balance',
  fields: z.strictObject({}),
  answer(_fields, { account: { balanceInKobo, name } }) {
    return ok({ balance: balanceInKobo / 100, currency: 'NGN', application: name, user: name });
  },
});

/** Lists an entry per recipient, the newest message first. */
const history = operation({
  name: 'beyond.history',
  method: 'GET',
  path: '/api/sms/inbox',
  fields: z.strictObject({ message_id: z.string().exactOptional() }),
  answer({ message_id: id }, { account, state }) {
    const messages = state.record.filter(
      (message) =>
        message.account === account.key &&
        message.channel !== 'email' &&
        (id === undefined || message.id === id),
    );
    return ok(messages.toReversed().flatMap(entries));
  },
});

function entries({ id, at, from, text, channel, costInKobo, deliveries }: AcceptedMessage): JsonObject[] {
  return deliveries.map(({ to, delivery }) => ({
    ...(from !== '' && { sender: from }),
    receiver: to,
    message: text,
    amount: costInKobo / 100 / deliveries.length,
    reroute: 0,
    status: delivery,
    sms_type: channel,
    send_by: 'api',
    message_id: id,
    created_at: lagosTimestamp(new Date(at)),
  }));
}

export const undocumentedOperations: readonly OperationHandler[] = [
  verifyToken,
  listPhonebooks,
  balance,
  history,
];
