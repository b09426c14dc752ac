import pg, { DatabaseError, type PoolClient, type PoolConfig } from 'pg';
import type { Timers } from '../../../lib/time/timers.ts';

/** In milliseconds: for how long a server without free connections is not asked for another one. */
const fullForMs = 30_000;

/** Of poolers, which have no code of their own for it. */
const isFullMessage = /no more connections|max[_ ]?client|too many (?:clients|connections)/i;

type Connected = (error: Error | undefined, client: PoolClient | undefined, release: () => void) => void;

/** A pool that, when the server allows no further connections, waits for one of its own instead of failing. */
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
      if (!isFull(error) || this.totalCount === 0) {
        throw error;
      }
      this.options.max = this.totalCount;
      this.#fullUntil = this.#timers.elapsed() + fullForMs;
      return this.#connect();
    }
  }
}

function isFull(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '53300' || isFullMessage.test(error.message));
}
