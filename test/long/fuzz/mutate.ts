import fc from 'fast-check';
import type { Json } from '../../../sandbox/lib/json.ts';
import { isObject } from './samples.ts';

/** Each number of the path selects an entry, modulo the number of entries. */
export interface Mutation {
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

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  path: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 8 }),
  what: fc.oneof(
    { weight: 3, arbitrary: oddJson.map((put) => ({ put })) },
    { weight: 2, arbitrary: fc.constant('remove' as const) },
    { weight: 1, arbitrary: fc.constant('double' as const) },
  ),
});

/** Copies only the objects along the path, because the samples are large and shared. */
export function mutate(body: Json, { path: [step, ...rest], what }: Mutation): Json {
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
