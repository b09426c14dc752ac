import type { ResultFileKind } from '../../../../services/campaigns/result-files.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { notice, section } from '../../../block-kit/build.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { pushModal } from '../../../middleware/open-modal.ts';
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
    comment: 'Unconfirmed: they may or may not have got it',
  },
  {
    which: 'not_sent',
    actionId: campaignActions.notSent,
    name: 'not-sent.csv',
    comment: 'Not sent anything',
  },
  {
    which: 'invalid',
    actionId: campaignActions.invalid,
    name: 'invalid.csv',
    comment: 'Rows that could not be used, with the reason',
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
      const replace = await pushModal(call)(
        notice('A file', section(mrkdwn`${stateIcons.underway} Writing *${name}*…`)),
      );
      const pieces = await campaigns.resultFile({ ...campaignUser(user), id, which });
      if (pieces === undefined) {
        throw new UserError(
          mrkdwn`There is nothing to be in this file. Numbers are deleted some time after a campaign ended.`,
        );
      }
      const content = Buffer.from((await Array.fromAsync(pieces)).join(''));
      await files.share(
        { userId: user.userId },
        { name, content, comment: mrkdwn`*${campaign.name}* · ${comment}`.source },
      );
      await replace(
        notice(
          'A file',
          section(mrkdwn`${stateIcons.done} *${name}* is in your messages with Switchboard, for you alone.`),
        ),
      );
    });
  }
}
