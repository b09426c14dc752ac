import type { Button } from '@slack/types';
import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { isHeld } from '../../../../store/campaigns/hold-campaigns.ts';
import { button } from '../../../block-kit/build.ts';
import { confirmDialog } from '../../../block-kit/confirm-dialog.ts';
import { formatCount, pluralize } from '../../../block-kit/plural.ts';
import { campaignActions } from '../actions.ts';
import { isOver, notSentCount } from './campaign-state.ts';

/** The buttons that steer a campaign. Its creator and admins may; that is checked when one is pressed. */
export function steeringButtons(campaign: Campaign): Button[] {
  const { id, state, counts } = campaign;
  const cancel = button(campaignActions.cancel, 'Cancel', {
    value: id,
    style: 'danger',
    confirm: confirmation(
      'Cancel this campaign?',
      `Of its ${pluralize(counts.recipients, 'recipient')}, those who were not sent anything yet will not be. It cannot be resumed.`,
      'Cancel it',
    ),
  });
  switch (state) {
    case 'running':
      return [button(campaignActions.pause, 'Pause', { value: id }), cancel];
    case 'paused':
      return [resumeButton(campaign), cancel];
    case 'scheduled':
      return [cancel];
    default:
      return [];
  }
}

function resumeButton(campaign: Campaign): Button {
  return button(campaignActions.resume, 'Resume', {
    value: campaign.id,
    style: 'primary',
    ...(isHeld(campaign) && {
      confirm: confirmation(
        'Resume this campaign?',
        'Some of those who wait may have got the message already, and would get it a second time.',
        'Resume it',
      ),
    }),
  });
}

/** After the end: files of recipients, which only the user who asks gets, and buttons to send again. */
export function resultButtons(campaign: Campaign): Button[] {
  if (!isOver(campaign)) {
    return [];
  }
  const { id, counts } = campaign;
  const notSent = notSentCount(campaign);
  const file = (actionId: string, what: string, count: number) =>
    count === 0 ? [] : [button(actionId, `${what} (${formatCount(count)})`, { value: id })];
  return [
    ...file(campaignActions.rejected, 'Rejected', counts.rejected),
    ...file(campaignActions.unconfirmed, 'Unconfirmed', counts.unconfirmed),
    ...file(campaignActions.notSent, 'Not sent', notSent),
    ...file(campaignActions.invalid, 'Invalid', counts.invalid),
    ...(counts.rejected === 0
      ? []
      : [button(campaignActions.retryRejected, 'Retry the rejected', { value: id, style: 'primary' })]),
    ...(counts.unconfirmed === 0
      ? []
      : [
          button(campaignActions.retryUnconfirmed, 'Send to the unconfirmed again', {
            value: id,
            confirm: confirmation(
              'Send to these again?',
              `${pluralize(counts.unconfirmed, 'recipient')} may have got the message already, and would get it a second time. You see a preview before anything is sent.`,
              'Show the preview',
            ),
          }),
        ]),
  ];
}

function confirmation(title: string, text: string, yes: string): NonNullable<Button['confirm']> {
  return confirmDialog({ title, text, yes, no: 'Leave it' });
}
