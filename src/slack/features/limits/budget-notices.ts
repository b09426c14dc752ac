import type { Notice } from '../../../store/outbox/outbox.ts';
import { actions, button, section } from '../../block-kit/build.ts';
import { describeBudget } from '../../block-kit/descriptions/budget.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../block-kit/text.ts';
import type { SlackContext } from '../../client/slack-context.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { createUserNotices } from '../../notifier/user-notices.ts';

/** Returns a function that tells an admin that most of a page budget is used. It is called for the outbox. */
export function createBudgetNotices(context: SlackContext): (notice: Notice) => Promise<boolean> {
  return createUserNotices(context, async ({ workspaceId, subjectId }) => {
    const [window] = subjectId.split('.');
    const uses = await context.services.limits.budgets(workspaceId);
    const use = uses.find((each) => each.window === window);
    return use === undefined
      ? budgetMessage(mrkdwn`Most of a page budget was used.`)
      : budgetMessage(describeBudget(use));
  });
}

function budgetMessage(text: Markup): SlackMessage {
  const all = mrkdwn`${stateIcons.unconfirmed} *${text}.* When it is used up, nothing more is sent until the next one begins.`;
  return message(all, [section(all), actions('budget', button(openActions.limits, 'Limits'))]);
}
