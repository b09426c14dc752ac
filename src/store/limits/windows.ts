import type { Kysely, Transaction } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { Schema } from '../schema.ts';
import { WindowLimiter, WindowResult, type WindowState } from './window-limiter.ts';

/** Points that something takes of one window. */
export interface Charge {
  /** Which limit, and of whom. Lies in the clear: no numbers. */
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
  /** Points in the window, without those of the charge. */
  used: number;
  /** When the window ends. Undefined where the charge is more than any window takes. */
  freesAt: Date | undefined;
}

/** A charge that was taken of a window. */
export type Taken<Charged extends Charge = Charge> = Charged & {
  /** Points in the window, with those of the charge. */
  used: number;
  endsAt: Date;
};

export type Consumed<Charged extends Charge> =
  | { fits: true; taken: Taken<Charged> }
  | { fits: false; full: FullWindow<Charged> };

export interface GivenBackPoints {
  key: string;
  points: number;
  /** The end of the window they were taken of. Unless given, the key tells. */
  endsAt?: Date | undefined;
}

/** For points that are only counted: the library wants a number. */
const unlimited = Number.MAX_SAFE_INTEGER;

/**
 * Takes charges with different keys, in one statement, through the library's limiter. Returns what became of each, in
 * their order. The points of one that does not fit are in its window too: the caller rolls the transaction back.
 */
export async function consume<Charged extends Charge>(
  transaction: Transaction<Schema>,
  workspaceId: string,
  charges: readonly Charged[],
  clock: Clock,
): Promise<Consumed<Charged>[]> {
  const now = clock().getTime();
  const states = await addPoints(transaction, workspaceId, charges, now);
  return Promise.all(charges.map((charge) => judge(charge, states.get(charge.key), now)));
}

async function judge<Charged extends Charge>(
  charge: Charged,
  state: WindowState | undefined,
  now: number,
): Promise<Consumed<Charged>> {
  const { key, points, limit = unlimited } = charge;
  const limiter = new WindowLimiter({ points: limit, state, now });
  try {
    const result = await limiter.consume(key, points);
    if (!(result instanceof WindowResult)) {
      throw new TypeError('A window has no end');
    }
    return { fits: true, taken: { ...charge, used: result.consumedPoints, endsAt: result.expires } };
  } catch (error) {
    if (!(error instanceof WindowResult)) {
      throw error;
    }
    const freesAt = points > limit ? undefined : error.expires;
    return { fits: false, full: { charge, used: error.consumedPoints - points, freesAt } };
  }
}

/**
 * Adds points to windows, and begins those that have ended: never that of a period, which takes the points of slow takers
 * after its end too. In portable SQL: SQLite and PostgreSQL take it as it is.
 */
async function addPoints(
  transaction: Transaction<Schema>,
  workspaceId: string,
  charges: readonly Charge[],
  now: number,
): Promise<Map<string, WindowState>> {
  if (charges.length === 0) {
    return new Map();
  }
  const rows = await transaction
    .insertInto('limit_window')
    .values(
      // In the order of their keys, so that no two transactions wait for each other.
      inKeyOrder(charges).map(({ key, points, ends }) => ({
        workspace_id: workspaceId,
        key,
        points,
        expires: 'at' in ends ? ends.at.getTime() : Math.round(now + ends.after),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'key']).doUpdateSet((eb) => {
        const isLive = eb.or([
          eb('limit_window.expires', '>', now),
          eb('limit_window.expires', '=', eb.ref('excluded.expires')),
        ]);
        const added = eb('limit_window.points', '+', eb.ref('excluded.points'));
        return {
          points: eb.case().when(isLive).then(added).else(eb.ref('excluded.points')).end(),
          expires: eb
            .case()
            .when(isLive)
            .then(eb.ref('limit_window.expires'))
            .else(eb.ref('excluded.expires'))
            .end(),
        };
      }),
    )
    .returning(['key', 'points', 'expires'])
    .execute();
  return new Map(
    rows.map(({ key, points, expires }) => [key, { points: Number(points), expires: Number(expires) }]),
  );
}

export function inKeyOrder<Item extends { key: string }>(items: readonly Item[]): Item[] {
  return items.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}

/** Takes points out of a window again, if it is still there; never more than are in it. */
export async function giveBackPoints(
  db: Kysely<Schema>,
  workspaceId: string,
  { key, points, endsAt }: GivenBackPoints,
): Promise<void> {
  await db
    .updateTable('limit_window')
    .set((eb) => ({
      points: eb
        .case()
        .when('points', '>', points)
        .then(eb('points', '-', points))
        .else(0)
        .end(),
    }))
    .where('workspace_id', '=', workspaceId)
    .where('key', '=', key)
    .$if(endsAt !== undefined, (update) => update.where('expires', '=', endsAt?.getTime() ?? 0))
    .execute();
}
