import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { LoggedRequest } from '../../../sandbox/lib/logged-request.ts';
import { Secret } from '../../../src/lib/secret.ts';
import type { ProviderAccount } from '../../../src/provider/client.ts';
import type { Outcome } from '../../../src/provider/errors.ts';
import { valuesAt } from './check-response.ts';
import type { ClientFields } from './client-fields/types.ts';
import type { Values } from './valid-requests.ts';

/** Calls the operation with an input of any type. */
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

/** Builds the client's input from the values of a request, with a file as text. */
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

/** Every field of a response that the client's value lacks or has differently. */
export function valueFaults(
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
    const sent = valuesAt(answer, path).values.filter((one) => one !== null && one !== '');
    const { values: got } = valuesAt(value, place === 'raw' ? `raw.${path}` : place);
    const carried = sent.length === got.length && sent.every((one, index) => isSame(one, got[index]));
    return carried ? [] : [`${path}: ${JSON.stringify(sent)} is ${JSON.stringify(got)} as ${place}`];
  });
}

/** Whether the client's value equals the response's, as a date, as text, or as a secret. */
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

/** The sandbox's log shows only the end of a token. */
function isHidden(sent: string, got: Secret): boolean {
  const [, end] = /^•+(.+)$/.exec(sent) ?? [];
  return end === undefined ? got.reveal() === sent : got.reveal().endsWith(end);
}

/** A number is in milliseconds; a time without a zone is West Africa Time (UTC+1 all year). */
function momentOf(sent: unknown): number {
  if (typeof sent === 'number') {
    return sent;
  }
  const text = String(sent);
  return Date.parse(/^[\d-]+ [\d:]+$/.test(text) ? `${text.replace(' ', 'T')}+01:00` : text);
}

/** Replaces the secrets in a value by their content. */
export function revealSecrets(value: unknown): unknown {
  if (value instanceof Secret) {
    return value.reveal();
  }
  if (Array.isArray(value)) {
    return value.map(revealSecrets);
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) {
    return value;
  }
  return Object.fromEntries(Object.entries(value).map(([name, held]) => [name, revealSecrets(held)]));
}

/** Collects the sandbox's responses by request id. */
export function createResponseLog() {
  const exchanges = new Map<string, LoggedRequest>();
  const arrived = new EventEmitter();
  return {
    onExchange(exchange: LoggedRequest): void {
      exchanges.set(exchange.id, exchange);
      arrived.emit('exchange');
    },
    /** Waits, because the sandbox may log a response after the client has read it. */
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
