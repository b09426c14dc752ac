import type { KnownBlock } from '@slack/types';
import type { DeliveryWarning, Landlines } from '../../../domain/deliveries/delivery-check.ts';
import { accentedLetters, areAccentsInTheWay, textToSend } from '../../../domain/messages/accents.ts';
import { listCharacters } from '../../../domain/messages/message-checks.ts';
import { costOfOptOutLink, type OptOutCost } from '../../../domain/messages/opt-out-cost.ts';
import { exampleOptOutLink, optOutColumn } from '../../../domain/messages/opt-out-link.ts';
import { countPages } from '../../../domain/messages/pages.ts';
import { replaceableCharacters, toPlainText } from '../../../domain/messages/plain-text.ts';
import { quietHours } from '../../../domain/messages/quiet-hours.ts';
import { isBilledByPage, readRoute, routeTitles, type Warning } from '../../../domain/messages/routes.ts';
import { readTemplate, unknownColumns, withoutColumns } from '../../../domain/messages/template.ts';
import type { PhoneNumber } from '../../../domain/phone/phone-number.ts';
import { actions, button, context, present } from '../build.ts';
import { formatCount, pluralize } from '../plural.ts';
import { stateIcons } from '../state-icons.ts';
import { joinWords, type Markup, mrkdwn } from '../text.ts';

const maxNamed = 5;

/** Says what will happen to which recipients, and what to do instead. Numbers are in full: only the sender may see it. */
export function describeWarning(warning: Warning): Markup {
  switch (warning.kind) {
    case 'do_not_contact':
      return mrkdwn`:no_entry_sign: *Opted out.* ${describeOptedOut(warning.recipients)}`;
    case 'quiet_hours':
      return mrkdwn`:crescent_moon: *Quiet hours, ${quietHours.all}.* ${listNumbers(warning.recipients)} won’t receive this: MTN drops messages on ${routeTitles.generic} then. ${routeTitles.dnd} reaches them now.`;
    case 'dnd_on_generic':
      return mrkdwn`:no_bell: *Do-Not-Disturb.* ${listNumbers(warning.recipients)} won’t receive this on ${routeTitles.generic}, but you’re still charged. ${routeTitles.dnd} delivers transactional messages to all numbers.`;
    case 'dnd_unknown':
      return mrkdwn`${stateIcons.unknown} *Do-Not-Disturb unknown* for ${listNumbers(warning.recipients)}. If a number is on Do-Not-Disturb, ${routeTitles.generic} won’t reach it.`;
    case 'code_on_generic':
      return mrkdwn`:key: *This looks like a one-time code.* On ${routeTitles.generic} it may not arrive, and the provider may block the sender ID. Use ${routeTitles.dnd}.`;
    case 'columns':
      return mrkdwn`${stateIcons.unconfirmed} *Columns aren’t filled in.* The message would say ${listWords(warning.columns)}. Only campaigns fill in columns.`;
    case 'special_characters':
      return mrkdwn`:scissors: *More pages.* ${listCharacters(warning.characters)} ${warning.characters.length === 1 ? 'makes' : 'make'} this ${pluralize(warning.pages, 'page')} instead of ${warning.pagesWithout}.`;
  }
}

export function describeOptedOut(numbers: readonly PhoneNumber[]): Markup {
  return mrkdwn`${listNumbers(numbers)} ${numbers.length === 1 ? 'is' : 'are'} on the do-not-contact list.`;
}

function listNumbers(numbers: readonly PhoneNumber[]): Markup {
  const first = joinWords(numbers.slice(0, maxNamed));
  return numbers.length > maxNamed ? mrkdwn`${first} and ${numbers.length - maxNamed} more` : first;
}

/** Describes what may lose a message on its way. */
export function describeDeliveryWarning(warning: DeliveryWarning, senderId: string): Markup {
  const icon = stateIcons.unconfirmed;
  switch (warning.rule) {
    case 'promotional_words':
      return mrkdwn`${icon} *Filtered words.* On ${routeTitles.generic}, networks may drop messages that contain ${listWords(warning.words)}.`;
    case 'links':
      return mrkdwn`${icon} *Link.* On ${routeTitles.generic}, networks may drop messages that contain a link.`;
    case 'night':
      return mrkdwn`:crescent_moon: *Quiet hours on other networks, ${quietHours.all}.* Networks other than MTN may also drop messages on ${routeTitles.generic}.`;
    case 'sender_digits':
      return mrkdwn`${icon} *Digits in the sender ID.* On ${routeTitles.generic}, networks may drop messages from *${senderId}*.`;
    case 'sender_not_active':
      return mrkdwn`${icon} *Sender ID not active.* *${senderId}* isn’t one of the account’s active sender IDs. Networks may drop the message, or change its sender.`;
    case 'sender_by_network':
      return mrkdwn`${icon} *Approval by each network.* The recipients look like ${listNames(warning.networks)} numbers. Ask the provider whether each of these networks has approved *${senderId}*. Only admins see this, once per sender ID.`;
    case 'reply_to_name':
      return mrkdwn`${icon} *No replies.* Recipients can’t reply to the name *${senderId}*: neither replies nor STOP will reach you.`;
    case 'landlines':
      return mrkdwn`${stateIcons.unconfirmed} *Landlines.* ${describeLandlines(warning)} Most landlines can’t receive an SMS.`;
  }
}

function describeLandlines({ count, of }: Landlines): string {
  if (of === 1) {
    return 'The number is a landline.';
  }
  return `${formatCount(count)} of ${formatCount(of)} numbers checked ${count === 1 ? 'is a landline' : 'are landlines'}.`;
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

interface TextLengthOptions {
  route: string | undefined;
  /** Whether text outside the SMS alphabet can be sent. */
  unicode: boolean;
  /** Whether it is sent without accents. */
  withoutAccents?: boolean | undefined;
  /** The action id of *Replace with plain text*. */
  replaceAction: string;
}

/**
 * The line under a message field: its length, and the characters that cannot be sent or that make a page shorter.
 * *Replace with plain text* is offered where `toPlainText` makes a text sendable or cheaper.
 */
export function textLengthBlocks(typed: string, options: TextLengthOptions): KnownBlock[] {
  const { replaceAction, withoutAccents = false, ...how } = options;
  const { text, accented } = textToSend(typed, withoutAccents && !how.unicode);
  const line = context(
    ...textLength(text, how),
    ...present(accented !== undefined && describeAccents(accented)),
  );
  return [
    { ...line, block_id: 'pages' },
    ...(isReplacementUseful(text, how)
      ? [actions('plain_text', button(replaceAction, 'Replace with plain text'))]
      : []),
  ];
}

/** The same under a text with columns, whose length is that without them; an opt-out link counts. */
export function templateLengthBlocks(
  text: string,
  { optOutAddress, ...options }: TextLengthOptions & { optOutAddress: string | undefined },
): KnownBlock[] {
  const { counted, isLonger } = lengthOfTemplate(text, optOutAddress);
  const link = optOutAddress === undefined ? undefined : costOfOptOutLink(counted, optOutAddress);
  return present<KnownBlock>(
    isLonger && context(mrkdwn`Length before names are filled in:`),
    ...textLengthBlocks(counted, options),
    link && { ...context(describeOptOutCost(link)), block_id: 'opt_out_cost' },
  );
}

/** Says how many pages an opt-out link costs, and why. */
export function describeOptOutCost({ length, pages, pagesWithout, hasFewerPerPage }: OptOutCost): Markup {
  if (pages === pagesWithout) {
    return mrkdwn`The opt-out link takes ${length} characters, and no extra page.`;
  }
  const why = hasFewerPerPage ? ', and its “//” leaves 70 per page' : '';
  return mrkdwn`*${pluralize(pages, 'page')} because of the opt-out link; ${pagesWithout} without it.* The link has ${length} characters${why}.`;
}

/**
 * Returns the length of a text with columns, and whether the columns make it longer.
 *
 * @param optOutAddress the beginning of opt-out links; undefined if texts have no such link
 */
export function lengthOfTemplate(
  text: string,
  optOutAddress: string | undefined,
): { counted: string; isLonger: boolean } {
  const read = readTemplate(text);
  if (!read.ok) {
    return { counted: text, isLonger: false };
  }
  const known = new Map(
    optOutAddress === undefined ? [] : [[optOutColumn, exampleOptOutLink(optOutAddress)]],
  );
  return {
    counted: withoutColumns(read.template, known),
    isLonger: unknownColumns(read.template, [...known.keys()]).length > 0,
  };
}

function textLength(
  text: string,
  { route, unicode }: Pick<TextLengthOptions, 'route' | 'unicode'>,
): Markup[] {
  const count = countPages(text);
  const characters = pluralize(count.characters, 'character');
  const read = readRoute(route);
  const isPaged = read === undefined || isBilledByPage(read);
  if (text === '' && isPaged) {
    return [mrkdwn`${count.perPage} characters per page`];
  }
  const { special, unicode: beyond, perPage } = count;
  const shortening = [...special, ...(unicode ? beyond : [])];
  const why = shortening.length === 0 ? '' : ` because of ${listCharacters(shortening)}`;
  return present(
    beyond.length > 0 &&
      !unicode &&
      mrkdwn`${stateIcons.unconfirmed} *Can’t be sent: ${listCharacters(beyond)}* ${areAccentsInTheWay(text) ? 'Remove or replace, or send without accents.' : 'Remove or replace.'}`,
    isPaged
      ? mrkdwn`${pluralize(count.pages, 'page')} · ${characters}, ${perPage} per page${why}`
      : mrkdwn`${characters}`,
  );
}

/** A line names at most this many; the text itself shows the others. */
const maxLetters = 8;

/** Says which letters of a text are sent as others. */
export function describeAccents(text: string): Markup {
  return describeLetters(accentedLetters(text));
}

export function describeLetters(letters: readonly (readonly [letter: string, plain: string])[]): Markup {
  const named = letters.slice(0, maxLetters).map(([letter, plain]) => `${letter} → ${plain}`);
  const more = letters.length - named.length;
  const which = named.length === 0 ? '.' : `: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  return mrkdwn`*Sent without accents*${which}`;
}

/** Whether `toPlainText` makes fewer characters unsendable, or fewer pages. */
export function isReplacementUseful(text: string, { unicode }: Pick<TextLengthOptions, 'unicode'>): boolean {
  if (replaceableCharacters(text).length === 0) {
    return false;
  }
  const now = countPages(text);
  const then = countPages(toPlainText(text));
  return (!unicode && then.unicode.length < now.unicode.length) || then.pages < now.pages;
}
