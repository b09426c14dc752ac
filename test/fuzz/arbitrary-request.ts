import fc from 'fast-check';
import type { Json } from '../../sandbox/lib/json.ts';
import { oddRequestLines } from '../support/http/raw-client.ts';
import { json, urlEncoded } from '../support/slack/signed-request.ts';
import { isObject, type Sample } from './samples.ts';

export type FuzzRequest =
  | { kind: 'line'; line: string }
  | { kind: 'get'; path: string }
  | {
      kind: 'post';
      body: string;
      contentType: string;
      signing: 'right' | 'wrong' | 'old' | 'none';
    };

/** Each number of the path selects an entry, modulo the number of entries. */
interface Mutation {
  path: readonly number[];
  what: { put: Json } | 'remove' | 'double';
}

const oddJson = fc.oneof(
  fc.constantFrom<Json>(null, '', 0, -1, 1e308, true, false, [], {}, [null], [[]], { id: null }, '__proto__'),
  fc.constantFrom<Json>(
    'constructor',
    'U0AGENT',
    'U0ADMIN',
    'U0GUEST',
    'T0ELSEWHERE',
    '\u0000',
    '\ud800',
    '😀',
  ),
  fc.string().map((text): Json => text),
  fc.constantFrom(100, 1_000, 10_000).map((length): Json => 'x'.repeat(length)),
  fc.constantFrom(10, 200).map((depth): Json => JSON.parse('['.repeat(depth) + ']'.repeat(depth))),
);

const mutation: fc.Arbitrary<Mutation> = fc.record({
  path: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 8 }),
  what: fc.oneof(
    { weight: 3, arbitrary: oddJson.map((put) => ({ put })) },
    { weight: 2, arbitrary: fc.constant('remove' as const) },
    { weight: 1, arbitrary: fc.constant('double' as const) },
  ),
});

const malformed = fc.oneof(
  fc.constantFrom(
    ...[
      '',
      'null',
      'true',
      '1',
      '"x"',
      '[]',
      '[null]',
      '{',
      '{}',
      '{"event":null}',
      '{"type":"url_verification"}',
    ],
    ...[
      'payload=null',
      'payload=',
      'payload=%7B',
      'payload=[]',
      'payload=1',
      'payload=%7B%7D&payload=%7B%7D',
    ],
    ...[
      'ssl_check=1',
      'ssl_check=1&payload=null',
      '%%%=%%',
      '&&&&',
      'command',
      'command=/sms',
      'payload=%ff',
    ],
    ...[
      '{"type":"view_submission"}',
      '{"type":"block_actions","actions":[]}',
      '{"command":null}',
      '{"event":{}}',
    ],
  ),
  fc.string(),
  fc.json(),
  fc.json().map((text) => `payload=${encodeURIComponent(text)}`),
);

const signing = fc.oneof(
  { weight: 8, arbitrary: fc.constant('right' as const) },
  { weight: 1, arbitrary: fc.constantFrom('wrong' as const, 'old' as const, 'none' as const) },
);

const contentType = fc.constantFrom(json, urlEncoded, 'text/plain', `${json}; charset=utf-8`, '');

/** Requests of a stranger or of someone with the signing secret: mostly mutations of Slack's own. */
export function fuzzRequest(samples: readonly Sample[]): fc.Arbitrary<FuzzRequest> {
  const mutated = fc
    .record({
      sample: fc.constantFrom(...samples),
      mutations: fc.array(mutation, { maxLength: 3 }),
      trigger: fc.option(fc.nat()),
      signing,
    })
    .map(({ sample: { encoding, body }, mutations, trigger, signing }): FuzzRequest => {
      // Each user action has a new trigger id; with an old one most requests would be duplicates.
      const fresh: Json = trigger === null ? body : { ...body, trigger_id: `${trigger}.1.fuzz` };
      const result = mutations.reduce<Json>(mutate, fresh);
      return encoding === 'json'
        ? { kind: 'post', body: JSON.stringify(result), contentType: json, signing }
        : { kind: 'post', body: formOf(encoding, result), contentType: urlEncoded, signing };
    });
  const oddPost = fc
    .record({ body: malformed, contentType, signing })
    .map((post): FuzzRequest => ({ kind: 'post', ...post }));
  const get = fc
    .tuple(fc.constantFrom('/healthz', '/readyz', '/metrics', '/', '/slack/events'), fc.string())
    .map(([path, query]): FuzzRequest => ({ kind: 'get', path: `${path}?${encodeURIComponent(query)}` }));
  const line = fc
    .oneof(
      fc.constantFrom(...oddRequestLines),
      fc.string().map((text) => `GET ${text} HTTP/1.1`),
      fc.string().map((text) => `GET http://${text} HTTP/1.1`),
      fc.string(),
    )
    .map((text): FuzzRequest => ({ kind: 'line', line: text }));
  return fc.oneof(
    { weight: 8, arbitrary: mutated },
    { weight: 4, arbitrary: oddPost },
    { weight: 1, arbitrary: get },
    { weight: 1, arbitrary: line },
  );
}

/** Copies only the objects along the path, because the samples are large and shared. */
function mutate(body: Json, { path: [step, ...rest], what }: Mutation): Json {
  if (step === undefined || (!isObject(body) && !Array.isArray(body))) {
    return body;
  }
  const keys = Object.keys(body);
  const key = keys[step % keys.length];
  if (key === undefined) {
    return body;
  }
  const copy = Array.isArray(body) ? [...body] : { ...body };
  const child: Json = Reflect.get(copy, key);
  if (rest.length > 0 && typeof child === 'object' && child !== null) {
    Reflect.set(copy, key, mutate(child, { path: rest, what }));
  } else if (what === 'remove') {
    Reflect.deleteProperty(copy, key);
  } else {
    Reflect.set(copy, key, what === 'double' ? [child, child] : what.put);
  }
  return copy;
}

function formOf(encoding: 'payload' | 'fields', body: Json): string {
  if (encoding === 'payload' || !isObject(body)) {
    return new URLSearchParams({ payload: JSON.stringify(body) }).toString();
  }
  return new URLSearchParams(
    Object.entries(body).map(([key, value]): [string, string] => [
      key,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();
}
