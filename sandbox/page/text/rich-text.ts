import { flagAt, type JsonObject, numberAt, objectAt, objectsAt, stringAt } from '../../lib/json.ts';
import { emojiCharacter } from '../art/emoji.ts';
import { type Flow, type Inline, plainWords, safeAddress } from './mrkdwn.ts';

/** Parses the elements of a `rich_text` block. */
export function readRichText(block: JsonObject): Flow[] {
  return objectsAt(block, 'elements').flatMap(readRichElement);
}

function readRichElement(element: JsonObject): Flow[] {
  const children = readPieces(objectsAt(element, 'elements'));
  switch (stringAt(element, 'type')) {
    case 'rich_text_section':
      return [{ kind: 'paragraph', children }];
    case 'rich_text_quote':
      return [{ kind: 'quote', children: [{ kind: 'paragraph', children }] }];
    case 'rich_text_preformatted':
      return [{ kind: 'code', text: plainWords(children) }];
    case 'rich_text_list':
      return [
        {
          kind: 'list',
          ordered: stringAt(element, 'style') === 'ordered',
          start: (numberAt(element, 'offset') ?? 0) + 1,
          indent: numberAt(element, 'indent') ?? 0,
          items: objectsAt(element, 'elements').map((item) => readPieces(objectsAt(item, 'elements'))),
        },
      ];
    default:
      return [];
  }
}

function readPieces(pieces: JsonObject[]): Inline[] {
  return pieces.flatMap((piece) => applyStyle(readPiece(piece), objectAt(piece, 'style')));
}

function readPiece(piece: JsonObject): Inline[] {
  const text = stringAt(piece, 'text') ?? '';
  switch (stringAt(piece, 'type')) {
    case 'text':
      return text.split('\n').flatMap((line, at): Inline[] => {
        const node: Inline = { kind: 'text', text: line };
        return at === 0 ? [node] : [{ kind: 'break' }, node];
      });
    case 'link': {
      const url = safeAddress(stringAt(piece, 'url') ?? '');
      const label: Inline[] = [{ kind: 'text', text: text || (url ?? stringAt(piece, 'url') ?? '') }];
      return url ? [{ kind: 'link', url, children: label }] : label;
    }
    case 'user':
      return [{ kind: 'person', id: stringAt(piece, 'user_id') ?? '' }];
    case 'channel':
      return [{ kind: 'channel', id: stringAt(piece, 'channel_id') ?? '' }];
    case 'broadcast':
      return [{ kind: 'mention', text: `@${stringAt(piece, 'range') ?? 'here'}` }];
    case 'usergroup':
      return [{ kind: 'mention', text: `@${stringAt(piece, 'usergroup_id') ?? ''}` }];
    case 'color':
      return [{ kind: 'code', text: stringAt(piece, 'value') ?? '' }];
    case 'emoji':
      return [readRichEmoji(piece)];
    case 'date':
      return [readRichDate(piece)];
    default:
      return [];
  }
}

function readRichEmoji(piece: JsonObject): Inline {
  const name = stringAt(piece, 'name') ?? '';
  const points = (stringAt(piece, 'unicode') ?? '').split('-').map((point) => Number.parseInt(point, 16));
  const given = points.every((point) => point >= 0 && point <= 0x10ffff)
    ? String.fromCodePoint(...points)
    : undefined;
  const character = emojiCharacter(name) ?? given;
  return character ? { kind: 'emoji', name, character } : { kind: 'text', text: `:${name}:` };
}

function readRichDate(piece: JsonObject): Inline {
  const url = safeAddress(stringAt(piece, 'url') ?? '');
  return {
    kind: 'date',
    seconds: numberAt(piece, 'timestamp') ?? 0,
    format: stringAt(piece, 'format') ?? '{date}',
    ...(url ? { url } : {}),
    fallback: stringAt(piece, 'fallback') ?? '',
  };
}

function applyStyle(nodes: Inline[], style: JsonObject | undefined): Inline[] {
  if (!style) {
    return nodes;
  }
  const coded = flagAt(style, 'code') ? [{ kind: 'code', text: plainWords(nodes) } as const] : nodes;
  const kinds = ['bold', 'italic', 'strike', 'underline'] as const;
  return kinds.reduce<Inline[]>(
    (inner, kind) => (flagAt(style, kind) ? [{ kind, children: inner }] : inner),
    coded,
  );
}
