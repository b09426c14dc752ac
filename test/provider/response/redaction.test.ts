import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../../src/lib/secret.ts';
import { createRedaction, secretRedactor } from '../../../src/provider/response/redaction.ts';

const key = 'kZ+4/f9b2c7==';
const clean = createRedaction({
  secrets: [secretRedactor(new Secret(key))],
  numbers: () => ['2348030000011'],
  input: { code: '48217', text: 'Ring 2348030000011, or see www.palm.example/?id=3' },
});

test('a key is taken out however it is written', () => {
  const body = `{"key":"${key}","again":"${key.replace('/', '\\/')}","link":"?k=${encodeURIComponent(key)}"}`;
  assert.equal(clean.body(body), '{"key":"[key]","again":"[key]","link":"?k=[key]"}');
});

test('a body keeps its numbers and codes, which may stand in its ids', () => {
  assert.equal(clean.body('{"message_id":"482172348030000011"}'), '{"message_id":"482172348030000011"}');
});

test('the provider’s words lose query strings, codes, and all but the end of phone numbers', () => {
  assert.equal(
    clean.message('No 48217 to +2348030000011: GET /api/check/dnd?api_key=[key]&phone_number=1#top "x"'),
    'No [code] to •••0011: GET /api/check/dnd?… "x"',
  );
});

test('the provider’s words lose the text of a message, whatever stands in it', () => {
  const words = 'Not allowed: “Ring 2348030000011, or see www.palm.example/?id=3”.';
  assert.equal(clean.message(words), 'Not allowed: “[text]”.');
});

test('a text of a word or so is not looked for in the provider’s words', () => {
  const { message: words } = createRedaction({ secrets: [], numbers: () => [], input: { text: 'is' } });
  assert.equal(words('This is not allowed'), 'This is not allowed');
});

test('words without anything of that stay as they are', () => {
  const words = 'Really? a = b. See https://provider.example/help?, or ask 2348030000012.';
  assert.equal(clean.message(words), words);
});
