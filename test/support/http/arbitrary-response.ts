import fc from 'fast-check';
import { anyCharacter } from '../arbitrary-text.ts';

const field = fc.constantFrom(
  'code',
  'status',
  'message',
  'message_id',
  'message_id_str',
  'error',
  'errors',
  'content',
  'sender_id',
  'dnd_active',
  'balance',
  'pinId',
  'pin_id',
  'otp',
  'result',
  'data',
  'id',
  'Contact added successfully',
  '__proto__',
  'constructor',
  'toString',
);
const leaf = fc.oneof(
  fc.constantFrom(
    'ok',
    'OK',
    'success',
    'Contact deleted successfully',
    'error',
    '404 : "{',
    '',
    null,
    true,
    200,
    400,
    404,
    500,
  ),
  fc.string({ unit: anyCharacter }),
  fc.double(),
  fc.bigInt().map(String),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(field, fc.string()), tie('tree'), { maxKeys: 6 }),
  ),
}));
const json = tree.map((value) => JSON.stringify(value) ?? 'null');
const truncated = fc
  .tuple(json, fc.nat(100))
  .map(([text, percent]) => text.slice(0, Math.floor((text.length * percent) / 100)));
const nested = fc.nat(200_000).map((depth) => '[{"a":'.repeat(depth / 6));
const wrapped = json.map((text) => `404 : ${JSON.stringify(text)}`);
/** The body of a response: JSON with known fields, complete, truncated, nested or wrapped, or any bytes. */
export const body = fc.oneof(
  { weight: 6, arbitrary: json.map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: truncated.map((text) => Buffer.from(text)) },
  { weight: 2, arbitrary: wrapped.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: nested.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)) },
);
export const status = fc.constantFrom(200, 201, 204, 301, 303, 400, 401, 404, 408, 429, 500, 503, 599);
