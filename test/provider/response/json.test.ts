import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../../../src/provider/response/json.ts';

test('an id of 25 digits keeps every digit', () => {
  assert.deepEqual(parseJson('{"id":3017500000000000000000001}')?.value, { id: '3017500000000000000000001' });
});

test('an amount stays as it was written', () => {
  assert.deepEqual(parseJson('[30.00, 18599.65, 1e3, -0, 7]')?.value, ['30.00', 18599.65, '1e3', '-0', 7]);
});

test('a __proto__ field is dropped, wherever it stands', () => {
  const value = parseJson('{"a":{"__proto__":{"admin":true},"b":1}}')?.value;
  assert.deepEqual(value, { a: { b: 1 } });
});

test('what is not JSON is undefined', () => {
  for (const text of ['', '{', '{"a":1', 'NaN', "{'a':1}", '[1,]', '{"a":1} x']) {
    assert.equal(parseJson(text), undefined, text);
  }
});

test('absurd nesting is refused, brackets in a string are not nesting', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  assert.ok(parseJson(nested(64)));
  assert.equal(parseJson(nested(65)), undefined);
  assert.equal(parseJson(nested(500_000)), undefined);
  assert.equal(parseJson('['.repeat(1_000_000)), undefined);
  const text = `\\"${'['.repeat(100)}`;
  assert.deepEqual(parseJson(`["${text}"]`)?.value, [`"${'['.repeat(100)}`]);
});

test('any JSON that JavaScript writes is read back as it was', () => {
  const json = fc.jsonValue({ maxDepth: 5 }).filter((value) => !JSON.stringify(value).includes('__proto__'));
  fc.assert(
    fc.property(json, (value) => {
      assert.deepEqual(parseJson(JSON.stringify(value))?.value, JSON.parse(JSON.stringify(value)));
    }),
  );
});

test('any whole number comes back digit for digit', () => {
  fc.assert(
    fc.property(fc.bigInt(), (id) => {
      const read = JSON.stringify(parseJson(`{"id":${id}}`)?.value);
      assert.equal(read.replaceAll('"', ''), `{id:${id}}`);
    }),
  );
});

test('any number, in whatever spelling, is read as JavaScript writes it or kept as it was written', () => {
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
    { numRuns: 1000 },
  );
});

test('a __proto__ field is dropped, however it is spelled', () => {
  for (const name of ['__proto__', '\\u005f_proto__', '__pr\\u006Fto__']) {
    const value = parseJson(`{"${name}":{"admin":true},"b":1}`)?.value;
    assert.deepEqual(Object.entries(value ?? {}), [['b', 1]], name);
  }
});
