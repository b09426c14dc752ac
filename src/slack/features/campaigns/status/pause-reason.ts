import type { Campaign } from '../../../../store/campaigns/campaigns.ts';
import { type Markup, mrkdwn, userMention } from '../../../block-kit/text.ts';

/** Why a campaign is paused, and what makes it go on. */
export function pauseReason(pause: Campaign['pause']): Markup {
  switch (pause?.by) {
    case 'person':
      return mrkdwn`Paused by ${userMention(pause.userId ?? '')}. What was in flight ends; nothing new starts until somebody resumes it.`;
    case 'provider':
      return mrkdwn`:warning: *The provider refuses for a reason that will not pass by itself.* ${pause.error?.message} Those who wait were not sent anything. ${whatToDo(pause.error?.reason)}`;
    default:
      return mrkdwn`:warning: *Switchboard paused it.* ${pause?.error?.message}`;
  }
}

/** The sender ID and the route of a campaign cannot change. */
function whatToDo(reason: string | undefined): string {
  switch (reason) {
    case 'balance_too_low':
      return 'Top it up, then resume.';
    case 'bad_key':
      return 'Have an admin connect a valid key, then resume.';
    case 'sender_id_unknown':
      return 'Resume once the provider has approved it; or cancel, and send to them anew with another one.';
    case 'no_route':
      return 'Resume once the provider has activated it; or cancel, and send to them anew on another route.';
    default:
      return 'Resume once that is mended, or cancel.';
  }
}
