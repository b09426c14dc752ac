import { inspect } from 'node:util';
import type { FailureKind, ProviderError } from '../../../src/provider/errors.ts';
import type { Values } from '../conformance/valid-requests.ts';
import type { Operation } from '../description/types.ts';
import type { Fault } from './faults.ts';

/** What of a request nobody may read in an error: the key, who it is about, and one-time codes. */
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

/** The words of a provider that repeats what it was given, as some do, and in an address at that. */
export function quotationOf(values: Values): string {
  const secrets = secretsIn(values);
  const query = secrets.map((secret, index) => `field${index}=${secret}`).join('&');
  return `Refused ${secrets.join(', ')}, see https://provider.example/help?${query}#top.`;
}

/** By the resource and the verb: only some operations reach a person outside. */
const sends = /^messages\.|^tokens\.(?:send|call|email)$/;

/** How a message says what became of a request. */
function fateOf({ name, idempotent }: Operation, kind: FailureKind): RegExp {
  const isSend = sends.test(name);
  switch (kind) {
    case 'not_sent':
      return /^[^.]* was not sent\./;
    case 'rejected':
      if (idempotent) {
        return /^The provider refused /;
      }
      return isSend
        ? /^The provider refused .* Nothing was sent\./
        : /^The provider refused .* Nothing was done\./;
    case 'unconfirmed':
      if (idempotent) {
        return /^[^.]* got no usable answer\./;
      }
      return isSend
        ? /^Unconfirmed: [^.]* may have been sent, or not\./
        : /^Unconfirmed: [^.]* may have been carried out, or not\./;
  }
}

/** The last sentence of a message, where it says what to do. */
const advice =
  /[.] (?:Try again|Have the provider’s|Connect a|Choose|Check|Ask|Top|It is not repeated by itself: find out)[^.]*\.$/;

/** What is wrong with an error for the person who reads it. */
export function shortcomingsForAPerson(
  operation: Operation,
  { says, saysOfReceipt }: Fault,
  { kind, error }: { kind: FailureKind; error: ProviderError },
  values: Values,
): string[] {
  const { message } = error;
  const everything = inspect(error, { depth: 9 });
  const told = secretsIn(values).filter((secret) => everything.includes(secret));
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
    [`tells ${told}`]: told.length > 0,
  };
  return Object.entries(shortcomings).flatMap(([what, is]) => (is ? [`${what}: ${message}`] : []));
}
