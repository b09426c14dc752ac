import { maskPersonal, redact } from '../../../src/lib/redact.ts';
import { findActivationCode, readActivationCode } from '../../../src/provider/esims/activation-code.ts';
import { findInJson } from '../../../src/provider/esims/qr-code.ts';
import { readRetryAfter } from '../../../src/provider/http/transport.ts';
import {
  findErrorResponse,
  knownReason,
  readErrorResponse,
} from '../../../src/provider/response/error-response.ts';
import { hasReceipt, receiptIdIn } from '../../../src/provider/response/receipt.ts';
import { createRedaction } from '../../../src/provider/response/redaction.ts';
import {
  excerpt,
  oneLine,
  parseJson,
  parseResponseBody,
} from '../../../src/provider/response/response-body.ts';
import { codePattern } from '../../../src/provider/tokens.ts';
import { clientWithResponse as clientForEsims } from '../esims/client-with-response.ts';
import { clientWithResponse } from './client-with-response.ts';

const redaction = createRedaction({
  secrets: [],
  numbers: () => ['2348031234567'],
  input: { code: codePattern(6), text: 'Your code is 123456, use it once.' },
});

/** What reads text from outside. */
export const parsers: Record<string, (text: string) => unknown> = {
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
  'an activation code in a link': findActivationCode,
  'an answer with a QR code': (text) => findInJson({ text }),
  'Retry-After': (text) => readRetryAfter(text, 0),
  'a receipt': (text) => operationsWithMost.map((operation) => hasReceipt(operation, text)),
  'the ID in a receipt': receiptIdIn,
  'an answer to a message': (text) => answered(200, text).send(),
  'a refusal of a message': (text) => answered(404, text).send(),
  'an answer to a read': (text) => answered(200, text).list(),
  'an answer about eSIMs': (text) => clientForEsims(200, Buffer.from(text)).plans(),
  'an answer with the code of an eSIM': (text) => clientForEsims(200, Buffer.from(text)).qrCode(),
};

const answered = (status: number, text: string) => clientWithResponse(status, Buffer.from(text));

/** Their receipts have the most patterns. */
const operationsWithMost = [
  'tokens.send',
  'phonebooks.addContact',
  'phonebooks.upload',
  'esims.purchase',
] as const;

/** Repeated, they resemble what is searched for in a response. */
export const pieces = [
  ...[
    '"message":',
    "'message':'",
    'message_id:',
    '"message_id":',
    '"smsStatus":"',
    '"data":{"id"',
    '"code" ',
  ],
  ...[
    'success',
    '<code>',
    'not ',
    '\\',
    '"\\"',
    '404 : "{',
    '}"',
    ' "',
    '1$a',
    'LPA:1$a$',
    'https://',
    'iVBORw0KGgoA',
  ],
];
