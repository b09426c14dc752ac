import { isJsonObject, type JsonObject, objectsIn, stringAt } from '../lib/json.ts';

/** Typed reads of one member of a JSON object, since the page trusts no shape it receives. */

export function numberAt(object: JsonObject | undefined, key: string): number | undefined {
  const value = object?.[key];
  return typeof value === 'number' ? value : undefined;
}

export function flagAt(object: JsonObject | undefined, key: string): boolean {
  return object?.[key] === true;
}

export function objectAt(object: JsonObject | undefined, key: string): JsonObject | undefined {
  const value = object?.[key];
  return isJsonObject(value) ? value : undefined;
}

export function objectsAt(object: JsonObject | undefined, key: string): JsonObject[] {
  return objectsIn(object?.[key]);
}

export function stringsAt(object: JsonObject | undefined, key: string): string[] {
  const value = object?.[key];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Returns the text of a text object (`plain_text`, `mrkdwn`) at `key`, or an empty string. */
export function textAt(object: JsonObject | undefined, key: string): string {
  return stringAt(objectAt(object, key), 'text') ?? '';
}
