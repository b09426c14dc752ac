import type { CampaignState } from '../../store/campaigns/campaigns.ts';
import type { Operation } from '../../store/operations/ledger.ts';
import { type Markup, mrkdwn } from './text.ts';

/** One icon for each state, wherever it is shown. */
export const stateIcons = {
  underway: mrkdwn`:hourglass_flowing_sand:`,
  done: mrkdwn`:white_check_mark:`,
  failed: mrkdwn`:x:`,
  unconfirmed: mrkdwn`:warning:`,
  blocked: mrkdwn`:no_entry:`,
  unknown: mrkdwn`:grey_question:`,
  off: mrkdwn`:white_circle:`,
};

export const operationIcons: Readonly<Record<Operation['state'], Markup>> = {
  underway: stateIcons.underway,
  accepted: stateIcons.done,
  rejected: stateIcons.failed,
  not_sent: stateIcons.failed,
  unconfirmed: stateIcons.unconfirmed,
};

/** `status`: in the campaign's own views. `history`: in a list with operations of other kinds. */
export const campaignIcons: Readonly<Record<CampaignState, { status: Markup; history: Markup }>> = {
  reading: { status: stateIcons.underway, history: stateIcons.underway },
  ready: { status: mrkdwn`:memo:`, history: stateIcons.underway },
  scheduled: { status: mrkdwn`:alarm_clock:`, history: mrkdwn`:calendar:` },
  running: { status: stateIcons.underway, history: stateIcons.underway },
  paused: { status: mrkdwn`:double_vertical_bar:`, history: stateIcons.underway },
  done: { status: stateIcons.done, history: stateIcons.done },
  cancelled: { status: mrkdwn`:no_entry_sign:`, history: stateIcons.failed },
  missed: { status: stateIcons.blocked, history: stateIcons.failed },
};
