import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import type { CostReader, CostSum, MonthOfCosts } from '../../../services/costs/costs.ts';
import { noSenderId } from '../../../store/deliveries/costs/cost-subjects.ts';
import { actions, button, context, divider, notice, option, section } from '../../block-kit/build.ts';
import { describeCostSum } from '../../block-kit/descriptions/costs.ts';
import { select } from '../../block-kit/inputs/fields.ts';
import { limits } from '../../block-kit/limits.ts';
import { pluralize } from '../../block-kit/plural.ts';
import { type Markup, mrkdwn, userMention } from '../../block-kit/text.ts';
import type { AppContext } from '../../middleware/app-context.ts';
import type { User } from '../../middleware/requests.ts';
import type { Router } from '../../middleware/router/router.ts';
import { openActions } from '../../navigation/open-actions.ts';

const monthSchema = z.string().regex(/^\d{4}-(?:0[1-9]|1[0-2])$/);

/** *Costs*: by month, person and sender. An admin sees everyone's, as in the history. */
export function registerCostMonths(router: Router, { services }: AppContext): void {
  const { costMonths } = services;

  async function viewOf({ workspaceId, userId, permissions }: User, month?: string) {
    const isEveryones = permissions.has('administer');
    const reader: CostReader = { workspaceId, userId, scope: isEveryones ? 'everyone' : 'own' };
    const [shown, months] = await Promise.all([costMonths.month(reader, month), costMonths.months(reader)]);
    return costsView({ shown, months, isEveryones });
  }

  router.action(openActions.costs, 'use', async (call) => {
    await call.push(await viewOf(call.user));
  });

  router.action(monthAction, 'use', async ({ user, value, view }) => {
    await view?.replace(await viewOf(user, monthSchema.parse(value)));
  });
}

const monthAction = 'costs_month';
export const openPricesAction = 'prices_open';
const pricesLine = mrkdwn`*Prices*: the cost of a page, used for estimates`;

const budgetLine = mrkdwn`*Page budget*: how many pages may be sent in a day or a month`;

interface CostsContent {
  shown: MonthOfCosts;
  /** Those that can be chosen, the newest first. */
  months: readonly string[];
  /** Whether the figures include everyone in the workspace, for an admin; otherwise only the user's own. */
  isEveryones: boolean;
}

/** Of users and of senders; the rest is summed up. */
const maxListed = 20;

/** What the provider charged in a month, by user and by sender. */
export function costsView({ shown, months, isEveryones }: CostsContent): ModalView {
  const { month, total, byUser, bySender } = shown;
  const whose = isEveryones ? mrkdwn`` : mrkdwn` (only your messages)`;
  const others = months.filter((each) => each !== month).slice(0, limits.options - 1);
  const options = [month, ...others]
    .sort()
    .reverse()
    .map((each) => option(nameOfMonth(each), each));
  return notice(
    'Costs',
    ...(others.length === 0 ? [] : [actions('costs_month', select(monthAction, options, month))]),
    section(
      total.messages === 0
        ? mrkdwn`*${nameOfMonth(month)}*: no costs reported yet${whose}.`
        : mrkdwn`*${nameOfMonth(month)}*: ${describeCostSum(total)}${whose}`,
    ),
    ...(isEveryones ? listed('By person', byUser, ({ userId }) => userMention(userId)) : []),
    ...listed('By sender', bySender, ({ senderId }) =>
      senderId === noSenderId ? mrkdwn`No sender ID` : mrkdwn`${senderId}`,
    ),
    ...(isEveryones
      ? [
          divider(),
          section(pricesLine, button(openPricesAction, 'Open prices')),
          section(budgetLine, button(openActions.limits, 'Open limits', { label: 'Page budget' })),
        ]
      : []),
    context(
      mrkdwn`Only costs that the provider reported, without eSIMs. A campaign counts in the month it started (Lagos time).`,
    ),
  );
}

function listed<Sum extends CostSum>(
  title: string,
  sums: readonly Sum[],
  nameOf: (sum: Sum) => Markup,
): KnownBlock[] {
  if (sums.length === 0) {
    return [];
  }
  const rest = sums.length - maxListed;
  const lines = [
    ...sums.slice(0, maxListed).map((sum) => mrkdwn`${nameOf(sum)}: ${describeCostSum(sum)}`),
    ...(rest > 0 ? [mrkdwn`and ${pluralize(rest, 'other')}`] : []),
  ];
  return [divider(), section(mrkdwn`${[mrkdwn`*${title}*`, ...lines]}`)];
}

/** `November 2026`. */
function nameOfMonth(month: string): string {
  return new Date(`${month}-01T00:00:00Z`).toLocaleDateString('en', {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
}
