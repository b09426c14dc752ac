import type { KnownBlock } from '@slack/types';
import type { Approval } from '../../../store/approvals/approvals.ts';
import { actions, button, quotation, section } from '../../block-kit/build.ts';
import { requestContent, requestName } from '../../block-kit/descriptions/approval-request.ts';
import { message, type SlackMessage } from '../../block-kit/message.ts';
import { type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import { openActions } from '../../navigation/open-actions.ts';
import { requestHeadline } from './approval-view.ts';

/** How a request ended, for the person who asked. */
export function newsMessage(approval: Approval): SlackMessage {
  const text = mrkdwn`*${requestName(approval)}*\n${requestHeadline(approval)}${consequence(approval)}`;
  return message(text, [
    section(text),
    ...(approval.reason === undefined ? [] : [quotation(approval.reason)]),
    ...askAgain(approval),
  ]);
}

function consequence(approval: Approval): Markup {
  if (approval.state !== 'approved') {
    return mrkdwn``;
  }
  const content = requestContent(approval);
  if (content.kind === 'esim') {
    return mrkdwn` The outcome comes as a message.`;
  }
  const { startAt } = content.campaign.start;
  return startAt === undefined
    ? mrkdwn` Sending has begun.`
    : mrkdwn` It starts ${timeFor(new Date(startAt))}.`;
}

/** Opens what was asked for, from where it can be asked for again. */
function askAgain(approval: Approval): KnownBlock[] {
  const { state, cause, subject } = approval;
  const content = requestContent(approval);
  if (state === 'approved' || cause === 'moved_on' || cause === 'restored') {
    return [];
  }
  const [action, value] =
    content.kind === 'campaign'
      ? [openActions.campaign, subject]
      : [openActions.esimPlans, content.order.iso3 ?? ''];
  return [actions('approval_again', button(action, state === 'rejected' ? 'Open' : 'Ask again', { value }))];
}
