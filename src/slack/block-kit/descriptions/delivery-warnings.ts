import { listCharacters } from '../../../domain/messages/message-checks.ts';
import type { Warning } from '../../../domain/messages/routes.ts';
import { formatNumber, type PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { pluralize } from '../plural.ts';
import { stateIcons } from '../state-icons.ts';
import { type Markup, mrkdwn, nonBreaking, timeFor } from '../text.ts';

const maxNamed = 5;

/** Describes a warning: what will happen, to which recipients, and what to do instead. For the sender alone: numbers are in full. */
export function describeWarning(warning: Warning): Markup {
  switch (warning.kind) {
    case 'do_not_contact':
      return mrkdwn`:no_entry_sign: *Do not contact.* ${listNumbers(warning.recipients)} ${warning.recipients.length === 1 ? 'is' : 'are'} on the do-not-contact list.`;
    case 'quiet_hours':
      return mrkdwn`:crescent_moon: *Quiet hours.* MTN numbers won’t get this on Generic until ${timeFor(warning.endsAt)}: ${listNumbers(warning.recipients)}. DND reaches them now.`;
    case 'dnd_on_generic':
      return mrkdwn`:no_bell: *Do-Not-Disturb.* ${listNumbers(warning.recipients)} won’t get this on Generic. DND delivers transactional messages to all numbers.`;
    case 'dnd_unknown':
      return mrkdwn`${stateIcons.unknown} *Do-Not-Disturb unknown* for ${listNumbers(warning.recipients)}. Where it’s on, Generic doesn’t deliver.`;
    case 'code_on_generic':
      return mrkdwn`:key: *This looks like a one-time code.* On Generic it may not arrive, and the provider may block the sender ID. Use DND.`;
    case 'special_characters':
      return mrkdwn`:scissors: *More pages.* ${listCharacters(warning.characters)} ${warning.characters.length === 1 ? 'makes' : 'make'} this ${pluralize(warning.pages, 'page')} instead of ${warning.pagesWithout}.`;
  }
}

function listNumbers(numbers: readonly PhoneNumber[]): string {
  const first = numbers
    .slice(0, maxNamed)
    .map((number) => nonBreaking(formatNumber(number)))
    .join(', ');
  return numbers.length > maxNamed ? `${first} and ${numbers.length - maxNamed} more` : first;
}
