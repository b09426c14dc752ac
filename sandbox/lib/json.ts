export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export interface JsonObject {
  [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects of a list; an empty list when `value` is not a list. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Returns the text under a key, or undefined when it is missing or not a text. */
export function stringAt(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' ? value : undefined;
}

/** Parses JSON. Returns undefined for text that is not JSON. */
export function parseJsonText(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Copies a value as JSON would carry it: without `undefined`, and sharing nothing with the original. */
export function toJson(value: unknown): Json {
  const text = JSON.stringify(value);
  return text === undefined ? null : JSON.parse(text);
}

/** Copies plain data, as `toJson`: several times as fast as `structuredClone`. */
export function copyOf<Data>(data: Data): Data {
  return JSON.parse(JSON.stringify(data));
}

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
