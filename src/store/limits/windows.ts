import type { Kysely } from 'kysely';
import type { Clock } from '../../lib/time/clock.ts';
import type { Schema } from '../schema.ts';
import { WindowLimiter, WindowResult } from './window-limiter.ts';

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

/** For points that are only counted: the library wants a number. */
const unlimited = Number.MAX_SAFE_INTEGER;

/** Takes one charge, through the library's limiter. */
export async function consume(
  db: Kysely<Schema>,
  workspaceId: string,
  charge: Charge,
  clock: Clock,
): Promise<Consumed> {
  const { key, points, limit = unlimited, duration } = charge;
  const limiter = new WindowLimiter({ db, clock, points: limit, duration: duration / 1_000 });
  try {
    const { consumedPoints } = await limiter.consume(key, points, { workspaceId });
    return { fits: true, used: consumedPoints };
  } catch (error) {
    if (!(error instanceof WindowResult)) {
      throw error;
    }
    const freesAt = points > limit ? undefined : error.expires;
    return { fits: false, full: { charge, used: error.consumedPoints - points, freesAt } };
  }
}

/** Takes points out of a window again, if it is still there; never more than are in it. */
export async function giveBackPoints(
  db: Kysely<Schema>,
  workspaceId: string,
  { key, points }: { key: string; points: number },
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
    .execute();
}
