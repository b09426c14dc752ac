import { addMinutes } from '../../lib/lagos-time.ts';
import type { Sim } from '../state/state.ts';
import { findPlan } from './catalogue.ts';

/** The sandbox's rule: a plan becomes active five minutes after its purchase, as if the eSIM was installed then. */
export const activationMinutes = 5;
/** The sandbox's rule: data is used at this rate, fast enough to watch. */
export const gigabytesPerMinute = 0.02;
/** The time within which a plan must be activated. */
const windowMinutes = 90 * 24 * 60;

interface PlanStatus {
  name: string;
  status: 'NOT_ACTIVE' | 'ACTIVE' | 'EXPIRED';
  createdAt: Date;
  /** Missing until the plan is active. */
  activatedAt?: Date;
  expiresAt?: Date;
  windowEndsAt: Date;
  totalGigabytes: number;
  usedGigabytes: number;
}

/** Returns the status of an eSIM's data plan, which depends only on the time of purchase and the clock. */
export function planStatusOf({ productId, plan: { boughtAt, carriedOver } }: Sim, now: Date): PlanStatus {
  const plan = findPlan(productId);
  if (!plan) {
    throw new Error(`The catalogue has no plan ${productId}`);
  }
  const createdAt = new Date(boughtAt);
  const activatedAt = addMinutes(createdAt, activationMinutes);
  const expiresAt = addMinutes(activatedAt, plan.days * 24 * 60);
  const totalGigabytes = rounded(carriedOver + plan.gigabytes);
  const common = {
    name: plan.name,
    createdAt,
    windowEndsAt: addMinutes(createdAt, windowMinutes),
    totalGigabytes,
  };
  if (now < activatedAt) {
    return { ...common, status: 'NOT_ACTIVE', usedGigabytes: 0 };
  }
  const until = now < expiresAt ? now : expiresAt;
  const minutesInUse = (until.getTime() - activatedAt.getTime()) / 60_000;
  const usedGigabytes = Math.min(totalGigabytes, rounded(minutesInUse * gigabytesPerMinute));
  const status = now < expiresAt ? 'ACTIVE' : 'EXPIRED';
  return { ...common, status, activatedAt, expiresAt, usedGigabytes };
}

/** Returns the data that a top-up carries over, in gigabytes. An expired plan has none left at the sandbox's rate. */
export function remainingData(sim: Sim, now: Date): number {
  const { totalGigabytes, usedGigabytes } = planStatusOf(sim, now);
  return rounded(totalGigabytes - usedGigabytes);
}

function rounded(gigabytes: number): number {
  return Math.round(gigabytes * 1000) / 1000;
}
