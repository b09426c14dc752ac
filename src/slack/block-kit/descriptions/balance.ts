import type { Balance } from '../../../services/costs/balance.ts';
import { formatMoney } from '../plural.ts';
import { type Markup, mrkdwn, timeFor } from '../text.ts';

const spent = {
  message: 'message',
  code: 'one-time code',
  campaign: 'campaign',
  esim: 'eSIM order',
} as const;

/** The newest known balance with its time, and what is not in it yet. For the sender alone. */
export function describeBalance({ amount, at, before, tooLowAt }: Balance): Markup {
  const since = before === undefined ? mrkdwn`` : mrkdwn`, before the last ${spent[before]}`;
  const figure = amount === undefined ? undefined : mrkdwn`${formatMoney(amount)} (${timeFor(at)}${since})`;
  if (tooLowAt === undefined) {
    return mrkdwn`${figure}`;
  }
  const tooLow = mrkdwn`*too low* (${timeFor(tooLowAt)})`;
  return figure === undefined ? tooLow : mrkdwn`${tooLow}, last known ${figure}`;
}
