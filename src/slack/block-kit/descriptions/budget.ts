import type { BudgetWindow } from '../../../domain/limits/budget-period.ts';
import { formatCount, pluralize } from '../plural.ts';
import { formatPercent } from '../progress-bar.ts';
import { stateIcons } from '../state-icons.ts';
import { type Markup, mrkdwn } from '../text.ts';

/** How much of a budget would be used. */
export interface ShownBudget {
  window: BudgetWindow;
  limit: number;
  used: number;
}

/** `81% of today’s page budget: 810 of 1,000 pages`. */
export function describeBudget({ window, limit, used }: ShownBudget): Markup {
  const whose = window === 'day' ? 'today’s' : 'this month’s';
  return mrkdwn`${formatPercent(used / limit)} of ${whose} page budget: ${formatCount(used)} of ${pluralize(limit, 'page')}`;
}

/** Warns of a budget of which little is left after a message. */
export function budgetWarning(use: ShownBudget): Markup {
  return mrkdwn`${stateIcons.unconfirmed} *With this, ${describeBudget(use)}.*`;
}
