import { optOutColumn } from './opt-out-link.ts';
import { countPages } from './pages.ts';
import type { Route } from './routes.ts';
import { readSenderId } from './sender-id.ts';
import { isPersonal, namesColumn, type Template } from './template.ts';

/**
 * Checks of a typed message, shared by every form for one. Each returns a sentence to show beside the field, or
 * `undefined` if the field is valid.
 */

/** Returns the faults without the fields that are valid. */
export function definedFaults<Field extends string>(
  faults: Partial<Record<Field, string | undefined>>,
): { [Name in Field]?: string };
export function definedFaults(
  faults: Record<string, string | undefined>,
): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined));
}

/** Returns who a message is from: the device on the chat route, the sender ID on the others. */
export function senderOf(
  typed: { senderId?: string | undefined; device?: string | undefined },
  route: Route | undefined,
): string {
  return ((route === 'chatapp' ? typed.device : typed.senderId) ?? '').trim();
}

/** Returns the fields of a form that hold who a message is from, see `senderOf`. */
export function senderFields({ route, senderId }: { route: Route; senderId: string }) {
  return route === 'chatapp' ? { device: senderId } : { senderId };
}

/** Checks the route, and the sender by the rules of that route. `active`: as `readSenderId`. */
export function checkSenderFields(
  sender: string,
  route: Route | undefined,
  active: readonly string[],
): Record<'route' | 'senderId' | 'device', string | undefined> {
  const byChat = route === 'chatapp';
  const read = readSenderId(sender, active);
  const ofSenderId = sender === '' ? 'Choose a sender ID, or type one.' : read.ok ? undefined : read.reason;
  return {
    route: route === undefined ? 'Choose a route.' : undefined,
    device: byChat && sender === '' ? 'Enter the name of the device that sends.' : undefined,
    senderId: byChat ? undefined : ofSenderId,
  };
}

/** `unicode`: whether the provider's Unicode type is set up. */
export function checkText(text: string, unicode: boolean): string | undefined {
  if (text.trim() === '') {
    return 'Write the message.';
  }
  const { unicode: beyond } = countPages(text);
  return beyond.length > 0 && !unicode ? `Remove or replace: ${listCharacters(beyond)}` : undefined;
}

/** Checks a text with columns, which doesn't count as empty, whatever they hold. */
export function checkTemplateText(
  template: Template,
  { route, unicode }: { route: Route | undefined; unicode: boolean },
): string | undefined {
  if (route === 'voice' && namesColumn(template, optOutColumn)) {
    return 'A voice call can’t carry a link: remove {{opt_out}}.';
  }
  const text = template.parts.filter((part) => typeof part === 'string').join('');
  return checkText(isPersonal(template) ? `${text} -` : text, unicode);
}

/** A line names at most this many; the text itself shows the others. */
const maxNamed = 8;

/** Lists the characters, those that nobody sees by a name, and how many more there are: `₦ – a zero-width space`. */
export function listCharacters(characters: readonly string[]): string {
  const first = characters.slice(0, maxNamed);
  const shown = first.filter((character) => !isInvisible(character));
  const hidden = first
    .filter(isInvisible)
    .map((character) => invisibles[character] ?? 'an invisible character');
  const named = [...(shown.length === 0 ? [] : [shown.join(' ')]), ...new Set(hidden)];
  const more = characters.length - first.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** White space, formatting and control characters, and what only changes the character before it. */
const isInvisible = (character: string) => /^[\p{Z}\p{C}\p{Variation_Selector}]$/u.test(character);

const invisibles: Readonly<Record<string, string>> = {
  '\t': 'a tab',
  '\u00A0': 'a non-breaking space',
  '\u00AD': 'a soft hyphen',
  '\u200B': 'a zero-width space',
  '\u200C': 'a zero-width non-joiner',
  '\u200D': 'a zero-width joiner',
  '\u202F': 'a narrow space',
  '\u2009': 'a thin space',
  '\uFE0F': 'a variation selector',
  '\uFEFF': 'a byte order mark',
};
