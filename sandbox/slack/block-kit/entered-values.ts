/**
 * The values that Slack's client refuses before a submission. The cases are known. The messages are the sandbox's own,
 * since Slack's are not known.
 */

import type { Json, JsonObject } from '../../lib/json.ts';
import { objectsIn } from '../../lib/json.ts';
import { optionsIn, sameOption } from './composition.ts';
import { datePattern, timePattern } from './menus.ts';
import { characterCount } from './rules.ts';

type Check = (value: Json, element: JsonObject) => string | undefined;

const checks: Record<string, Check> = {
  plain_text_input: text,
  number_input: number,
  email_text_input: matches(/^[^\s@]+@[^\s@]+\.[^\s@]+$/, 'Please enter a valid email address.'),
  url_text_input: (value) => (URL.canParse(String(value)) ? undefined : 'Please enter a valid URL.'),
  datepicker: matches(datePattern, 'Please choose a date.'),
  timepicker: matches(timePattern, 'Please choose a time.'),
  datetimepicker: (value) => (Number.isInteger(value) ? undefined : 'Please choose a date and a time.'),
  file_input: (value, element) => atMost(value, element.max_files ?? 10),
  checkboxes: offered,
  radio_buttons: offered,
  static_select: offered,
  multi_static_select: (value, element) =>
    offered(value, element) ?? atMost(value, element.max_selected_items),
  multi_external_select: (value, element) => atMost(value, element.max_selected_items),
  multi_users_select: (value, element) => atMost(value, element.max_selected_items),
  multi_channels_select: (value, element) => atMost(value, element.max_selected_items),
  multi_conversations_select: (value, element) => atMost(value, element.max_selected_items),
};

/** Returns the error message for the value of an element, or undefined when Slack's client accepts it. */
export function checkEnteredValue(element: JsonObject, value: Json): string | undefined {
  return checks[String(element.type)]?.(value, element);
}

function text(value: Json, { min_length, max_length }: JsonObject): string | undefined {
  const length = characterCount(String(value));
  if (length < Number(min_length ?? 0)) {
    return `Please enter at least ${min_length} characters.`;
  }
  // Slack's limit without one of the app.
  const max = Number(max_length ?? 3000);
  return length > max ? `Please enter at most ${max} characters.` : undefined;
}

function number(value: Json, { is_decimal_allowed, min_value, max_value }: JsonObject): string | undefined {
  const entered = typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  if (!Number.isFinite(entered)) {
    return 'Please enter a number.';
  }
  if (is_decimal_allowed !== true && !Number.isInteger(entered)) {
    return 'Please enter a whole number.';
  }
  if (min_value !== undefined && entered < Number(min_value)) {
    return `Please enter at least ${min_value}.`;
  }
  if (max_value !== undefined && entered > Number(max_value)) {
    return `Please enter at most ${max_value}.`;
  }
  return undefined;
}

function matches(pattern: RegExp, message: string): Check {
  return (value) => (pattern.test(String(value)) ? undefined : message);
}

function offered(value: Json, element: JsonObject): string | undefined {
  const chosen = objectsIn(Array.isArray(value) ? value : [value]);
  const valid =
    chosen.length > 0 && chosen.every((each) => optionsIn(element).some((one) => sameOption(each, one)));
  return valid ? undefined : 'Please choose from the options.';
}

function atMost(value: Json, max: Json | undefined): string | undefined {
  const valid = max === undefined || (Array.isArray(value) && value.length <= Number(max));
  return valid ? undefined : `Please choose at most ${max}.`;
}
