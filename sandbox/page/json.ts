import type { Json, JsonObject } from '../slack/protocol.ts';

/** Reads one member of a JSON object if it is of the kind asked for: the page trusts no shape it is sent. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function stringAt(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' ? value : undefined;
}

export function numberAt(object: JsonObject | undefined, key: string): number | undefined {
  const value = object?.[key];
  return typeof value === 'number' ? value : undefined;
}

export function flagAt(object: JsonObject | undefined, key: string): boolean {
  return object?.[key] === true;
}

export function objectAt(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key];
  return isObject(value) ? value : undefined;
}

/** The objects of a list; anything else in it is left out. */
export function objectsAt(object: JsonObject | undefined, key: string): JsonObject[] {
  const value = object?.[key];
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function stringsAt(object: JsonObject | undefined, key: string): string[] {
  const value = object?.[key];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** The words of a text object (`plain_text`, `mrkdwn`) at `key`, as they were sent. */
export function textAt(object: JsonObject | undefined, key: string): string {
  return stringAt(objectAt(object, key), 'text') ?? '';
}
