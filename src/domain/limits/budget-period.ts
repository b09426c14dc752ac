import { LRUCache } from 'lru-cache';
import { clockIn, endOfDay, startOfDay } from '../time/start-time.ts';

/** The provider bills in Lagos, so budgets follow its days and months. */
const budgetZone = 'Africa/Lagos';

export type BudgetWindow = 'day' | 'month';

/** A day or a month of a budget. */
export interface BudgetPeriod {
  /** `2026-11-22` or `2026-11`. */
  name: string;
  ends: Date;
}

/** In milliseconds. Days of Lagos begin on the hour, so a period begins with an hour. */
const hour = 60 * 60_000;
/** Working out a date in a time zone takes long, and each send asks for two. */
const known = new LRUCache<string, BudgetPeriod>({ max: 100 });

export function budgetPeriod(window: BudgetWindow, at: Date): BudgetPeriod {
  const key = `${window} ${Math.floor(at.getTime() / hour)}`;
  const period = known.get(key) ?? findPeriod(window, at);
  known.set(key, period);
  return period;
}

function findPeriod(window: BudgetWindow, at: Date): BudgetPeriod {
  const { date } = clockIn(at, budgetZone);
  if (window === 'day') {
    return { name: date, ends: endOfDay(date, budgetZone) };
  }
  const [year = 0, month = 0] = date.split('-').map(Number);
  const next = month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`;
  return { name: date.slice(0, 7), ends: startOfDay(`${next}-01`, budgetZone) };
}
