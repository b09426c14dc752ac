import { csvFiles } from '../../../../domain/csv/write-csv.ts';
import { present } from '../../../block-kit/build.ts';
import { unsentLine } from '../../../block-kit/descriptions/campaign-counts.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { type Markup, mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { createOncePerDoubleClick } from '../../../middleware/list-buttons.ts';
import type { ActionRequest } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { campaignActions, campaignUser } from '../actions.ts';
import { findCampaign } from './campaign-status.ts';
import { downloadView, type ResultFile, resultFileKinds } from './download-view.ts';

/** Files with the recipients of one outcome. They contain full phone numbers, so nobody but the requester gets them. */
export function registerResultFiles(router: Router, app: AppContext): void {
  const oncePerDoubleClick = createOncePerDoubleClick(app.services.once);
  router.action(campaignActions.download, 'campaign', async ({ user, value, push }) => {
    await push(downloadView(await findCampaign(app, user, value)));
  });
  for (const file of resultFileKinds) {
    router.action(file.actionId, 'campaign', (call) =>
      oncePerDoubleClick(call, file.actionId, () => send(app, call, file)),
    );
  }
}

async function send(
  app: AppContext,
  { user, value: id, view, showLine }: ActionRequest,
  { which, name, comment }: ResultFile,
): Promise<void> {
  const { services, files: shared } = app;
  const campaign = await findCampaign(app, user, id);
  if (view !== undefined) {
    await showLine(mrkdwn`${stateIcons.underway} Writing *${name}.csv*…`);
  }
  const table = await services.campaigns.resultTable({ ...campaignUser(user), id, which });
  if (table === undefined) {
    throw new UserError(
      mrkdwn`Nothing to download. This campaign’s numbers have been deleted: their retention time is over.`,
    );
  }
  const failures = await services.campaigns.failuresOf(campaign);
  const states = (['rejected', 'unconfirmed'] as const).filter((state) => which === 'all' || which === state);
  const reasons = states.map((state) => unsentLine(campaign, failures, state));
  const title = mrkdwn`*${campaign.name}* · ${comment}`;
  const description = mrkdwn`${present<Markup>(title, ...reasons)}`.source;
  let parts = 0;
  const { workspaceId, userId } = user;
  const share = async () => {
    let total = 0;
    for await (const { rows, ...file } of csvFiles({ name, ...table })) {
      await shared.share(workspaceId, { userId, needed: 'campaign' }, { ...file, comment: description });
      parts += 1;
      total += rows;
    }
    return total;
  };
  const details = { which, name: campaign.name };
  await services.audit.recordExport({ workspaceId, action: 'campaign.export', subject: id, details }, share);
  const written = parts === 1 ? mrkdwn`*${name}.csv* is` : mrkdwn`*${name}.csv*, in ${parts} parts, is`;
  await showLine(mrkdwn`${stateIcons.done} ${written} in your messages with Switchboard.`);
}
