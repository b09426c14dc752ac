import { inspect } from 'node:util';

/**
 * A value that must never be printed: a key, a token, a code. Whatever turns it into text (a template, JSON, the
 * logger, the console) gets a placeholder; only `reveal()` gives the value, so each use can be found by its name.
 */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  /** The last four characters, to recognise it by; fewer than a quarter of a short one is never shown. */
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
