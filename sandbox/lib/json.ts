export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export interface JsonObject {
  [key: string]: Json;
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list; none if it is no list. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** The text under a key; undefined if there is none or it is something else. */
export function stringAt(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === 'string' ? value : undefined;
}

/** What the text means as JSON; undefined if it is not JSON. */
export function parseJsonText(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** As it would arrive over a wire: no `undefined`, nothing shared with the original. */
export function toJson(value: unknown): Json {
  const text = JSON.stringify(value);
  return text === undefined ? null : JSON.parse(text);
}
