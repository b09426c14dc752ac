import type { SectionBlock } from '@slack/types';
import { changedParts, type VersionPart } from '../../../domain/campaigns/campaign-version.ts';
import type { Change } from '../../../domain/limits/seen.ts';
import { quietHours } from '../../../domain/messages/quiet-hours.ts';
import { routeTitles } from '../../../domain/messages/routes.ts';
import type { DraftChange } from '../../../services/messages/message-service.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import { section } from '../build.ts';
import { stateIcons } from '../state-icons.ts';
import { type Markup, mrkdwn } from '../text.ts';

const sentences: Readonly<Record<Change | DraftChange, string>> = {
  draft: 'The message was edited after this review.',
  nobody_left: 'Everyone it would go to has opted out.',
  some_reached:
    'Some recipients have received the earlier message since then, or still may. They’re skipped.',
  all_reached: 'The earlier message has been delivered since then, or still may be.',
  quiet_hours: `Sending now would run into quiet hours (${quietHours.all}), when MTN numbers don’t get it.`,
  sender_inactive: 'The provider doesn’t list the sender ID as active now.',
  approval_needed: 'It now needs approval.',
  approval_not_needed: 'It no longer needs approval, and would start right away.',
  offer: 'The plan or its price has changed.',
  code_settings: 'An admin has changed the settings of codes.',
};

/** Says why nothing was sent. */
export function describeChanges(changes: readonly (Change | DraftChange)[]): Markup {
  return mrkdwn`*Nothing was sent.* ${changes.map((change) => sentences[change]).join(' ')}`;
}

const partNames: Readonly<Record<VersionPart, string>> = {
  name: 'name',
  text: 'text',
  sender: 'sender or route',
  recipients: 'recipients',
  start: 'start time',
  repeat: 'repeat schedule',
};

/** Says that the campaign has changed since the person saw it, and how. */
export function describeNewVersion(shownVersion: string, { version }: Pick<Campaign, 'version'>): Markup {
  const parts = changedParts(shownVersion, version).map((part) => partNames[part]);
  const what = parts.length === 0 ? 'Replaced' : `New ${new Intl.ListFormat('en').format(parts)}`;
  return mrkdwn`${stateIcons.unconfirmed} *${what} since you last looked.* Nothing was sent. Review it again.`;
}

/** Shown at the top of a review that reopens because something changed. */
export function changesBlock(changes: readonly (Change | DraftChange)[]): SectionBlock {
  const text = mrkdwn`${stateIcons.unconfirmed} ${describeChanges(changes)} Review it again, then continue.`;
  return { ...section(text), block_id: 'changes' };
}

/** Shown if the provider doesn't list the sender ID as active. */
export const inactiveSenderRemark = mrkdwn`${stateIcons.unconfirmed} *The sender ID isn’t active.* Networks may drop the message, or change its sender.`;

/** Shown if the messages would be sent during quiet hours, or run into them. */
export const quietHoursRemark = mrkdwn`:crescent_moon: *Quiet hours, ${quietHours.all}.* Messages would be sent during them, and MTN numbers don’t receive messages on ${routeTitles.generic} then.`;
