import pg, { type PoolClient, type PoolConfig } from 'pg';
import type { Timers } from '../../../lib/time/timers.ts';
import { isFull, isUnanswered } from './errors.ts';

/** In milliseconds: for how long a server without free connections is not asked for another one. */
const fullForMs = 30_000;

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void;

/** A pool that, when the server or a pooler has no further connection for it, waits for one of its own instead of failing. */
export class PatientPool extends pg.Pool {
  readonly #timers: Timers;
  readonly #max: number;
  #fullUntil = 0;

  constructor(config: PoolConfig, timers: Timers) {
    super(config);
    this.#timers = timers;
    this.#max = this.options.max;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    const connected = this.#connect();
    if (callback === undefined) {
      return connected;
    }
    connected.then(
      (client) => callback(undefined, client, client.release),
      (error) => callback(error, undefined, () => {}),
    );
    return undefined;
  }

  async #connect(): Promise<PoolClient> {
    if (this.#timers.elapsed() >= this.#fullUntil) {
      this.options.max = this.#max;
    }
    try {
      return await super.connect();
    } catch (error) {
      // Of several that were refused at once, each counted the others: the next one counts again.
      if (!(isFull(error) || isUnanswered(error)) || this.totalCount === 0) {
        throw error;
      }
      this.options.max = this.totalCount;
      this.#fullUntil = this.#timers.elapsed() + fullForMs;
      return this.#connect();
    }
  }
}
