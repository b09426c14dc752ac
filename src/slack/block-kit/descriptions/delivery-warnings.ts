import type { Warning } from '../../../domain/messages/routes.ts';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { stateIcons } from '../state-icons.ts';
import { type Markup, mrkdwn, nonBreaking, timeFor } from '../text.ts';

const maxNamed = 5;

/** Describes a warning: what will happen, to whom, and what to do instead. For the sender alone: numbers are in full. */
export function describeWarning(warning: Warning): Markup {
  switch (warning.kind) {
    case 'do_not_contact':
      return mrkdwn`:no_entry_sign: *Do not contact.* ${listNumbers(warning.recipients)} ${warning.recipients.length === 1 ? 'is' : 'are'} on this workspace’s do-not-contact list. Send only what they asked for.`;
    case 'quiet_hours':
      return mrkdwn`:crescent_moon: *Quiet hours.* Until ${timeFor(warning.endsAt)} (08:00 in Lagos) the generic route delivers nothing to MTN numbers. By its prefix ${listNumbers(warning.recipients)} may be one. Send on the DND route, or later.`;
    case 'dnd_on_generic':
      return mrkdwn`:no_bell: *Do-Not-Disturb.* ${listNumbers(warning.recipients)} will not get this on the generic route. Choose the DND route if the message is transactional.`;
    case 'dnd_unknown':
      return mrkdwn`${stateIcons.unknown} Whether Do-Not-Disturb is on could not be checked for ${listNumbers(warning.recipients)}. Where it is, the generic route does not deliver.`;
    case 'code_on_generic':
      return mrkdwn`:key: *This looks like a one-time code.* Codes must not go on the generic route: they may not arrive, and the provider may block the sender ID. Choose the DND route.`;
    case 'special_characters':
      return mrkdwn`:scissors: *Short pages.* The special characters ${warning.characters.join(' ')} cut a page from 160 to 70 characters: ${costOf(warning)}`;
    case 'needs_unicode':
      return mrkdwn`:abc: *Unicode.* ${warning.characters.slice(0, maxNamed).join(' ')} are beyond the SMS alphabet: a page holds 70 characters, ${warning.pages} for each recipient.`;
  }
}

function listNumbers(numbers: readonly PhoneNumber[]): string {
  const first = numbers
    .slice(0, maxNamed)
    .map((number) => nonBreaking(formatNumber(number)))
    .join(', ');
  return numbers.length > maxNamed ? `${first} and ${numbers.length - maxNamed} more` : first;
}

function costOf({ pages, pagesWithout }: { pages: number; pagesWithout: number }): string {
  return pages === pagesWithout
    ? 'this text fits all the same.'
    : `${pages} instead of ${pagesWithout} for each recipient. Leave them out to pay less.`;
}
