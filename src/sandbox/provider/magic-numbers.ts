import { balanceTooLow, noRoute, Refusal, unknownSenderId, wrongKey } from './refusals.ts';
import { type Answer, errorBody, jsonAnswer, type Reply } from './replies.ts';
import type { Account } from './state.ts';

/** A request that passed every check but was not carried out yet. */
interface Checked {
  account: Account;
  path: string;
  /** Does what was asked for, and gives the answer to it. May throw a `Refusal`, which outdoes the fault. */
  carryOut(): Answer;
}

interface Victim extends Checked {
  /** The magic number's digits. */
  number: string;
  /** The sender, where the request is a message. */
  from: string | undefined;
}

interface Fault {
  number: string;
  /** For a person: what happens, and whether a message counts as accepted. */
  what: string;
  reply(victim: Victim): Reply;
}

const faults: readonly Fault[] = [
  {
    number: '2348030009001',
    what: 'No answer at all: the connection stays open until you give up. Nothing is accepted.',
    reply: () => ({ kind: 'silence' }),
  },
  {
    number: '2348030009002',
    what: 'The connection is cut before the request is carried out. Nothing is accepted.',
    reply: () => ({ kind: 'cut' }),
  },
  {
    number: '2348030009003',
    what: 'The connection is cut after the request was carried out. The message is accepted.',
    reply: ({ carryOut }) => {
      carryOut();
      return { kind: 'cut' };
    },
  },
  {
    number: '2348030009400',
    what: '400: the country is not activated. Nothing is accepted.',
    reply: () => refuse(new Refusal(400, 'Country Inactive. Contact Administrator to activate country.')),
  },
  {
    number: '2348030009401',
    what: '401, as for a wrong API key. Nothing is accepted.',
    reply: () => refuse(wrongKey()),
  },
  {
    number: '2348030009404',
    what: '404: the sender ID is not registered (or, in a check, the number is not known). Nothing is accepted.',
    reply: ({ account, from, number }) =>
      refuse(
        from === undefined ? new Refusal(404, `No entry for ${number}`) : unknownSenderId(account, from),
      ),
  },
  {
    number: '2348030009429',
    what: '429: too many requests, try again after one second. Nothing is accepted.',
    reply: () => refuse(new Refusal(429, 'Too many requests', { 'retry-after': '1' })),
  },
  {
    number: '2348030009500',
    what: '500: the provider broke down. Nothing is accepted.',
    reply: () => refuse(new Refusal(500, 'Internal server error')),
  },
  {
    number: '2348030009502',
    what: '502 with a page of HTML from a proxy in between. Nothing is accepted.',
    reply: () => ({
      kind: 'answer',
      status: 502,
      headers: { 'content-type': 'text/html' },
      body: '<html><head><title>502 Bad Gateway</title></head><body><h1>Bad Gateway</h1></body></html>',
    }),
  },
  {
    number: '2348030009601',
    what: '200 with broken JSON. The message is accepted.',
    reply: ({ carryOut }) => {
      const answer = carryOut();
      return { ...answer, body: answer.body.replaceAll('"', "'") };
    },
  },
  {
    number: '2348030009602',
    what: '200 with an empty body. The message is accepted.',
    reply: ({ carryOut }) => ({ ...carryOut(), body: '' }),
  },
  {
    number: '2348030009603',
    what: 'A slow success: the answer comes after ten seconds. The message is accepted.',
    reply: ({ carryOut }) => ({ ...carryOut(), slow: true }),
  },
  {
    number: '2348030009604',
    what: '200 whose body is an error (a balance that is too low). Nothing is accepted.',
    reply: ({ path }) => jsonAnswer(200, errorBody(400, balanceTooLow().message, path)),
  },
  {
    number: '2348030009605',
    what: '200 whose body is cut off in the middle. The message is accepted.',
    reply: ({ carryOut }) => ({ ...carryOut(), kind: 'half' }),
  },
  {
    number: '2348030009606',
    what: '400: the route is not activated on the account. Nothing is accepted.',
    reply: () => refuse(noRoute()),
  },
];

/** The numbers that bring on a fault, wherever a request names them, for the sandbox's page. */
export const magicNumbers: readonly { number: string; what: string }[] = faults.map(({ number, what }) => ({
  number: `+${number}`,
  what,
}));

/** What else a person can make up numbers by, for the sandbox's page. */
export const numberRules: readonly string[] = [
  'A Nigerian number that ends in 7 is on DND: a generic message to it is accepted and charged, but not delivered.',
  'The network goes by the prefix: +234803… is MTN, +234802… Airtel, +234805… Glo, +234809… 9mobile.',
  'A generic message to an MTN number is not delivered from 20:00 to 08:00 West Africa Time.',
];

/** Carries a request out, unless one of the numbers in its fields brings on a fault. */
export function magicReply(fields: Record<string, unknown>, request: Checked): Reply {
  const numbers = [fields.to, fields.phone_number].flat();
  const fault = faults.find(({ number }) => numbers.includes(number));
  if (!fault) return request.carryOut();
  const from = typeof fields.from === 'string' ? fields.from : undefined;
  return fault.reply({ ...request, number: fault.number, from });
}

function refuse(refusal: Refusal): never {
  throw refusal;
}
