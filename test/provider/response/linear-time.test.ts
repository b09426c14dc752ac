import { describe, it } from 'node:test';
import { maskPersonal, redact } from '../../../src/lib/redact.ts';
import { readActivationCode } from '../../../src/provider/esims/activation-code.ts';
import { findInJson } from '../../../src/provider/esims/qr-code.ts';
import { readRetryAfter } from '../../../src/provider/http/transport.ts';
import {
  findErrorResponse,
  knownReason,
  readErrorResponse,
} from '../../../src/provider/response/error-response.ts';
import { createRedaction } from '../../../src/provider/response/redaction.ts';
import {
  excerpt,
  oneLine,
  parseJson,
  parseResponseBody,
} from '../../../src/provider/response/response-body.ts';
import { codePattern } from '../../../src/provider/tokens.ts';
import { assertLinear } from '../../support/assert-linear.ts';

const redaction = createRedaction({
  secrets: [],
  numbers: () => ['2348031234567'],
  input: { code: codePattern(6), text: 'Your code is 123456, use it once.' },
});

const parsers: Record<string, (text: string) => unknown> = {
  'a body': (text) => parseResponseBody(text, {}),
  'a page': (text) => parseResponseBody(`<html>${text}`, {}),
  'an excerpt': excerpt,
  'one line': oneLine,
  JSON: parseJson,
  'a refusal': (text) => readErrorResponse({ kind: 'text', text }, 'send'),
  'a refusal in JSON': (text) =>
    findErrorResponse(
      {
        kind: 'json',
        value: { code: text, error: [{ issue: text }], data: { message: [text, text] }, status: text },
      },
      'send',
    ),
  'words of refusals': (text) => knownReason(text),
  'a message to redact': redaction.message,
  'personal data in words': maskPersonal,
  'an error to be logged': redact,
  'an activation code': readActivationCode,
  'an answer with a QR code': (text) => findInJson({ text }),
  'Retry-After': (text) => readRetryAfter(text, 0),
};

describe('parsers of the provider’s responses', () => {
  for (const [name, parse] of Object.entries(parsers)) {
    it(`run in linear time: ${name}`, () => assertLinear(name, parse));
  }
});
