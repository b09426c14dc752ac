import type { ExpressionBuilder, Kysely } from 'kysely';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import RateLimiterStoreAbstract from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';
import type { Clock } from '../../lib/time/clock.ts';
import type { Schema } from '../schema.ts';

/** What is passed through the limiter to its storage. */
interface WindowOptions {
  workspaceId: string;
  /** In seconds, instead of the limiter's own. */
  customDuration?: number | undefined;
}

/** What is stored of a window. `points` of a refusal are those that would have been. */
interface WindowState {
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

/**
 * The library's limiter on our tables. A window begins with the first point, by our clock. A refusal adds nothing: the
 * one statement that counts also compares, so of concurrent callers, in any number of processes, none goes beyond.
 */
export class WindowLimiter extends RateLimiterStoreAbstract {
  readonly #db: Kysely<Schema>;
  readonly #clock: Clock;

  /** @param options.db the transaction that the points are taken in, with others or none */
  constructor(options: { db: Kysely<Schema>; clock: Clock; points: number; duration: number }) {
    super({
      storeClient: options.db,
      points: options.points,
      duration: options.duration,
      keyPrefix: '',
    });
    this.#db = options.db;
    this.#clock = options.clock;
  }

  async _upsert(
    key: string,
    points: number,
    duration: number,
    _forceExpire: boolean,
    { workspaceId }: WindowOptions,
  ): Promise<WindowState> {
    const now = this.#clock().getTime();
    const expires = Math.round(now + duration);
    if (points <= this.points) {
      const taken = await this.#take({ workspaceId, key, points, expires, now });
      if (taken !== undefined) {
        return taken;
      }
    }
    const stored = await this._get(key, { workspaceId });
    return stored === null ? { points, expires } : { ...stored, points: stored.points + points };
  }

  /** Called by the library. */
  async _get(key: string, { workspaceId }: WindowOptions): Promise<WindowState | null> {
    const row = await this.#db
      .selectFrom('limit_window')
      .select(['points', 'expires'])
      .where('workspace_id', '=', workspaceId)
      .where('key', '=', key)
      .where('expires', '>', this.#clock().getTime())
      .executeTakeFirst();
    return row === undefined ? null : { points: Number(row.points), expires: Number(row.expires) };
  }

  /** Called by the library. */
  async _delete(key: string, { workspaceId }: WindowOptions): Promise<boolean> {
    const { numDeletedRows } = await this.#db
      .deleteFrom('limit_window')
      .where('workspace_id', '=', workspaceId)
      .where('key', '=', key)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /** Called by the library. */
  _getRateLimiterRes(_key: string, _changed: number, state: WindowState): WindowResult {
    return new WindowResult(this.points, state, this.#clock().getTime());
  }

  /** Adds the points, or nothing where they do not fit. In portable SQL: SQLite and PostgreSQL take it as it is. */
  async #take(window: {
    workspaceId: string;
    key: string;
    points: number;
    expires: number;
    now: number;
  }): Promise<WindowState | undefined> {
    const { workspaceId, key, points, expires, now } = window;
    const duration = expires - now;
    // One that ends later than a new one would by far was begun while the clock was wrong.
    const isLive = (eb: ExpressionBuilder<Schema, 'limit_window'>) =>
      eb.and([eb('limit_window.expires', '>', now), eb('limit_window.expires', '<=', expires + duration)]);
    const row = await this.#db
      .insertInto('limit_window')
      .values({ workspace_id: workspaceId, key, points, expires })
      .onConflict((conflict) =>
        conflict
          .columns(['workspace_id', 'key'])
          .doUpdateSet((eb) => ({
            points: eb
              .case()
              .when(isLive(eb))
              .then(eb('limit_window.points', '+', points))
              .else(points)
              .end(),
            expires: eb.case().when(isLive(eb)).then(eb.ref('limit_window.expires')).else(expires).end(),
          }))
          .where((eb) => eb.or([eb.not(isLive(eb)), eb('limit_window.points', '<=', this.points - points)])),
      )
      .returning(['points', 'expires'])
      .executeTakeFirst();
    return row && { points: Number(row.points), expires: Number(row.expires) };
  }
}
