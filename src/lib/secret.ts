import { inspect } from 'node:util';

/**
 * A value that must never be printed: a key, a token, a code. Conversion to text (a template, JSON, the logger, the
 * console) yields a placeholder. Only `reveal()` returns the value, so every use can be found by that name.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** The last four characters, to recognise it by. Empty for a short value: they would be more than a quarter of it. */
  get lastFour(): string {
    return this.#value.length >= 16 ? this.#value.slice(-4) : '';
  }

  toString(): string {
    return '[secret]';
  }

  toJSON(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
