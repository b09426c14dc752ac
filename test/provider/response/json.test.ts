import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../../../src/provider/response/response-body.ts';
import { rounds } from '../../support/sizes.ts';

test('keeps every digit of an id of 25 digits', () => {
  assert.deepEqual(parseJson('{"id":3017500000000000000000001}')?.value, { id: '3017500000000000000000001' });
});

test('keeps an amount as it was written', () => {
  assert.deepEqual(parseJson('[30.00, 20417.35, 1e3, -0, 7]')?.value, ['30.00', 20417.35, '1e3', '-0', 7]);
});

test('drops a __proto__ field at any depth', () => {
  const value = parseJson('{"a":{"__proto__":{"admin":true},"b":1}}')?.value;
  assert.deepEqual(value, { a: { b: 1 } });
});

test('returns undefined for invalid JSON', () => {
  for (const text of ['', '{', '{"a":1', 'NaN', "{'a':1}", '[1,]', '{"a":1} x']) {
    assert.equal(parseJson(text), undefined, text);
  }
});

test('refuses more than 64 levels of nesting, brackets in strings excluded', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  assert.ok(parseJson(nested(64)));
  assert.equal(parseJson(nested(65)), undefined);
  assert.equal(parseJson(nested(500_000)), undefined);
  assert.equal(parseJson('['.repeat(1_000_000)), undefined);
  const text = `\\"${'['.repeat(100)}`;
  assert.deepEqual(parseJson(`["${text}"]`)?.value, [`"${'['.repeat(100)}`]);
});

test('reads back any JSON that JavaScript writes', () => {
  const json = fc.jsonValue({ maxDepth: 5 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
  fc.assert(
    fc.property(json, (value) => {
      assert.deepEqual(parseJson(JSON.stringify(value))?.value, JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('keeps every digit of any whole number', () => {
  fc.assert(
    fc.property(fc.bigInt(), (id) => {
      const read = JSON.stringify(parseJson(`{"id":${id}}`)?.value);
      assert.equal(read.replaceAll('"', ''), `{id:${id}}`);
    }),
  );
});

test('reads any number as JavaScript writes it, or keeps it as written', () => {
  const digits = (most: number) =>
    fc.nat(most).chain((length) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`)));
  const whole = fc.oneof(
    fc.constant('0'),
    fc.tuple(fc.integer({ min: 1, max: 9 }), digits(24)).map((parts) => parts.join('')),
  );
  const fraction = fc.tuple(fc.nat(9), digits(9)).map(([first, more]) => `.${first}${more}`);
  const exponent = fc.constantFrom('e1', 'E-2', 'e+30');
  const spelling = fc
    .tuple(
      fc.constantFrom('', '-'),
      whole,
      fc.oneof(fc.constant(''), fraction),
      fc.oneof({ weight: 4, arbitrary: fc.constant('') }, exponent),
    )
    .map((parts) => parts.join(''));
  const around = fc.constantFrom(
    ['', ''],
    ['[', ']'],
    ['{"a":', '}'],
    ['[\t', '\n]'],
    ['{"a": ', ' }'],
    ['["-1",', ']'],
    ['[true, ', ',"x"]'],
  );
  fc.assert(
    fc.property(around, spelling, ([before, after], written) => {
      const text = `${before}${written}${after}`;
      const read = String(Number(written)) === written ? Number(written) : written;
      const expected: unknown = JSON.parse(`${before}${JSON.stringify(read)}${after}`);
      assert.deepEqual(parseJson(text)?.value, expected, text);
    }),
    { numRuns: rounds(250) },
  );
});

test('drops a __proto__ field however it is escaped', () => {
  for (const name of ['__proto__', '\\u005f_proto__', '__pr\\u006Fto__']) {
    const value = parseJson(`{"${name}":{"admin":true},"b":1}`)?.value;
    assert.deepEqual(Object.entries(value ?? {}), [['b', 1]], name);
  }
});
