import { describe, it } from 'node:test';
import { readActivationCode } from '../../src/provider/activation-code.ts';
import { excerpt, oneLine, readBody } from '../../src/provider/answer.ts';
import { cleaningOf } from '../../src/provider/cleaning.ts';
import { likeCode } from '../../src/provider/generated-token.ts';
import { parseJson } from '../../src/provider/json.ts';
import { findInJson } from '../../src/provider/qr-finding.ts';
import { findRefusal, knownRefusal, readRefusal } from '../../src/provider/refusal.ts';
import { readRetryAfter } from '../../src/provider/retry.ts';
import { maskPersonal, scrub } from '../../src/scrub.ts';
import { assertLinear } from '../support/growth.ts';

const cleaning = cleaningOf({
  secrets: [],
  numbers: () => ['2348031234567'],
  concealed: { code: likeCode(6), text: 'Your code is 123456, use it once.' },
});

const parsers: Record<string, (text: string) => unknown> = {
  'a body': (text) => readBody(text, {}),
  'a page': (text) => readBody(`<html>${text}`, {}),
  'an excerpt': excerpt,
  'one line': oneLine,
  JSON: parseJson,
  'a refusal': (text) => readRefusal({ kind: 'text', text }),
  'a refusal in JSON': (text) =>
    findRefusal({ kind: 'json', value: { code: text, error: text, status: text } }),
  'words of refusals': knownRefusal,
  'words to be cleaned': cleaning.words,
  'personal data in words': maskPersonal,
  'an error to be logged': scrub,
  'an activation code': readActivationCode,
  'an answer with a QR code': (text) => findInJson({ text }),
  'Retry-After': (text) => readRetryAfter(text, 0),
};

describe('what the provider answers, made to take long', () => {
  for (const [name, parse] of Object.entries(parsers)) {
    it(`takes a time in proportion to its length: ${name}`, () => assertLinear(name, parse));
  }
});
