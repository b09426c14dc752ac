import { isConjunction, numberOfLink } from '../../domain/phone/read-numbers.ts';
import { withEmoji } from '../block-kit/emoji.ts';

/** A message as Slack sends it. */
interface ReceivedMessage {
  text?: string;
  blocks?: unknown;
  attachments?: unknown;
  files?: unknown;
}

/**
 * Returns all that a reader sees of a message, as plain text. A forwarded message is in an attachment, an e-mail in a file,
 * and an app may write in blocks alone.
 */
export function readableText({ text = '', blocks, attachments, files }: ReceivedMessage): string {
  return [withoutMarkup(text), ...[blocks, attachments, files].flatMap(textsIn)].join('\n');
}

/** Whether Slack passes on only the beginning of a file of the message. */
export function hasCutFile({ files, attachments }: ReceivedMessage): boolean {
  const forwarded = (Array.isArray(attachments) ? attachments : []).map(
    (each) => isObject(each) && each.files,
  );
  return [files, ...forwarded].flat().some((file) => isObject(file) && file.preview_is_truncated === true);
}

/** Slack: Retrieving messages: links, mentions and dates stand in `<…>`, and `&`, `<`, `>` are escaped. */
export function withoutMarkup(text: string): string {
  return unescaped(
    text.replace(/<([^<>]*)>/g, (_, inside: string) => {
      const [target = '', label = ''] = inside.split('|');
      // A link to a number is the number itself, whatever its label.
      return ` ${numberOfLink(unescaped(target)) ?? label} `;
    }),
  );
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

const setOf = (words: string) => new Set(words.split(' '));
/** The text of a file has no markup. */
const inFiles = setOf('original plain_text preview_plain_text preview');
const inMessages = setOf('text title pretext author_name footer subject content');
/** Readers don’t see these until they click. */
const hidden = setOf('confirm options option_groups initial_option initial_options');

function textsIn(content: unknown): string[] {
  if (Array.isArray(content)) {
    return content.flatMap(textsIn);
  }
  if (!isObject(content)) {
    return [];
  }
  const { type, elements, fallback } = content;
  if (typeof type === 'string' && /^rich_text_(?!list)/.test(type) && Array.isArray(elements)) {
    // A number may be in several pieces of a line, as where a part of it is bold.
    const pieces = elements.filter(isObject).map((piece) => {
      const number = typeof piece.url === 'string' ? numberOfLink(piece.url) : undefined;
      return number === undefined ? (piece.text ?? piece.fallback ?? ' ') : ` ${number} `;
    });
    return [unescaped(pieces.join(''))];
  }
  // A field of an attachment has a title; the value of a button or an option is never shown.
  const isField = 'title' in content && type === undefined;
  const texts = Object.entries(content).flatMap(([key, value]) => {
    if (typeof value !== 'string') {
      return hidden.has(key) ? [] : textsIn(value);
    }
    if (inFiles.has(key)) {
      return [unescaped(value)];
    }
    return inMessages.has(key) || (key === 'value' && isField) ? [withoutMarkup(value)] : [];
  });
  return texts.length === 0 && typeof fallback === 'string' ? [withoutMarkup(fallback)] : texts;
}

function isObject(content: unknown): content is Record<string, unknown> {
  return typeof content === 'object' && content !== null && !Array.isArray(content);
}

/** What Slack makes of a mention or a link in a command, where it escapes them. All else in angle brackets was typed. */
const typedMarkup =
  /<(@[UW][A-Z0-9]+|#[CG][A-Z0-9]+|!(?:here|channel|everyone|(?:subteam|date)\^[^<>|]+)|(?:https?|ftp|mailto|tel|sms):[^<>|\s]+)(?:\|([^<>]*))?>/gi;

/** Returns the ids of users that a typed text mentions without their names. */
export function unnamedUsers(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(/<@([UW][A-Z0-9]+)>/g), ([, id = '']) => id))];
}

/**
 * Returns the text after a command as its reader sees it: mentions by name, links by their address, emoji in place of
 * their names.
 *
 * @param names of the users from `unnamedUsers`, by id
 */
export function typedText(text: string, names: ReadonlyMap<string, string | undefined> = new Map()): string {
  const plain = text.replace(typedMarkup, (_, target: string, label = '', offset = 0) => {
    const id = target.slice(1);
    switch (target[0]) {
      case '@':
        return `@${label.replace(/^@/, '') || names.get(id) || id}`;
      case '#':
        return `#${label.replace(/^#/, '') || id}`;
      case '!':
        return id.startsWith('date^') ? label : `@${label.replace(/^@/, '') || id.replace(/^subteam\^/, '')}`;
      default: {
        const bare = /^(?:tel|sms):/i.test(target)
          ? (numberOfLink(target) ?? '')
          : target.replace(/^mailto:/i, '');
        // Slack adds the scheme to an address that was typed without it, and the country code to a number.
        const keyOf = (address: string) =>
          /^(?:tel|sms):/i.test(target)
            ? address.replace(/\D/g, '').slice(-8)
            : address.toLowerCase().replace(/^https?:\/\/|\/$/g, '');
        if (label === '' || keyOf(label) === keyOf(bare)) {
          return label || bare;
        }
        const before =
          unescaped(text.slice(0, offset).replace(typedMarkup, '')).match(/[\p{L}\p{M}]+/gu) ?? [];
        // A link before the message is a recipient: its label would be taken for the message.
        const isRecipient = numberOfLink(unescaped(target)) !== undefined && before.every(isConjunction);
        return isRecipient ? bare : `${label} ${bare}`;
      }
    }
  });
  return withEmoji(unescaped(plain));
}
