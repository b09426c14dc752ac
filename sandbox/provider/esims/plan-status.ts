import { addMinutes } from '../../lib/lagos-time.ts';
import type { Sim } from '../state/state.ts';
import { findPlan } from './catalogue.ts';

/** The sandbox's rule: a plan becomes active five minutes after it was bought, as if somebody installed the eSIM. */
export const activationMinutes = 5;
/** The sandbox's rule: data is used up at this pace, in gigabytes a minute, so that one can watch it. */
export const gigabytesPerMinute = 0.02;
/** How long a plan may wait for its activation. */
const windowMinutes = 90 * 24 * 60;

interface PlanLife {
  name: string;
  status: 'NOT_ACTIVE' | 'ACTIVE' | 'EXPIRED';
  createdAt: Date;
  /** Missing as long as it is ahead. */
  activatedAt?: Date;
  expiresAt?: Date;
  windowEndsAt: Date;
  totalGigabytes: number;
  usedGigabytes: number;
}

/** How far the data plan of an eSIM has come. It follows from the time it was bought and from the clock alone. */
export function planStatusOf({ productId, plan: { boughtAt, carriedOver } }: Sim, now: Date): PlanLife {
  const plan = findPlan(productId);
  if (!plan) {
    throw new Error(`The catalogue has no plan ${productId}`);
  }
  const createdAt = new Date(boughtAt);
  const activatedAt = addMinutes(createdAt, activationMinutes);
  const expiresAt = addMinutes(activatedAt, plan.days * 24 * 60);
  const totalGigabytes = rounded(carriedOver + plan.gigabytes);
  const life = {
    name: plan.name,
    createdAt,
    windowEndsAt: addMinutes(createdAt, windowMinutes),
    totalGigabytes,
  };
  if (now < activatedAt) {
    return { ...life, status: 'NOT_ACTIVE', usedGigabytes: 0 };
  }
  const until = now < expiresAt ? now : expiresAt;
  const minutesInUse = (until.getTime() - activatedAt.getTime()) / 60_000;
  const usedGigabytes = Math.min(totalGigabytes, rounded(minutesInUse * gigabytesPerMinute));
  const status = now < expiresAt ? 'ACTIVE' : 'EXPIRED';
  return { ...life, status, activatedAt, expiresAt, usedGigabytes };
}

/** What a top-up takes over from the plan before it. At the sandbox's pace, an expired one has nothing left. */
export function remainingData(sim: Sim, now: Date): number {
  const { totalGigabytes, usedGigabytes } = planStatusOf(sim, now);
  return rounded(totalGigabytes - usedGigabytes);
}

function rounded(gigabytes: number): number {
  return Math.round(gigabytes * 1000) / 1000;
}
