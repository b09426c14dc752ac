import type { Log } from '../../../lib/log.ts';
import type { Services } from '../../../services/services.ts';
import type { Notice, Outbox } from '../../../store/outbox/outbox.ts';
import { actions, button, context, section } from '../../block-kit/build.ts';
import { describeBalance } from '../../block-kit/descriptions/balance.ts';
import { message } from '../../block-kit/message.ts';
import { stateIcons } from '../../block-kit/state-icons.ts';
import { mrkdwn, userMention } from '../../block-kit/text.ts';
import type { Posting } from '../../client/posting.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { createUserNotices } from '../../notifier/user-notices.ts';

/** Returns a function that posts that the balance is low. It is called for the outbox. */
export function createBalanceNotices(options: {
  services: Pick<Services, 'costs'>;
  posting: Posting;
  outbox: Outbox;
  log: Log;
}): (notice: Notice) => Promise<boolean> {
  const { costs } = options.services;
  return createUserNotices({
    ...options,
    async contentOf({ workspaceId, userId }) {
      const balance = await costs.balance(workspaceId);
      const figure = balance === undefined ? mrkdwn`` : mrkdwn` ${describeBalance(balance)}`;
      const text = mrkdwn`${stateIcons.unconfirmed} *The balance runs out:*${figure}. Top up the account at the provider.`;
      return message(text, [
        section(text),
        context(mrkdwn`Alert set by ${userMention(userId)}`),
        actions('balance_alert', button(openActions.balance, 'Balance')),
      ]);
    },
  });
}
