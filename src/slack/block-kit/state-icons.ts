import type { Campaign, CampaignState } from '../../store/campaigns/campaigns.ts';
import type { Operation } from '../../store/operations/operation.ts';
import { type Markup, mrkdwn } from './text.ts';

/** One icon for each state, wherever it is shown. */
export const stateIcons = {
  underway: mrkdwn`:hourglass_flowing_sand:`,
  done: mrkdwn`:white_check_mark:`,
  /** Sent, and not known to have arrived. */
  sent: mrkdwn`:outbox_tray:`,
  failed: mrkdwn`:x:`,
  unconfirmed: mrkdwn`:warning:`,
  blocked: mrkdwn`:no_entry:`,
  unknown: mrkdwn`:grey_question:`,
  off: mrkdwn`:white_circle:`,
  approval: mrkdwn`:raised_hand:`,
};

export const operationIcons: Readonly<Record<Operation['state'], Markup>> = {
  underway: stateIcons.underway,
  accepted: stateIcons.done,
  rejected: stateIcons.failed,
  not_sent: stateIcons.failed,
  unconfirmed: stateIcons.unconfirmed,
};

/** Once a campaign has ended, its icon says whether its messages arrived, like the icon of a single message. */
export function campaignIcon({
  state,
  counts,
  deliveries,
}: Pick<Campaign, 'state' | 'counts' | 'deliveries'>): Markup {
  if (state !== 'done') {
    return campaignIcons[state];
  }
  const { accepted, recipients } = counts;
  if (accepted === 0 || accepted < recipients || (deliveries?.failed.length ?? 0) > 0) {
    return stateIcons.unconfirmed;
  }
  return deliveries?.delivered === recipients ? stateIcons.done : stateIcons.sent;
}

export const campaignIcons: Readonly<Record<CampaignState, Markup>> = {
  reading: stateIcons.underway,
  ready: mrkdwn`:memo:`,
  scheduled: mrkdwn`:alarm_clock:`,
  repeating: mrkdwn`:alarm_clock:`,
  running: stateIcons.underway,
  paused: mrkdwn`:double_vertical_bar:`,
  done: stateIcons.done,
  cancelled: mrkdwn`:no_entry_sign:`,
  missed: stateIcons.blocked,
};
