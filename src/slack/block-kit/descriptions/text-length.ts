import type { KnownBlock } from '@slack/types';
import { listCharacters } from '../../../domain/messages/message-checks.ts';
import { countPages, type PageCount } from '../../../domain/messages/pages.ts';
import { replaceableCharacters, toPlainText } from '../../../domain/messages/plain-text.ts';
import { isBilledByPage, readRoute } from '../../../domain/messages/routes.ts';
import { actions, button, context } from '../build.ts';
import { pluralize } from '../plural.ts';
import { stateIcons } from '../state-icons.ts';
import { type Markup, mrkdwn } from '../text.ts';

interface TextLengthOptions {
  route: string | undefined;
  /** Whether text outside the SMS alphabet can be sent. */
  unicode: boolean;
  /** The action id of *Replace with plain text*. */
  replaceAction: string;
}

/**
 * The line under a message field: its length, and the characters that cannot be sent or that make a page shorter.
 * *Replace with plain text* is offered where `toPlainText` makes a text sendable or cheaper.
 */
export function textLengthBlocks(text: string, options: TextLengthOptions): KnownBlock[] {
  const { replaceAction, ...how } = options;
  const line = context(...textLength(text, how));
  return [
    { ...line, block_id: 'pages' },
    ...(isReplacementUseful(text, how)
      ? [actions('plain_text', button(replaceAction, 'Replace with plain text'))]
      : []),
  ];
}

function textLength(text: string, { route, unicode }: Omit<TextLengthOptions, 'replaceAction'>): Markup[] {
  const count = countPages(text);
  const characters = pluralize(count.characters, 'character');
  const read = readRoute(route);
  const isPaged = read === undefined || isBilledByPage(read);
  if (text === '' && isPaged) {
    return [mrkdwn`${count.perPage} characters to a page`];
  }
  const length = isPaged
    ? mrkdwn`${pluralize(count.pages, 'page')} · ${characters}, ${count.perPage} to a page${shorteningCharacters(count, unicode)}`
    : mrkdwn`${characters}`;
  return [...unsendable(count, unicode), length];
}

function shorteningCharacters({ special, unicode: beyond }: PageCount, unicode: boolean): string {
  const shortening = [...special, ...(unicode ? beyond : [])];
  return shortening.length === 0 ? '' : ` because of ${listCharacters(shortening)}`;
}

function unsendable({ unicode: beyond }: PageCount, unicode: boolean): Markup[] {
  return beyond.length === 0 || unicode
    ? []
    : [mrkdwn`${stateIcons.unconfirmed} *Can’t be sent: ${listCharacters(beyond)}* Remove or replace.`];
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
