import { csvFiles } from '../../../../domain/csv/csv-files.ts';
import { maskPersonal } from '../../../../lib/redact.ts';
import type { ResultFileKind } from '../../../../services/campaigns/result-files.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { createOncePerDoubleClick } from '../../../middleware/double-clicks.ts';
import { UserError } from '../../../middleware/errors.ts';
import type { ActionRequest, User } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { campaignActions, campaignUser } from '../actions.ts';

interface ResultFile {
  which: ResultFileKind;
  actionId: string;
  /** Without its ending; a long file comes in parts. */
  name: string;
  comment: string;
}

const resultFiles: readonly ResultFile[] = [
  {
    which: 'rejected',
    actionId: campaignActions.rejected,
    name: 'rejected',
    comment: 'Rejected by the provider, with the reason',
  },
  {
    which: 'unconfirmed',
    actionId: campaignActions.unconfirmed,
    name: 'unconfirmed',
    comment: 'Unconfirmed',
  },
  {
    which: 'not_sent',
    actionId: campaignActions.notSent,
    name: 'not-sent',
    comment: 'Not sent',
  },
  {
    which: 'invalid',
    actionId: campaignActions.invalid,
    name: 'invalid',
    comment: 'Skipped rows, with the reason',
  },
  {
    which: 'all',
    actionId: campaignActions.all,
    name: 'results',
    comment: 'All results',
  },
];

/** Files with the recipients of one outcome. They contain full phone numbers, so only the user who asks gets them. */
export function registerResultFiles(
  router: Router,
  { services: { campaigns, audit, claims }, files }: AppContext,
  find: (user: User, id: string) => Promise<Campaign>,
): void {
  async function send(call: ActionRequest, { which, name, comment }: ResultFile): Promise<void> {
    const { user, value: id } = call;
    const campaign = await find(user, id);
    if (call.view !== undefined) {
      await call.showLine(mrkdwn`${stateIcons.underway} Writing *${name}.csv*…`);
    }
    const table = await campaigns.resultTable({ ...campaignUser(user), id, which });
    if (table === undefined) {
      throw new UserError(
        mrkdwn`Nothing to download. Numbers are deleted some time after a campaign has ended.`,
      );
    }
    const description = mrkdwn`*${campaign.name}* · ${comment}`.source;
    let parts = 0;
    const { workspaceId, userId } = user;
    const share = async () => {
      let total = 0;
      for await (const { rows, ...file } of csvFiles({ name, ...table })) {
        await files.share(workspaceId, { userId, needed: 'campaign' }, { ...file, comment: description });
        parts += 1;
        total += rows;
      }
      return total;
    };
    const entry = {
      action: 'campaign.export',
      subject: id,
      details: { which, name: maskPersonal(campaign.name) },
    } as const;
    await audit.recordExport({ workspaceId, ...entry }, share);
    const shared = parts === 1 ? mrkdwn`*${name}.csv* is` : mrkdwn`*${name}.csv*, in ${parts} parts, is`;
    await call.showLine(mrkdwn`${stateIcons.done} ${shared} in your messages with Switchboard.`);
  }

  const oncePerDoubleClick = createOncePerDoubleClick(claims);
  for (const file of resultFiles) {
    router.action(file.actionId, 'campaign', (call) =>
      oncePerDoubleClick(call, file.actionId, () => send(call, file)),
    );
  }
}
