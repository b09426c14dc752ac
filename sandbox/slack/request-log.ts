import { randomUUID } from 'node:crypto';
import { type Json, toJson } from '../lib/json.ts';
import type { LoggedRequest } from '../lib/logged-request.ts';

const MAX_REQUESTS = 500;
const TOKEN = /xox[a-z]-[\w-]+|xapp-[\w-]+/g;

/** The last 500 requests between Slack and the app with their responses, the newest last. Masks tokens and secrets. */
export class SlackRequestLog {
  readonly exchanges: LoggedRequest[] = [];
  readonly #secrets: string[];
  readonly #onExchange: (exchange: LoggedRequest) => void;

  constructor(secrets: (string | undefined)[], onExchange: (exchange: LoggedRequest) => void) {
    this.#secrets = secrets.filter((secret) => secret !== undefined);
    this.#onExchange = onExchange;
  }

  record(
    exchange: Omit<LoggedRequest, 'id' | 'request' | 'answer'> & { request: unknown; answer: unknown },
  ): void {
    const masked: LoggedRequest = {
      ...exchange,
      id: randomUUID(),
      request: this.#mask(toJson(exchange.request)),
      answer: this.#mask(toJson(exchange.answer)),
    };
    this.exchanges.push(masked);
    if (this.exchanges.length > MAX_REQUESTS) {
      this.exchanges.shift();
    }
    this.#onExchange(masked);
  }

  #mask(value: Json): Json {
    if (typeof value === 'string') {
      const known = this.#secrets.reduce((text, secret) => text.replaceAll(secret, '•••'), value);
      return known.replace(TOKEN, (token) => `${token.slice(0, 5)}•••`);
    }
    if (Array.isArray(value)) {
      return value.map((entry) => this.#mask(entry));
    }
    if (value === null || typeof value !== 'object') {
      return value;
    }
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, this.#mask(entry)]));
  }
}
