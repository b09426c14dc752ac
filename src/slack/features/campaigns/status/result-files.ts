import type { ResultFileKind } from '../../../../services/campaigns/result-files.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import type { User } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { campaignActions } from '../actions.ts';
import { campaignUser } from './campaign-user.ts';

const resultFiles: { which: ResultFileKind; actionId: string; name: string; comment: string }[] = [
  {
    which: 'rejected',
    actionId: campaignActions.rejected,
    name: 'rejected.csv',
    comment: 'Rejected by the provider, with the reason',
  },
  {
    which: 'unconfirmed',
    actionId: campaignActions.unconfirmed,
    name: 'unconfirmed.csv',
    comment: 'Unconfirmed',
  },
  {
    which: 'not_sent',
    actionId: campaignActions.notSent,
    name: 'not-sent.csv',
    comment: 'Not sent',
  },
  {
    which: 'invalid',
    actionId: campaignActions.invalid,
    name: 'invalid.csv',
    comment: 'Skipped rows, with the reason',
  },
  {
    which: 'all',
    actionId: campaignActions.all,
    name: 'results.csv',
    comment: 'All results',
  },
];

/** Files with the recipients of one outcome. They contain full phone numbers, so only the user who asks gets them. */
export function registerResultFiles(
  router: Router,
  { services: { campaigns }, files }: AppContext,
  find: (user: User, id: string) => Promise<Campaign>,
): void {
  for (const { which, actionId, name, comment } of resultFiles) {
    router.action(actionId, async (call) => {
      const { user, value: id } = call;
      const campaign = await find(user, id);
      if (call.view !== undefined) {
        await call.showLine(mrkdwn`${stateIcons.underway} Writing *${name}*…`);
      }
      const pieces = await campaigns.resultFile({ ...campaignUser(user), id, which });
      if (pieces === undefined) {
        throw new UserError(
          mrkdwn`Nothing to download. Numbers are deleted some time after a campaign has ended.`,
        );
      }
      // As bytes: a million rows in one string would take twice the memory.
      const content = Buffer.concat(await Array.fromAsync(pieces, (piece) => Buffer.from(piece)));
      await files.share(
        { userId: user.userId },
        { name, content, comment: mrkdwn`*${campaign.name}* · ${comment}`.source },
      );
      await call.showLine(mrkdwn`${stateIcons.done} *${name}* is in your messages with Switchboard.`);
    });
  }
}
