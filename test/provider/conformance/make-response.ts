import type { Json, JsonObject } from '../../../sandbox/lib/json.ts';
import type { ResponseField, ResponseFields } from '../description/types.ts';

/** An undocumented field, which `raw` must keep. */
const stranger = { not_described: 'but it came' };

/**
 * Builds a response with every documented field and two records in every list. Values are distinct, so that fields
 * cannot be confused, unless `numberOf` returns the same number for two paths.
 */
export function makeResponse(fields: ResponseFields, numberOf: (path: string) => number): JsonObject {
  const objectAt = (prefix: string, index: number): JsonObject => {
    const own = Object.entries(fields).filter(
      ([path]) => path.startsWith(prefix) && !/[.[]/.test(path.slice(prefix.length)),
    );
    const members = own.map(([path, field]) => {
      const value = (): Json => {
        if (field.is === 'object') {
          return objectAt(`${path}.`, index);
        }
        if (field.is === 'array') {
          return [0, 1].map((one) => objectAt(`${path}[].`, 2 * index + one));
        }
        return makeValue(field, 4 * numberOf(path) + index);
      };
      return [path.slice(prefix.length), value()];
    });
    return { ...Object.fromEntries(members), ...stranger };
  };
  return objectAt('', 0);
}

function makeValue(field: ResponseField, number: number): Json {
  const [named] = field.enum ?? field.among ?? [];
  if (named !== undefined) {
    return named;
  }
  switch (field.is) {
    case 'integer':
      // As large as a timestamp.
      return 1_770_000_000_000 + number;
    case 'number':
      return number + 0.5;
    case 'boolean':
      return number % 8 < 4;
    case 'strings':
      return [`one of ${number}`, `two of ${number}`];
    default:
      return makeText(field, number);
  }
}

function makeText({ pattern }: ResponseField, number: number): string {
  const moment = new Date(Date.UTC(2026, 0, 1) + number * 3_661_000).toISOString();
  const spellings = [`text ${number}`, moment.slice(0, 19).replace('T', ' '), moment.replace('Z', '+03:00')];
  return spellings.find((spelling) => pattern?.test(spelling) ?? true) ?? '';
}
