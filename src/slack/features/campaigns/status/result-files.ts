import { csvFiles } from '../../../../domain/csv/write-csv.ts';
import { maskPersonal } from '../../../../lib/redact.ts';
import type { ResultFileKind } from '../../../../services/campaigns/result-files.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { createOncePerDoubleClick } from '../../../middleware/list-buttons.ts';
import type { ActionRequest } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { campaignActions, campaignUser } from '../actions.ts';
import { findCampaign } from './campaign-status.ts';

/** `name`: without its ending; a long file comes in parts. */
interface ResultFile {
  which: ResultFileKind;
  name: string;
  comment: string;
}

const resultFiles: Readonly<Record<string, ResultFile>> = {
  [campaignActions.rejected]: {
    which: 'rejected',
    name: 'rejected',
    comment: 'Rejected by the provider, with the reason',
  },
  [campaignActions.unconfirmed]: { which: 'unconfirmed', name: 'unconfirmed', comment: 'Unconfirmed' },
  [campaignActions.notSent]: { which: 'not_sent', name: 'not-sent', comment: 'Not sent' },
  [campaignActions.invalid]: { which: 'invalid', name: 'invalid', comment: 'Skipped rows, with the reason' },
  [campaignActions.all]: { which: 'all', name: 'results', comment: 'All results' },
};

/** Files with the recipients of one outcome. They contain full phone numbers, so only the user who asks gets them. */
export function registerResultFiles(router: Router, context: AppContext): void {
  const oncePerDoubleClick = createOncePerDoubleClick(context.services.once);
  for (const [actionId, file] of Object.entries(resultFiles)) {
    router.action(actionId, 'campaign', (call) =>
      oncePerDoubleClick(call, actionId, () => send(context, call, file)),
    );
  }
}

async function send(
  context: AppContext,
  { user, value: id, view, showLine }: ActionRequest,
  { which, name, comment }: ResultFile,
): Promise<void> {
  const { services, files } = context;
  const campaign = await findCampaign(context, user, id);
  if (view !== undefined) {
    await showLine(mrkdwn`${stateIcons.underway} Writing *${name}.csv*…`);
  }
  const table = await services.campaigns.resultTable({ ...campaignUser(user), id, which });
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
  const details = { which, name: maskPersonal(campaign.name) };
  await services.audit.recordExport({ workspaceId, action: 'campaign.export', subject: id, details }, share);
  const shared = parts === 1 ? mrkdwn`*${name}.csv* is` : mrkdwn`*${name}.csv*, in ${parts} parts, is`;
  await showLine(mrkdwn`${stateIcons.done} ${shared} in your messages with Switchboard.`);
}
