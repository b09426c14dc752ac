import type { ModalView } from '@slack/types';
import type { ResultFileKind } from '../../../../services/campaigns/result-files.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { button, context, notice, section } from '../../../block-kit/build.ts';
import { notSentCount } from '../../../block-kit/descriptions/campaign-counts.ts';
import { formatCount } from '../../../block-kit/plural.ts';
import { mrkdwn } from '../../../block-kit/text.ts';
import { campaignActions } from '../actions.ts';
import { isOver } from './campaign-state.ts';

/** `name`: without its ending; a long file comes in parts. */
export interface ResultFile {
  which: ResultFileKind;
  actionId: string;
  /** The button that writes it. */
  text: string;
  name: string;
  /** What it has. */
  comment: string;
}

export const resultFileKinds: readonly ResultFile[] = [
  {
    which: 'all',
    actionId: campaignActions.all,
    text: 'Download all',
    name: 'results',
    comment: 'All results',
  },
  {
    which: 'not_sent',
    actionId: campaignActions.notSent,
    text: 'Download not sent',
    name: 'not-sent',
    comment: 'Not sent',
  },
  {
    which: 'rejected',
    actionId: campaignActions.rejected,
    text: 'Download rejected',
    name: 'rejected',
    comment: 'Rejected by the provider, with the reason',
  },
  {
    which: 'unconfirmed',
    actionId: campaignActions.unconfirmed,
    text: 'Download unconfirmed',
    name: 'unconfirmed',
    comment: 'Unconfirmed',
  },
  {
    which: 'invalid',
    actionId: campaignActions.invalid,
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
    ? resultFileKinds
        .map((file) => ({ ...file, rows: sizes[file.which] }))
        .filter(({ which, rows }) => rows > 0 && (hasResult || which === 'invalid'))
    : [];
}

/** The files of a campaign, each with its button. */
export function downloadView(campaign: Campaign): ModalView {
  const { id, name } = campaign;
  return notice(
    'Download',
    section(mrkdwn`*${name}*`),
    ...resultFiles(campaign).map(({ actionId, comment, text, rows }) =>
      section(
        mrkdwn`${comment} · ${formatCount(rows)}`,
        button(actionId, 'Download', { value: id, label: `${text} (${formatCount(rows)})` }),
      ),
    ),
    context(mrkdwn`Files contain full phone numbers, and arrive in your messages with Switchboard.`),
  );
}
