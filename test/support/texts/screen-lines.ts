import { isJsonObject, type Json, type JsonObject, objectsIn, stringAt } from '../../../sandbox/lib/json.ts';
import { wordsOf } from '../slack/slack-user.ts';

/** Returns a view or a message as a person reads it from top to bottom, a line for each text. Buttons stand in brackets. */
export function screenLines(screen: JsonObject): string[] {
  const { blocks, text = null } = screen;
  return [
    ...lineOf(screen, 'title', (title) => `**${title}**`),
    // The text of a message with blocks repeats them.
    ...(blocks === undefined ? words(text) : objectsIn(blocks).flatMap(blockLines)),
    ...lineOf(screen, 'submit', (label) => `[${label}]`),
    ...lineOf(screen, 'close', (label) => `[${label}]`),
  ].filter((line) => /\p{L}/u.test(line));
}

function blockLines(block: JsonObject): string[] {
  switch (block.type) {
    case 'header':
      return words(block.text ?? null).map((text) => `■ ${text}`);
    case 'input':
      return [
        ...lineOf(block, 'label', (label) => `${label}:${block.optional === true ? ' (optional)' : ''}`),
        ...elementLines(block.element),
        ...lineOf(block, 'hint', (hint) => `    ${hint}`),
      ];
    case 'actions':
    case 'context':
      return objectsIn(block.elements).flatMap(elementLines);
    case 'data_table':
      return [
        ...words(block.caption ?? null),
        ...(Array.isArray(block.rows) ? block.rows : []).map((row) => `| ${words(row).join(' | ')} |`),
      ];
    case 'image':
      return [
        ...lineOf(block, 'title', (title) => title),
        ...lineOf(block, 'alt_text', (text) => `(picture: ${text})`),
      ];
    case 'rich_text':
      return [words(block.elements ?? null).join('')];
    default: {
      const { text = null, fields } = block;
      return [
        ...words(text),
        ...objectsIn(fields).map((field) => words(field).join(' ')),
        ...elementLines(block.accessory),
      ];
    }
  }
}

const optionMarks: Readonly<Record<string, string>> = { checkboxes: '☐', radio_buttons: '○', overflow: '⋯' };

/** A field, a button or a text, indented where it belongs to what stands above it. */
function elementLines(element: Json | undefined): string[] {
  if (!isJsonObject(element)) {
    return [];
  }
  const type = stringAt(element, 'type') ?? '';
  switch (type) {
    case 'button':
      return [
        ...lineOf(element, 'text', (text) => `[${text}]${element.style === 'danger' ? ' (red)' : ''}`),
        ...lineOf(element, 'accessibility_label', (label) => `    (read out: ${label})`),
        ...confirmLines(element.confirm),
      ];
    case 'mrkdwn':
    case 'plain_text':
      return words(element);
    case 'image':
      return lineOf(element, 'alt_text', (text) => `(picture: ${text})`);
    default:
      return [
        ...lineOf(element, 'placeholder', (text) => `    ${text}…`.replace('……', '…')),
        ...lineOf(element, 'initial_value', (text) => `    “${text.replaceAll('\n', ' ⏎ ')}”`),
        ...optionsIn(element).flatMap((option) => [
          ...lineOf(option, 'text', (text) => `    ${optionMarks[type] ?? '▾'} ${text}`),
          ...lineOf(option, 'description', (text) => `        ${text}`),
        ]),
        ...confirmLines(element.confirm),
      ];
  }
}

/** The options of a select or of an answer to a search, with the titles of their groups. */
export function optionsIn(element: JsonObject): JsonObject[] {
  const groups = objectsIn(element.option_groups);
  return [
    ...objectsIn(element.options),
    ...groups.flatMap((group) => [{ text: group.label ?? null }, ...objectsIn(group.options)]),
  ];
}

function confirmLines(confirm: Json | undefined): string[] {
  if (!isJsonObject(confirm)) {
    return [];
  }
  const { title = null, text = null, confirm: yes = null, deny = null } = confirm;
  const buttons = `[${words(yes).join()}] [${words(deny).join()}]`;
  return [`    (asks first) **${words(title).join()}** ${words(text).join(' ⏎ ')} ${buttons}`];
}

function lineOf(of: JsonObject, key: string, line: (text: string) => string): string[] {
  const text = words(of[key] ?? null).join('\n');
  return text === '' ? [] : [line(text)];
}

/** The lines of a text as Slack shows it, with each time as in a Slack that knows no time zone. */
function words(content: Json): string[] {
  return wordsOf(content)
    .replaceAll(/<!date\^[^|>]*\|([^>]*)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
    .split('\n')
    .filter((line) => line.trim() !== '');
}
