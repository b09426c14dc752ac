import { randomUUID } from 'node:crypto';
import { type Json, parseJsonText } from '../lib/json.ts';
import type { LoggedRequest } from '../lib/logged-request.ts';

const MAX_REQUESTS = 500;
const TOKEN = /xox[a-z]-[\w-]+|xapp-[\w-]+/g;

/** The last 500 requests between Slack and the app with their responses, the newest last. Masks tokens and secrets. */
export class SlackRequestLog {
  readonly exchanges: LoggedRequest[] = [];
  readonly #secrets: string[];
  readonly #onExchange: (exchange: LoggedRequest) => void;

  constructor(secrets: (string | undefined)[], onExchange: (exchange: LoggedRequest) => void) {
    // As they appear in JSON.
    this.#secrets = secrets
      .filter((secret) => secret !== undefined)
      .map((secret) => JSON.stringify(secret).slice(1, -1));
    this.#onExchange = onExchange;
  }

  record(
    exchange: Omit<LoggedRequest, 'id' | 'request' | 'answer'> & { request: unknown; answer: unknown },
  ): void {
    const masked: LoggedRequest = {
      ...exchange,
      id: randomUUID(),
      request: this.#mask(exchange.request),
      answer: this.#mask(exchange.answer),
    };
    this.exchanges.push(masked);
    if (this.exchanges.length > MAX_REQUESTS) {
      this.exchanges.shift();
    }
    this.#onExchange(masked);
  }

  /** Copies a value as JSON, with secrets masked. */
  #mask(value: unknown): Json {
    const text = this.#secrets.reduce(
      (masked, secret) => masked.replaceAll(secret, '•••'),
      JSON.stringify(value) ?? 'null',
    );
    return parseJsonText(text.replace(TOKEN, (token) => `${token.slice(0, 5)}•••`)) ?? null;
  }
}
