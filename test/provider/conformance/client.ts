import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { LoggedRequest } from '../../../sandbox/lib/logged-request.ts';
import { Secret } from '../../../src/lib/secret.ts';
import type { ProviderAccount } from '../../../src/provider/client.ts';
import type { Outcome } from '../../../src/provider/outcome.ts';
import { lookUp } from './answers.ts';
import type { ClientFields } from './client-fields/language.ts';
import type { Values } from './requests.ts';

/** Calls the operation of this name, with an input that need not be of its type. */
export async function callClient(
  account: ProviderAccount,
  name: string,
  input: unknown,
): Promise<Outcome<unknown>> {
  const [resource = '', verb = ''] = name.split('.');
  const operations: unknown = Reflect.get(account, resource);
  assert.ok(typeof operations === 'object' && operations !== null, `the client has no ${resource}`);
  const call: unknown = Reflect.get(operations, verb);
  assert.ok(typeof call === 'function', `the client has no ${name}`);
  return Reflect.apply(call, operations, [input]);
}

/** The input of the client that has these values of a request; a file in it is its text. */
export async function inputOf({ takes }: ClientFields, values: Values): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(takes)) {
    if (!(name in values)) {
      continue;
    }
    const [outer = '', inner] = path.split('.');
    const given = values[name];
    const value = given instanceof Blob ? await given.text() : given;
    const holder = input[outer];
    if (inner === undefined) {
      input[outer] = value;
    } else if (typeof holder === 'object' && holder !== null) {
      input[outer] = { ...holder, [inner]: value };
    }
  }
  return input;
}

/** Where a value of the client lacks something that the answer has, or has it otherwise. */
export function faultsOfValue(
  { gives }: ClientFields,
  paths: readonly string[],
  answer: unknown,
  value: unknown,
): string[] {
  return paths.flatMap((path) => {
    const place = gives[path];
    if (place === undefined) {
      return [`${path} goes nowhere`];
    }
    const sent = lookUp(answer, path).values.filter((one) => one !== null && one !== '');
    const { values: got } = lookUp(value, place === 'raw' ? `raw.${path}` : place);
    const carried = sent.length === got.length && sent.every((one, index) => isSame(one, got[index]));
    return carried ? [] : [`${path}: ${JSON.stringify(sent)} is ${JSON.stringify(got)} as ${place}`];
  });
}

/** Whether the client's value says the same as the answer's: as a moment, as a text, or hidden. */
function isSame(sent: unknown, got: unknown): boolean {
  if (got instanceof Secret) {
    return isHidden(String(sent), got);
  }
  if (got instanceof Date) {
    return got.getTime() === momentOf(sent);
  }
  if (typeof sent === 'object') {
    return typeof got === 'object' && Array.isArray(sent) === Array.isArray(got);
  }
  return got === sent || got === String(sent) || got === String(sent).toLowerCase();
}

/** The sandbox's report of an answer shows only the end of a token. */
function isHidden(sent: string, got: Secret): boolean {
  const [, end] = /^•+(.+)$/.exec(sent) ?? [];
  return end === undefined ? got.reveal() === sent : got.reveal().endsWith(end);
}

/** A number counts milliseconds; a time without a zone is one of West Africa, an hour ahead of UTC all year. */
function momentOf(sent: unknown): number {
  if (typeof sent === 'number') {
    return sent;
  }
  const text = String(sent);
  return Date.parse(/^[\d-]+ [\d:]+$/.test(text) ? `${text.replace(' ', 'T')}+01:00` : text);
}

/** A value of the client with its secrets in the clear. */
export function unveiled(value: unknown): unknown {
  if (value instanceof Secret) {
    return value.reveal();
  }
  if (Array.isArray(value)) {
    return value.map(unveiled);
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, unveiled(held)]));
}

/** The answers of a sandbox, each by the id of the request that it is for. */
export function answersOf() {
  const exchanges = new Map<string, LoggedRequest>();
  const arrived = new EventEmitter();
  return {
    onExchange(exchange: LoggedRequest): void {
      exchanges.set(exchange.id, exchange);
      arrived.emit('exchange');
    },
    /** The sandbox reports an answer only once the client may have read it. */
    async answerTo({ id }: { id: string }): Promise<unknown> {
      for (;;) {
        const exchange = exchanges.get(id);
        if (exchange) {
          return exchange.answer;
        }
        await once(arrived, 'exchange');
      }
    },
  };
}
