import { qrCodeShapes } from '../esims/qr.ts';
import { activationMinutes, gigabytesPerMinute } from '../esims/sims.ts';
import {
  countryInactive,
  invalidNumber,
  noRoute,
  ProviderErrorReply,
  unknownSenderId,
  wrongKey,
} from '../http/request-checks.ts';
import { uploadMinutes } from '../phonebooks/phonebooks.ts';
import { reviewMinutes } from '../sender-ids/sender-ids.ts';
import type { AccountState } from '../state/state.ts';
import { type ProviderFault, statusFault } from './faults.ts';

/** The parts of a request that a magic number's fault may depend on. */
interface MagicRequest {
  account: AccountState;
  /** The magic number's digits. */
  number: string;
  /** The sender of a message. Undefined for other requests. */
  from: string | undefined;
}

interface MagicNumber {
  number: string;
  /** For the page: what happens, and whether a message counts as accepted. */
  what: string;
  fault(request: MagicRequest): ProviderFault;
}

const magic: readonly MagicNumber[] = [
  {
    number: '2348030009001',
    what: 'No answer at all: the connection stays open until you give up. Nothing is accepted.',
    fault: () => ({ kind: 'silence' }),
  },
  {
    number: '2348030009002',
    what: 'The connection is cut before the request is carried out. Nothing is accepted.',
    fault: () => ({ kind: 'cut_before' }),
  },
  {
    number: '2348030009003',
    what: 'The connection is cut after the request was carried out. The message is accepted.',
    fault: () => ({ kind: 'cut_after' }),
  },
  {
    number: '2348030009400',
    what: '400: the country is not activated. Nothing is accepted.',
    fault: () => statusFault(countryInactive()),
  },
  {
    number: '2348030009401',
    what: '401, as for a wrong API key. Nothing is accepted.',
    fault: () => statusFault(wrongKey()),
  },
  {
    number: '2348030009404',
    what: '404: the sender ID is not registered (or, in a check, the number is not known). Nothing is accepted.',
    fault: ({ account, from, number }) =>
      statusFault(
        from === undefined
          ? new ProviderErrorReply(404, `No entry for ${number}`)
          : unknownSenderId(account, from),
      ),
  },
  {
    number: '2348030009422',
    what: '422: the number is not valid. Nothing is accepted.',
    fault: () => statusFault(invalidNumber()),
  },
  {
    number: '2348030009429',
    what: '429: too many requests, try again after one second. Nothing is accepted.',
    fault: () => statusFault(new ProviderErrorReply(429, 'Too many requests', { 'retry-after': '1' })),
  },
  {
    number: '2348030009500',
    what: '500: an error inside the provider. Nothing is accepted.',
    fault: () => statusFault(new ProviderErrorReply(500, 'Internal server error')),
  },
  {
    number: '2348030009502',
    what: '502 with an HTML page from a proxy. Nothing is accepted.',
    fault: () => ({ kind: 'bad_gateway' }),
  },
  {
    number: '2348030009601',
    what: '200 with broken JSON. The message is accepted.',
    fault: () => ({ kind: 'malformed_json' }),
  },
  {
    number: '2348030009602',
    what: '200 with an empty body. The message is accepted.',
    fault: () => ({ kind: 'empty' }),
  },
  {
    number: '2348030009603',
    what: 'A slow success: the answer comes after ten seconds. The message is accepted.',
    fault: () => ({ kind: 'slow_headers' }),
  },
  {
    number: '2348030009604',
    what: '200 with an error in its body: the balance is too low. Nothing is accepted.',
    fault: () => ({ kind: 'error_in_success' }),
  },
  {
    number: '2348030009605',
    what: '200 with a body that is cut off. The message is accepted.',
    fault: () => ({ kind: 'cut_body' }),
  },
  {
    number: '2348030009606',
    what: '400: the route is not activated on the account. Nothing is accepted.',
    fault: () => statusFault(noRoute()),
  },
  {
    number: '233241009400',
    what: '400: the country, Ghana, is not activated. Nothing is accepted.',
    fault: () => statusFault(countryInactive()),
  },
];

/** The numbers that trigger a fault in any request, for the page. */
export const magicNumbers: readonly { number: string; what: string }[] = magic.map(({ number, what }) => ({
  number: `+${number}`,
  what,
}));

/** The sandbox's other rules, for the page. */
export const numberRules: readonly string[] = [
  'A Nigerian number that ends in 7 is on Do-Not-Disturb: a Promotional (generic) message to it is accepted and charged, but not delivered.',
  'The prefix decides the network: +234803… is MTN, +234802… Airtel, +234805… Glo, +234809… 9mobile.',
  'A number that ends in 3 was ported. A number outside these networks is reported as fake.',
  'A Promotional (generic) message to an MTN number is not delivered from 8:00 PM to 8:00 AM WAT.',
  `A sender ID that you request becomes active after ${reviewMinutes} minutes. It is declined if its sample message contains “decline”.`,
  `Contacts that you upload appear after ${uploadMinutes} minute.`,
  `The plan of an eSIM becomes active ${activationMinutes} minutes after the purchase, and uses ${gigabytesPerMinute} GB a minute.`,
  `The second-to-last digit of an eSIM’s ICCID decides how its QR code is returned: ${qrCodeShapes
    .map((what, digit) => `${digit} ${what}`)
    .join(', ')}.`,
];

/** Returns the fault of the first magic number among a request's fields, if any. */
export function magicFault(
  fields: Record<string, unknown>,
  account: AccountState,
): ProviderFault | undefined {
  const numbers = [fields.to, fields.phone_number].flat();
  const found = magic.find(({ number }) => numbers.includes(number));
  const from = typeof fields.from === 'string' ? fields.from : undefined;
  return found?.fault({ account, number: found.number, from });
}
