import type { Exchange } from './slack/protocol.ts';

const kept = 500;

/** The requests between Slack, the app and the provider, in the order in which they ended. */
export class Requests {
  readonly #exchanges: Exchange[] = [];

  add(exchange: Exchange): void {
    this.#exchanges.push(exchange);
    if (this.#exchanges.length > kept) this.#exchanges.shift();
  }

  get all(): readonly Exchange[] {
    return this.#exchanges;
  }
}
