import type { Button } from '@slack/types';
import { canAskAboutCampaign } from '../../../../services/history/provider-history.ts';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { button } from '../../../block-kit/build.ts';
import { formatCount } from '../../../block-kit/plural.ts';
import { askAboutCampaignButton } from '../../../navigation/ask-provider-button.ts';
import { campaignActions } from '../actions.ts';
import { isOver, notSentCount } from './campaign-state.ts';

/**
 * The buttons that steer a campaign. Its creator and admins may; that is checked when one is pressed, before what it
 * does is confirmed.
 */
export function steeringButtons({ id, state, counts }: Campaign): Button[] {
  const steer = (actionId: string, text: string, style?: 'primary') =>
    button(actionId, text, { value: id, ...(style && { style }) });
  const startNow = counts.recipients === 0 ? [] : [steer(campaignActions.startNow, 'Start now', 'primary')];
  const edit = steer(campaignActions.edit, 'Edit');
  const cancel = steer(campaignActions.cancel, 'Cancel campaign');
  const discard = steer(campaignActions.discard, 'Discard');
  switch (state) {
    case 'ready':
      return [discard];
    case 'running':
      return [steer(campaignActions.pause, 'Pause'), cancel];
    case 'paused':
      return [steer(campaignActions.resume, 'Resume', 'primary'), cancel];
    case 'scheduled':
      return [...startNow, steer(campaignActions.changeTime, 'Change time'), edit, cancel];
    case 'missed':
      return [...startNow, steer(campaignActions.changeTime, 'Schedule again'), edit, discard];
    default:
      return [];
  }
}

/** After the end: buttons to send to those who did not get it. */
export function restButtons(campaign: Campaign): Button[] {
  const { counts } = campaign;
  return hasResult(campaign)
    ? [
        ...counted(campaign, campaignActions.sendToRest, 'Send to the rest', notSentCount(campaign), '…'),
        ...counted(campaign, campaignActions.retryRejected, 'Resend to rejected', counts.rejected, '…'),
        ...counted(
          campaign,
          campaignActions.retryUnconfirmed,
          'Resend to unconfirmed',
          counts.unconfirmed,
          '…',
        ),
      ]
    : [];
}

/** While it is not known how every message ended. */
export function askButtons(campaign: Campaign, canAsk: boolean): Button[] {
  return canAsk && canAskAboutCampaign(campaign) ? [askAboutCampaignButton(campaign)] : [];
}

/** After the end: files, which only the user who asks gets. */
export function fileButtons(campaign: Campaign): Button[] {
  const { counts } = campaign;
  const outcomes = hasResult(campaign)
    ? [
        ...counted(campaign, campaignActions.notSent, 'Download not sent', notSentCount(campaign)),
        ...counted(campaign, campaignActions.rejected, 'Download rejected', counts.rejected),
        ...counted(campaign, campaignActions.unconfirmed, 'Download unconfirmed', counts.unconfirmed),
      ]
    : [];
  return isOver(campaign)
    ? [
        ...outcomes,
        ...counted(campaign, campaignActions.invalid, 'Download skipped rows', counts.invalid),
        ...(hasResult(campaign)
          ? counted(campaign, campaignActions.all, 'Download all', counts.recipients)
          : []),
      ]
    : [];
}

/** One that was missed is still to be sent, or discarded. */
const hasResult = (campaign: Campaign) => isOver(campaign) && campaign.state !== 'missed';

function counted({ id }: Campaign, actionId: string, text: string, count: number, end = ''): Button[] {
  return count === 0 ? [] : [button(actionId, `${text} (${formatCount(count)})${end}`, { value: id })];
}
