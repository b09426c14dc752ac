import { z } from 'zod';
import { ProviderErrorReply } from './error-responses.ts';

/** A number in international format, as digits alone (API §4). */
export const phoneNumberField = z
  .string()
  .regex(/^[1-9]\d{6,14}$/, 'must be a phone number in international format, as digits alone');

/** Up to 100 numbers (API §4.3). */
export const phoneNumbers = z
  .array(phoneNumberField)
  .min(1, 'must hold a number')
  .max(100, 'must hold at most 100 numbers');

/** One number, or up to 100 (API §4.1). */
export const recipientsField = z.preprocess((to) => (typeof to === 'string' ? [to] : to), phoneNumbers);

/** A sender ID (API §2.4): 3 to 11 letters and digits, or a number. */
export const senderIdFieldPattern = /^(?:[A-Za-z0-9]{3,11}|\d+)$/;

export const senderIdField = z
  .string()
  .regex(senderIdFieldPattern, 'must be 3 to 11 letters and digits, or a number');

/** Parses fields by a schema. Throws a 400 that names every wrong field. */
export function checkRequestFields<Fields>(schema: z.ZodType<Fields>, fields: unknown): Fields {
  const result = schema.safeParse(fields);
  if (result.success) {
    return result.data;
  }
  throw new ProviderErrorReply(400, result.error.issues.map(describeIssue).join('; '));
}

const nothing = z.strictObject({});

/** Throws a 400 for any field. */
export function checkNoFields(fields: unknown): void {
  checkRequestFields(nothing, fields);
}

function describeIssue(issue: z.core.$ZodIssue): string {
  const path = issue.path.join('.');
  switch (issue.code) {
    case 'unrecognized_keys':
      return `unknown field: ${issue.keys.map((key) => (path ? `${path}.${key}` : key)).join(', ')}`;
    case 'invalid_value':
      return `${path}: must be one of ${issue.values.join(', ')}`;
    case 'invalid_type':
      return `${path}: is missing or not of type ${issue.expected}`;
    default:
      return `${path}: ${issue.message}`;
  }
}
