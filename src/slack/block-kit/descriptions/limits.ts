import type { BudgetWindow } from '../../../domain/limits/budget-period.ts';
import type { LimitedSubject } from '../../../domain/limits/limit-settings.ts';
import { isLiftable, type LimitReason, type ReachedLimit } from '../../../domain/limits/reached-limit.ts';
import { isNearlyUsed } from '../../../services/limits/budgets.ts';
import { formatCount, formatPercent, pluralize } from '../plural.ts';
import { stateIcons } from '../state-icons.ts';
import { type Markup, mrkdwn, timeFor } from '../text.ts';

const minuteMs = 60_000;
/** A longer wait ends at a time of day. */
const maxWaitMs = 2 * minuteMs;

const nouns: Readonly<Record<LimitedSubject, readonly [one: string, many: string]>> = {
  messages: ['message', 'messages'],
  codes: ['code', 'codes'],
  lookups: ['lookup request', 'lookup requests'],
  purchases: ['eSIM purchase', 'eSIM purchases'],
};

/**
 * Tells who asked that a limit was reached: what happened, that nothing was done, when it frees up, and who can change it.
 *
 * @param nothingDone a sentence: *Nothing was sent.*
 */
export function describeReached(
  { reason, freesAt, waitMs = maxWaitMs }: ReachedLimit,
  nothingDone: string,
): Markup {
  const at =
    waitMs < maxWaitMs
      ? mrkdwn`in ${pluralize(Math.max(1, Math.ceil(waitMs / 1_000)), 'second')}`
      : freesAt && timeFor(nextMinute(freesAt));
  const when = at === undefined ? mrkdwn`` : mrkdwn`Try again ${at}. `;
  const change = isLiftable(reason) ? 'lift' : 'change';
  return mrkdwn`*${happened(reason)}* ${nothingDone} ${when}An admin can ${change} this under Limits in Switchboard’s settings.`;
}

/** Tells in a review that it could not be sent now. */
export function foreseenLimit({ reason, freesAt }: ReachedLimit): Markup {
  return mrkdwn`${stateIcons.unconfirmed} *This can’t be sent ${describeFreesAt(freesAt)}. Limit reached:* ${nameLimit(reason)}.`;
}

/** Names a limit, to follow a colon, without who reached it. */
export function nameLimit(reason: LimitReason): Markup {
  switch (reason.rule) {
    case 'rate':
      return mrkdwn`${rateOf(reason)} ${reason.scope === 'person' ? 'for one person' : 'for the workspace'}`;
    case 'country':
      return mrkdwn`${reason.subject} to ${listed(reason.countries)}`;
    case 'budget':
      return mrkdwn`${budgetOf(reason.window)}, ${formatCount(reason.used)} of ${pluralize(reason.limit, 'page')} used`;
    case 'recipient':
      return mrkdwn`${pluralize(reason.limit, 'code')} to ${reason.shown} in ${reason.window === 'hour' ? 'an hour' : 'a day'}`;
    case 'again':
      return mrkdwn`another code to ${reason.shown} within ${pluralize(reason.seconds, 'second')}`;
  }
}

/** `until 14:05`, for admins. */
export function describeFreesAt(freesAt: Date | undefined): Markup {
  return freesAt === undefined
    ? mrkdwn`until the limit changes`
    : mrkdwn`until ${timeFor(nextMinute(freesAt))}`;
}

function happened(reason: LimitReason): Markup {
  switch (reason.rule) {
    case 'rate':
      if (reason.asked > reason.limit) {
        return mrkdwn`${formatCount(reason.asked)} at once is over the limit of ${rateOf(reason)}.`;
      }
      return reason.scope === 'person'
        ? mrkdwn`You have reached your limit of ${rateOf(reason)}.`
        : mrkdwn`This workspace has reached its limit of ${rateOf(reason)}.`;
    case 'country': {
      const { subject, countries, recipients } = reason;
      const many = recipients > 1 ? ` ${formatCount(recipients)} recipients are there.` : '';
      return mrkdwn`This workspace doesn’t send ${subject} to ${listed(countries)}.${many}`;
    }
    case 'budget':
      return mrkdwn`This goes over ${budgetOf(reason.window)}: ${formatCount(reason.used)} of ${pluralize(reason.limit, 'page')} used, and this takes ${formatCount(reason.asked)}.`;
    case 'recipient':
      return mrkdwn`${reason.shown} got ${pluralize(reason.limit, 'code')} in ${reason.window === 'hour' ? 'an hour' : 'a day'}.`;
    case 'again':
      return mrkdwn`${reason.shown} got a code in the last ${pluralize(reason.seconds, 'second')}.`;
  }
}

function rateOf({ subject, window, limit }: Extract<LimitReason, { rule: 'rate' }>): string {
  const [one, many] = nouns[subject];
  return `${pluralize(limit, one, many)} a ${window}`;
}

/** Times are shown to the minute: a limit that frees up within one is free at its end. */
function nextMinute(at: Date): Date {
  return new Date(Math.ceil(at.getTime() / minuteMs) * minuteMs);
}

const maxListed = 3;

function listed(countries: readonly string[]): string {
  const names = countries.map((country) =>
    country === 'no country' ? 'numbers without a country' : country,
  );
  const more = names.length - maxListed;
  return more > 0
    ? `${names.slice(0, maxListed).join(', ')} and ${pluralize(more, 'more country', 'more countries')}`
    : new Intl.ListFormat('en').format(names);
}

const budgetOf = (window: BudgetWindow) =>
  window === 'day' ? 'today’s page budget' : 'this month’s page budget';

/** How much of a budget would be used. */
export interface ShownBudget {
  window: BudgetWindow;
  limit: number;
  used: number;
}

/** `81% of today’s page budget: 810 of 1,000 pages`. */
export function describeBudget({ window, limit, used }: ShownBudget): Markup {
  return mrkdwn`${formatPercent(used / limit)} of ${budgetOf(window)}: ${formatCount(used)} of ${pluralize(limit, 'page')}`;
}

/** Describes the budgets that are nearly used up, except those in `reached`. */
export function scarceBudgets(
  budgets: readonly ShownBudget[],
  reached: readonly Pick<ReachedLimit, 'reason'>[],
): Markup[] {
  const isTold = ({ window }: ShownBudget) =>
    reached.some(({ reason }) => reason.rule === 'budget' && reason.window === window);
  return budgets
    .filter((use) => isNearlyUsed(use) && !isTold(use))
    .map((use) => {
      const what =
        use.used < use.limit
          ? mrkdwn`*Page budget almost used up:* ${describeBudget(use)}`
          : mrkdwn`*All of ${budgetOf(use.window)} is used:* ${formatCount(use.used)} of ${pluralize(use.limit, 'page')}`;
      return mrkdwn`${stateIcons.unconfirmed} ${what}.`;
    });
}

/** Warns of a budget that a message nearly uses up. */
export function budgetWarning(use: ShownBudget): Markup {
  return mrkdwn`${stateIcons.unconfirmed} *This takes you to ${describeBudget(use)}.*`;
}
