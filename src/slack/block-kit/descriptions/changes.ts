import type { SectionBlock } from '@slack/types';
import type { Change } from '../../../domain/limits/seen.ts';
import { section } from '../build.ts';
import { stateIcons } from '../state-icons.ts';
import { type Markup, mrkdwn } from '../text.ts';

/** Other changes since the review. */
type OwnChange = 'draft' | 'nobody_left';

const sentences: Readonly<Record<Change | OwnChange, string>> = {
  draft: 'The message was edited after this review.',
  nobody_left: 'Everyone it would go to has opted out.',
  quiet_hours: 'It would now run into quiet hours (20:00 to 08:00 WAT), and MTN numbers wouldn’t get it.',
  sender_inactive: 'The provider doesn’t list the sender ID as active now.',
  approval_needed: 'It now needs approval.',
  approval_not_needed: 'It no longer needs approval, and would start without it.',
  offer: 'The plan or its price has changed.',
  code_settings: 'An admin has changed the settings of codes.',
};

/** Says why nothing was sent. */
export function describeChanges(changes: readonly (Change | OwnChange)[]): Markup {
  return mrkdwn`*Nothing was sent.* ${changes.map((change) => sentences[change]).join(' ')}`;
}

/** Shown at the top of a review that reopens because something changed. */
export function changesBlock(changes: readonly (Change | OwnChange)[]): SectionBlock {
  const text = mrkdwn`${stateIcons.unconfirmed} ${describeChanges(changes)} Check again, then go on.`;
  return { ...section(text), block_id: 'changes' };
}

/** Shown if the provider doesn't list the sender ID as active. */
export const inactiveSenderRemark = mrkdwn`${stateIcons.unconfirmed} *The sender ID isn’t active.* Networks may drop the message, or change its sender.`;

/** Shown if the messages would be sent during quiet hours, or run into them. */
export const quietHoursRemark = mrkdwn`:crescent_moon: *Quiet hours, 20:00 to 08:00 WAT.* Sending runs into them, and MTN numbers won’t get it on Promotional (generic) then.`;
