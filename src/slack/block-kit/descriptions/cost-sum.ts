import type { CostSum } from '../../../services/costs/cost-months.ts';
import { formatMoney, pluralize } from '../plural.ts';
import { type Markup, mrkdwn } from '../text.ts';

/** What some messages cost together: `₦20,400 for 4,800 messages`. For who may see costs. */
export function describeCostSum({ amounts, messages }: CostSum): Markup {
  return mrkdwn`${amounts.map(formatMoney).join(' and ')} for ${pluralize(messages, 'message')}`;
}
