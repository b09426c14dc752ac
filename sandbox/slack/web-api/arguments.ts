import type { Json, JsonObject } from '../../lib/json.ts';
import { parseJsonText } from '../../lib/json.ts';
import { ApiError } from '../api-error.ts';

/** The arguments of a method call: from a form, as texts, or from a JSON body. */
export class Arguments {
  readonly #values: JsonObject;

  constructor(values: JsonObject) {
    this.#values = values;
  }

  /** All arguments, for the request log. */
  get values(): JsonObject {
    return this.#values;
  }

  /** Returns undefined for a missing or empty argument. */
  text(name: string): string | undefined {
    const value = this.#values[name];
    if (value === undefined || value === null || value === '') {
      return undefined;
    }
    return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }

  /** Throws `invalid_arguments` for a missing argument. */
  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) {
      throw missing(name);
    }
    return value;
  }

  flag(name: string): boolean {
    return this.text(name) === 'true' || this.text(name) === '1';
  }

  /** Returns a structured argument. Throws `code` for text that is not JSON. */
  json(name: string, code = 'invalid_arguments'): Json | undefined {
    const value = this.#values[name];
    if (typeof value !== 'string') {
      return value;
    }
    if (value === '') {
      return undefined;
    }
    const parsed = parseJsonText(value);
    if (parsed === undefined) {
      throw new ApiError(code, [`[ERROR] must be valid JSON [json-pointer:/${name}]`]);
    }
    return parsed;
  }
}

export function missing(name: string): ApiError {
  return new ApiError('invalid_arguments', [`[ERROR] missing required field: ${name}`]);
}
