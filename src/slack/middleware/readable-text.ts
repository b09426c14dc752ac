/** A message as Slack sends it. */
interface ReceivedMessage {
  text?: string;
  bot_id?: string;
  blocks?: unknown;
  attachments?: unknown;
}

/**
 * Returns all that a reader sees of a message, as plain text. A user's message has it in its text; an app's may have it
 * in blocks and attachments only.
 */
export function readableText(message: ReceivedMessage): string {
  const { text = '', bot_id, blocks, attachments } = message;
  const pieces = bot_id === undefined ? [text] : [text, ...textsIn(blocks), ...textsIn(attachments)];
  return pieces.map(withoutMarkup).join('\n');
}

/** Slack: Retrieving messages: links, mentions and dates stand in `<…>`, and `&`, `<`, `>` are escaped. */
export function withoutMarkup(text: string): string {
  return text
    .replace(/<([^<>]*)>/g, (_, inside: string) => shownOf(inside))
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

/** The text shown for a link, a mention or a date; for a telephone link, the number itself. */
function shownOf(inside: string): string {
  const [target = '', label = ''] = inside.split('|');
  if (/^tel:/i.test(target)) {
    return ` ${target.slice('tel:'.length)} `;
  }
  // The digits of a URL, a user id or a timestamp are no phone number.
  return ` ${label} `;
}

const readable = new Set(['text', 'title', 'value', 'pretext', 'fallback', 'fields', 'elements', 'blocks']);

function textsIn(content: unknown): string[] {
  if (typeof content === 'string') {
    return [content];
  }
  if (Array.isArray(content)) {
    return content.flatMap(textsIn);
  }
  if (typeof content !== 'object' || content === null) {
    return [];
  }
  return Object.entries(content).flatMap(([key, value]) => {
    const isTelephone = key === 'url' && typeof value === 'string' && value.startsWith('tel:');
    return readable.has(key) || isTelephone ? textsIn(value) : [];
  });
}
