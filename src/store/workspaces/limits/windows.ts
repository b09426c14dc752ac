import type { Kysely, Transaction } from 'kysely';
import RateLimiterRes from 'rate-limiter-flexible/lib/RateLimiterRes.js';
import RateLimiterStoreAbstract from 'rate-limiter-flexible/lib/RateLimiterStoreAbstract.js';
import type { Schema } from '../../schema/schema.ts';

/** Points that something takes of one window. */
export interface Charge {
  /** Which limit, and whose. Lies in the clear: no numbers. */
  key: string;
  points: number;
  /** Undefined: they are only counted. */
  limit: number | undefined;
  /** How many milliseconds after its first point the window ends; or when, where its key names a period. */
  ends: { after: number } | { at: Date };
}

/** A charge that does not fit. */
export interface FullWindow<Charged extends Charge = Charge> {
  charge: Charged;
  /** Points in the window, without this charge. */
  used: number;
  /** When the window ends. Undefined where the charge is more than any window takes. */
  freesAt: Date | undefined;
}

/** A charge that was taken of a window. */
export type Taken<Charged extends Charge = Charge> = Charged & {
  /** Points in the window, with this charge. */
  used: number;
  endsAt: Date;
};

export type Consumed<Charged extends Charge> =
  /** In the order of the charges. */
  | { kind: 'taken'; charges: readonly Taken<Charged>[] }
  /** Not all of them fit. The caller takes nothing and rolls back its transaction. */
  | { kind: 'full'; full: readonly FullWindow<Charged>[] };

export interface GivenBackPoints {
  key: string;
  points: number;
  /** The end of the window they were taken of. Unless given, the key tells. */
  endsAt?: Date | undefined;
}

/** A stored window. After a refusal, `points` are what they would have been. */
interface WindowState {
  points: number;
  expires: Date;
}

/** For points that are only counted: the library wants a number. */
const unlimited = Number.MAX_SAFE_INTEGER;

/** In milliseconds. A slow caller may still use a window based on an earlier clock reading. */
const keptAfterEnd = 60 * 60_000;

/**
 * Takes charges with different keys in one statement, through the library's limiter. Checks all of them, so
 * that the refusal names the window that stays full longest. Calls with the same first charge run one at a
 * time across processes, because it locks its row.
 */
export async function consume<Charged extends Charge>(
  transaction: Transaction<Schema>,
  workspaceId: string,
  charges: readonly Charged[],
  now: Date,
): Promise<Consumed<Charged>> {
  const states = await addPoints(transaction, workspaceId, charges, now);
  const taken: Taken<Charged>[] = [];
  const full: FullWindow<Charged>[] = [];
  for (const charge of charges) {
    const { key, points, limit = unlimited } = charge;
    const limiter = new WindowLimiter({ points: limit, state: states.get(key), now });
    try {
      const result = await limiter.consume(key, points);
      if (!(result instanceof WindowResult)) {
        throw new TypeError('A window has no end');
      }
      taken.push({ ...charge, used: result.consumedPoints, endsAt: result.expires });
    } catch (error) {
      if (!(error instanceof WindowResult)) {
        throw error;
      }
      const freesAt = points > limit ? undefined : error.expires;
      full.push({ charge, used: error.consumedPoints - points, freesAt });
    }
  }
  if (full.length > 0) {
    return { kind: 'full', full };
  }
  if (charges.length > 0) {
    // Runs on writes, so that no sweep timer is needed. Locked rows are deleted by a later call.
    await transaction
      .deleteFrom('limitWindow')
      .where(({ eb, refTuple, selectFrom }) =>
        eb(
          refTuple('workspaceId', 'key'),
          'in',
          selectFrom('limitWindow as ended')
            .select(['ended.workspaceId', 'ended.key'])
            .where('ended.expires', '<=', new Date(now.getTime() - keptAfterEnd))
            .forUpdate()
            .skipLocked()
            .$asTuple('workspaceId', 'key'),
        ),
      )
      .execute();
  }
  return { kind: 'taken', charges: taken };
}

/** The library's result, with the exact end of the window. */
class WindowResult extends RateLimiterRes {
  readonly expires: Date;

  constructor(limit: number, { points, expires }: WindowState, now: Date) {
    super(Math.max(0, limit - points), Math.max(0, expires.getTime() - now.getTime()), points, false);
    this.expires = expires;
  }
}

/** The library's limiter of one window, to which the points were added. */
class WindowLimiter extends RateLimiterStoreAbstract {
  readonly #state: WindowState | undefined;
  readonly #now: Date;

  constructor(options: { points: number; state: WindowState | undefined; now: Date }) {
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

/** Adds points to windows, restarting ended ones, but never a calendar period: late charges still count in it. Portable SQL. */
async function addPoints(
  transaction: Transaction<Schema>,
  workspaceId: string,
  charges: readonly Charge[],
  now: Date,
): Promise<Map<string, WindowState>> {
  if (charges.length === 0) {
    return new Map();
  }
  // In the order of their keys, so that no two transactions wait for each other.
  const added = inKeyOrder(charges).map(({ key, points, ends }) => ({
    workspaceId,
    key,
    points,
    expires: 'at' in ends ? ends.at : new Date(Math.round(now.getTime() + ends.after)),
  }));
  const rows = await transaction
    .insertInto('limitWindow')
    .values(added)
    .onConflict((conflict) =>
      conflict.columns(['workspaceId', 'key']).doUpdateSet((eb) => {
        const isLive = eb.or([
          eb('limitWindow.expires', '>', now),
          eb('limitWindow.expires', '=', eb.ref('excluded.expires')),
        ]);
        const sum = eb('limitWindow.points', '+', eb.ref('excluded.points'));
        const [points, expires] = [eb.ref('excluded.points'), eb.ref('excluded.expires')];
        return {
          points: eb.case().when(isLive).then(sum).else(points).end(),
          expires: eb.case().when(isLive).then(eb.ref('limitWindow.expires')).else(expires).end(),
        };
      }),
    )
    .returning(['key', 'points', 'expires'])
    .execute();
  return new Map(rows.map(({ key, points, expires }) => [key, { points, expires }]));
}

function inKeyOrder<Item extends { key: string }>(items: readonly Item[]): Item[] {
  return items.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

/**
 * Refunds points to windows, at most their used points. Windows that have ended are skipped. Uses the order of
 * the keys to avoid deadlocks.
 */
export async function giveBackPoints(
  db: Kysely<Schema>,
  workspaceId: string,
  refunds: readonly GivenBackPoints[],
): Promise<void> {
  for (const { key, points, endsAt } of inKeyOrder(refunds)) {
    await db
      .updateTable('limitWindow')
      .set((eb) => ({
        points: eb
          .case()
          .when('points', '>', points)
          .then(eb('points', '-', points))
          .else(0)
          .end(),
      }))
      .where('workspaceId', '=', workspaceId)
      .where('key', '=', key)
      .$if(endsAt !== undefined, (update) => update.where('expires', '=', endsAt ?? new Date(0)))
      .execute();
  }
}
