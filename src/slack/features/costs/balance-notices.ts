import type { Notice } from '../../../store/outbox/outbox.ts';
import { actions, button, context, section } from '../../block-kit/build.ts';
import { describeBalance } from '../../block-kit/descriptions/balance.ts';
import { message } from '../../block-kit/message.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { mrkdwn, userMention } from '../../block-kit/text.ts';
import type { SlackContext } from '../../client/slack-context.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { createUserNotices } from '../../notifier/user-notices.ts';

/** Returns a function that posts that the balance is low. It is called for the outbox. */
export function createBalanceNotices(slack: SlackContext): (notice: Notice) => Promise<boolean> {
  return createUserNotices(slack, async ({ workspaceId, userId }) => {
    const balance = await slack.services.costs.balance(workspaceId);
    const figure = balance === undefined ? mrkdwn`` : mrkdwn` ${describeBalance(balance)}`;
    const text = mrkdwn`${stateIcons.unconfirmed} *The balance runs out:*${figure}. Top up the account at the provider.`;
    return message(text, [
      section(text),
      context(mrkdwn`Alert set by ${userMention(userId)}`),
      actions('balance_alert', button(openActions.balance, 'Balance')),
    ]);
  });
}
