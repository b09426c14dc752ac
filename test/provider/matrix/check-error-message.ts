import { inspect } from 'node:util';
import type { FailureKind, ProviderError } from '../../../src/provider/errors.ts';
import type { Values } from '../conformance/valid-requests.ts';
import type { Operation } from '../description/types.ts';
import type { Fault } from './faults.ts';

/** Values that no error may contain: the key, phone numbers and one-time codes. */
function secretsIn({
  api_key,
  'contact.api_key': keyOfUpload,
  to,
  phone_number,
  code,
  channel,
  sms,
}: Values) {
  const codes = [code, ...(channel === 'chatapp_otp' ? [sms] : [])];
  return [api_key, keyOfUpload, to, phone_number, codes]
    .flat(2)
    .flatMap((value) => value ?? [])
    .map(String);
}

/** A message of a provider that repeats the request's values, also in a URL. */
export function messageQuoting(values: Values): string {
  const secrets = secretsIn(values);
  const query = secrets.map((secret, index) => `field${index}=${secret}`).join('&');
  return `Refused ${secrets.join(', ')}, see https://provider.example/help?${query}#top.`;
}

/** Only these operations reach a recipient. */
const sends = /^messages\.|^tokens\.(?:send|call|email)$/;

/** How a message reports what became of the request. */
function fateOf({ name, idempotent }: Operation, kind: FailureKind): RegExp {
  const isSend = sends.test(name);
  if (idempotent) {
    return /^(?!.*(?:Nothing was|may or may not have))/;
  }
  if (kind === 'unconfirmed') {
    return isSend ? / may or may not have been sent\./ : / may or may not have taken effect\./;
  }
  return isSend ? / Nothing was sent\./ : / Nothing was changed\./;
}

/** The last sentence of a message, which says what to do. */
const advice = /[.] (?:Try again|Correct|Choose|Check|Ask|Tell|If this happens again|Top)[^.]*\.$/;

/** Everything wrong with an error message for its reader. */
export function errorMessageFaults(
  operation: Operation,
  { message: says, receiptMessage: saysOfReceipt }: Fault,
  { kind, error }: { kind: FailureKind; error: ProviderError },
  values: Values,
): string[] {
  const { message } = error;
  const everything = inspect(error, { depth: 9 });
  const exposed = secretsIn(values).filter((secret) => everything.includes(secret));
  const shortcomings = {
    'does not say what happened': !says.test(message),
    'does not say that it may have been done all the same':
      error.sent === 'maybe' && saysOfReceipt?.test(message) === false,
    'does not say what became of it': !fateOf(operation, kind).test(message),
    'does not say what to do': !advice.test(message),
    'asks to do it a second time': error.sent === 'maybe' && /try again/i.test(message),
    'is not in whole sentences': !/^[A-Z].*\.$/.test(message) || /undefined|\[object|[{}]| {2}/.test(message),
    'is too long to be read': message.length > 700,
    'holds a query string': /\?\w+=/.test(everything),
    [`exposes ${exposed}`]: exposed.length > 0,
  };
  return Object.entries(shortcomings).flatMap(([what, is]) => (is ? [`${what}: ${message}`] : []));
}
