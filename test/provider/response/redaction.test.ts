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

test('redacts a key however it is encoded', () => {
  const body = `{"key":"${key}","again":"${key.replace('/', '\\/')}","link":"?k=${encodeURIComponent(key)}"}`;
  assert.equal(clean.body(body), '{"key":"[key]","again":"[key]","link":"?k=[key]"}');
});

test('keeps numbers and codes in a body, because ids may contain them', () => {
  assert.equal(clean.body('{"message_id":"482172348030000011"}'), '{"message_id":"482172348030000011"}');
});

test('redacts query strings, codes and phone numbers but for their last digits in a message', () => {
  assert.equal(
    clean.message('No 48217 to +2348030000011: GET /api/check/dnd?api_key=[key]&phone_number=1#top "x"'),
    'No [code] to •••0011: GET /api/check/dnd?… "x"',
  );
});

test('redacts the text that was sent, whatever it contains', () => {
  const words = 'Not allowed: “Ring 2348030000011, or see www.palm.example/?id=3”.';
  assert.equal(clean.message(words), 'Not allowed: “[text]”.');
});

test('does not redact a very short text', () => {
  const { message: words } = createRedaction({ secrets: [], numbers: () => [], input: { text: 'is' } });
  assert.equal(words('This is not allowed'), 'This is not allowed');
});

test('keeps a message without anything to redact', () => {
  const words = 'Really? a = b. See https://provider.example/help?, or ask 2348030000012.';
  assert.equal(clean.message(words), words);
});
