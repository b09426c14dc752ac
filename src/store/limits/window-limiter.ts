import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import RateLimiterStoreAbstract from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';

/** What is stored of a window. `points` of a refusal are those that would have been. */
export interface WindowState {
  points: number;
  /** Milliseconds since 1970. */
  expires: number;
}

/** The library's result, with the exact end of the window. */
export class WindowResult extends RateLimiterRes {
  readonly expires: Date;

  constructor(limit: number, { points, expires }: WindowState, now: number) {
    super(Math.max(0, limit - points), Math.max(0, expires - now), points, false);
    this.expires = new Date(expires);
  }
}

/** The library's limiter of one window, to which the points were added. */
export class WindowLimiter extends RateLimiterStoreAbstract {
  readonly #state: WindowState | undefined;
  readonly #now: number;

  constructor(options: { points: number; state: WindowState | undefined; now: number }) {
    super({ storeClient: {}, points: options.points, duration: 0, keyPrefix: '' });
    this.#state = options.state;
    this.#now = options.now;
  }

  /** Called by the library. */
  async _upsert(): Promise<WindowState> {
    if (this.#state === undefined) {
      throw new TypeError('A window was not stored');
    }
    return this.#state;
  }

  /** Called by the library. */
  _getRateLimiterRes(_key: string, _changed: number, state: WindowState): WindowResult {
    return new WindowResult(this.points, state, this.#now);
  }
}
