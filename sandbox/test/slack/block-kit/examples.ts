/** Builders of valid views and messages. */

import type { Json, JsonObject } from '../../../lib/json.ts';

export function plain(text: string): JsonObject {
  return { type: 'plain_text', text };
}

export function mrkdwn(text: string): JsonObject {
  return { type: 'mrkdwn', text };
}

export function letters(count: number): string {
  return 'x'.repeat(count);
}

/** Returns a URL as long as the text. */
export function linked(text: string): string {
  return text.length < 2 ? text : `a:${text}`.slice(0, text.length);
}

export function times(count: number, item: (index: number) => Json): Json[] {
  return Array.from({ length: count }, (_, index) => item(index));
}

export function option(index: number | string): JsonObject {
  return { text: plain(`Option ${index}`), value: `value-${index}` };
}

export function modal(blocks: Json[], more: JsonObject = {}): JsonObject {
  return { type: 'modal', title: plain('Send SMS'), submit: plain('Send'), blocks, ...more };
}

export function home(blocks: Json[], more: JsonObject = {}): JsonObject {
  return { type: 'home', blocks, ...more };
}

export function input(element: JsonObject, more: JsonObject = {}): JsonObject {
  return { type: 'input', block_id: 'asked', label: plain('Recipients'), element, ...more };
}

export function actions(...elements: Json[]): JsonObject {
  return { type: 'actions', elements };
}

export function section(more: JsonObject = {}): JsonObject {
  return { type: 'section', text: mrkdwn('*Balance*'), ...more };
}

export function button(more: JsonObject = {}): JsonObject {
  return { type: 'button', text: plain('Send'), ...more };
}

export function textField(more: JsonObject = {}): JsonObject {
  return { type: 'plain_text_input', action_id: 'typed', ...more };
}

export function select(more: JsonObject = {}): JsonObject {
  return { type: 'static_select', action_id: 'picked', options: [option(1), option(2)], ...more };
}
