import type { ModalView } from '@slack/types';
import { csvFiles } from '../../../../domain/csv/write-csv.ts';
import { maskPersonal } from '../../../../lib/redact.ts';
import type { ResultFileKind } from '../../../../services/campaigns/result-files.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { button, context, notice, section } from '../../../block-kit/build.ts';
import { formatCount } from '../../../block-kit/plural.ts';
import { stateIcons } from '../../../block-kit/state-icons.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import type { AppContext } from '../../../middleware/app-context.ts';
import { UserError } from '../../../middleware/errors.ts';
import { createOncePerDoubleClick } from '../../../middleware/list-buttons.ts';
import type { ActionRequest } from '../../../middleware/requests.ts';
import type { Router } from '../../../middleware/router/router.ts';
import { campaignActions, campaignUser } from '../actions.ts';
import { isOver, notSentCount } from './campaign-state.ts';
import { findCampaign } from './campaign-status.ts';

/** `name`: without its ending; a long file comes in parts. */
interface ResultFile {
  which: ResultFileKind;
  actionId: string;
  /** What the file has, and the button that writes it. */
  title: string;
  text: string;
  name: string;
  comment: string;
}

const files: readonly ResultFile[] = [
  {
    which: 'all',
    actionId: campaignActions.all,
    title: 'All recipients, with the outcome of each',
    text: 'Download all',
    name: 'results',
    comment: 'All results',
  },
  {
    which: 'not_sent',
    actionId: campaignActions.notSent,
    title: 'Not sent',
    text: 'Download not sent',
    name: 'not-sent',
    comment: 'Not sent',
  },
  {
    which: 'rejected',
    actionId: campaignActions.rejected,
    title: 'Rejected, with the reason',
    text: 'Download rejected',
    name: 'rejected',
    comment: 'Rejected by the provider, with the reason',
  },
  {
    which: 'unconfirmed',
    actionId: campaignActions.unconfirmed,
    title: 'Unconfirmed',
    text: 'Download unconfirmed',
    name: 'unconfirmed',
    comment: 'Unconfirmed',
  },
  {
    which: 'invalid',
    actionId: campaignActions.invalid,
    title: 'Skipped rows, with the reason',
    text: 'Download skipped rows',
    name: 'invalid',
    comment: 'Skipped rows, with the reason',
  },
];

/** The files that a campaign has now, and how many rows each has. */
export function resultFiles(campaign: Campaign): (ResultFile & { rows: number })[] {
  const { state, counts, repeat } = campaign;
  // A missed campaign can still be sent or discarded. A repeating campaign is sent by its runs.
  const hasResult = state !== 'missed' && repeat === undefined;
  const sizes: Record<ResultFileKind, number> = {
    all: counts.recipients,
    not_sent: notSentCount(campaign),
    rejected: counts.rejected,
    unconfirmed: counts.unconfirmed,
    invalid: counts.invalid,
  };
  return isOver(campaign)
    ? files
        .map((file) => ({ ...file, rows: sizes[file.which] }))
        .filter(({ which, rows }) => rows > 0 && (hasResult || which === 'invalid'))
    : [];
}

/** Files with the recipients of one outcome. They contain full phone numbers, so only the user who asks gets them. */
export function registerResultFiles(router: Router, app: AppContext): void {
  const oncePerDoubleClick = createOncePerDoubleClick(app.services.once);
  router.action(campaignActions.download, 'campaign', async ({ user, value, push }) => {
    await push(downloadView(await findCampaign(app, user, value)));
  });
  for (const file of files) {
    router.action(file.actionId, 'campaign', (call) =>
      oncePerDoubleClick(call, file.actionId, () => send(app, call, file)),
    );
  }
}

/** The files of a campaign, each with its button. */
export function downloadView(campaign: Campaign): ModalView {
  const { id, name } = campaign;
  return notice(
    'Download',
    section(mrkdwn`*${name}*`),
    ...resultFiles(campaign).map(({ actionId, title, text, rows }) =>
      section(
        mrkdwn`${title} · ${formatCount(rows)}`,
        button(actionId, 'Download', { value: id, label: `${text} (${formatCount(rows)})` }),
      ),
    ),
    context(mrkdwn`Files have phone numbers. You get them in your messages with Switchboard.`),
  );
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
      mrkdwn`Nothing to download. Numbers are deleted some time after a campaign has ended.`,
    );
  }
  const description = mrkdwn`*${campaign.name}* · ${comment}`.source;
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
  const details = { which, name: maskPersonal(campaign.name) };
  await services.audit.recordExport({ workspaceId, action: 'campaign.export', subject: id, details }, share);
  const written = parts === 1 ? mrkdwn`*${name}.csv* is` : mrkdwn`*${name}.csv*, in ${parts} parts, is`;
  await showLine(mrkdwn`${stateIcons.done} ${written} in your messages with Switchboard.`);
}
