import type { DeliveryWarning } from '../../../domain/deliveries/delivery-check.ts';
import { stateIcons } from '../state-icons.ts';
import { type Markup, mrkdwn } from '../text.ts';

/** Describes what may lose a message on its way. */
export function describeDeliveryWarning(warning: DeliveryWarning, senderId: string): Markup {
  const icon = stateIcons.unconfirmed;
  switch (warning.rule) {
    case 'promotional_words':
      return mrkdwn`${icon} *Filtered words.* On Generic, networks may drop a message for ${listWords(warning.words)}.`;
    case 'links':
      return mrkdwn`${icon} *Link.* On Generic, networks may drop a message with a link.`;
    case 'night':
      return mrkdwn`:crescent_moon: *Night hours.* From 20:00 to 08:00 WAT, MTN drops messages on Generic, and other networks may.`;
    case 'sender_digits':
      return mrkdwn`${icon} *Digits in the sender ID.* On Generic, networks may drop messages from *${senderId}*.`;
    case 'sender_not_active':
      return mrkdwn`${icon} *Sender ID not active.* *${senderId}* is not among the account’s active sender IDs. Networks may drop the message, or change its sender.`;
    case 'sender_by_network':
      return mrkdwn`${icon} *Approval by each network.* The recipients look like ${listNames(warning.networks)} numbers. Make sure that each of these networks has approved *${senderId}*.`;
    case 'reply_to_name':
      return mrkdwn`${icon} *No replies.* *${senderId}* is a name and can’t receive messages. A reply with STOP doesn’t arrive.`;
  }
}

/** A text may have all of them. */
const maxWords = 6;

function listWords(words: readonly string[]): string {
  const named = words.slice(0, maxWords).map((word) => `“${word}”`);
  const more = words.length - named.length;
  return more === 0 ? listNames(named) : `${named.join(', ')} and ${more} more`;
}

function listNames(names: readonly string[]): string {
  const [last = '', ...others] = names.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
}
