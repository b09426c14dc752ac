import type { Balance } from '../../../services/costs/balance.ts';
import { formatMoney } from '../plural.ts';
import { type Markup, mrkdwn, timeFor } from '../text.ts';

const spent = {
  message: 'message',
  code: 'one-time code',
  campaign: 'campaign',
  esim: 'eSIM order',
} as const;

/**
 * The newest known balance with its time, and what is not in it yet; or since when it is too low, where the provider refused
 * something after it was named. For the sender alone.
 */
export function describeBalance({ amount = '', at, before, tooLowAt }: Balance): Markup {
  if (tooLowAt !== undefined) {
    return tooLowSince(tooLowAt);
  }
  const since = before === undefined ? mrkdwn`` : mrkdwn`, before the last ${spent[before]}`;
  return mrkdwn`${formatMoney(amount)} (${timeFor(at)}${since})`;
}

export function tooLowSince(at: Date): Markup {
  return mrkdwn`*too low* since ${timeFor(at)}`;
}
