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
  /** How long the window lasts from its first point on, in milliseconds. */
  duration: number;
}

/** A charge that does not fit. */
export interface FullWindow {
  charge: Charge;
  /** Points in the window, without those of the charge. */
  used: number;
  /** When the window ends. Undefined where the charge is more than any window takes. */
  freesAt: Date | undefined;
}

export type Consumed = { fits: true; used: number } | { fits: false; full: FullWindow };

export interface GivenBackPoints {
  key: string;
  points: number;
  /** A window that ends later is another one: milliseconds since 1970. Unless given, the key tells. */
  until?: number | undefined;
}

/** For points that are only counted: the library wants a number. */
const unlimited = Number.MAX_SAFE_INTEGER;

/**
 * Takes charges with different keys, in one statement, through the library's limiter. Returns what became of each, in
 * their order. The points of one that does not fit are in its window too: the caller rolls the transaction back.
 */
export async function consume(
  transaction: Transaction<Schema>,
  workspaceId: string,
  charges: readonly Charge[],
  clock: Clock,
): Promise<Consumed[]> {
  const now = clock().getTime();
  const states = await addPoints(transaction, workspaceId, charges, now);
  return Promise.all(charges.map((charge) => judge(charge, states.get(charge.key), now)));
}

async function judge(charge: Charge, state: WindowState | undefined, now: number): Promise<Consumed> {
  const { key, points, limit = unlimited, duration } = charge;
  const limiter = new WindowLimiter({ points: limit, duration: duration / 1_000, state, now });
  try {
    const { consumedPoints } = await limiter.consume(key, points);
    return { fits: true, used: consumedPoints };
  } catch (error) {
    if (!(error instanceof WindowResult)) {
      throw error;
    }
    const freesAt = points > limit ? undefined : error.expires;
    return { fits: false, full: { charge, used: error.consumedPoints - points, freesAt } };
  }
}

/** Adds points to windows, and begins those that have ended. In portable SQL: SQLite and PostgreSQL take it as it is. */
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
      inKeyOrder(charges).map(({ key, points, duration }) => ({
        workspace_id: workspaceId,
        key,
        points,
        expires: Math.round(now + duration),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['workspace_id', 'key']).doUpdateSet((eb) => {
        const isLive = eb('limit_window.expires', '>', now);
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
  { key, points, until = Number.MAX_SAFE_INTEGER }: GivenBackPoints,
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
    .where('expires', '<=', until)
    .execute();
}
