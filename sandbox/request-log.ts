import type { LoggedRequest } from './lib/logged-request.ts';

const maxRequests = 500;

/** The last 500 requests between Slack, the app and the provider, in the order in which they ended. */
export class RequestLog {
  readonly #exchanges: LoggedRequest[] = [];

  add(exchange: LoggedRequest): void {
    this.#exchanges.push(exchange);
    if (this.#exchanges.length > maxRequests) {
      this.#exchanges.shift();
    }
  }

  get all(): readonly LoggedRequest[] {
    return this.#exchanges;
  }
}
