import type { Place } from '../types.ts';
import type { Chapter } from './endpoints.ts';
import { type ReadField, readField, readList } from './fields.ts';
import { tableOf } from './markdown.ts';
import { sentenceAfter, unreadable } from './records.ts';

export interface ReadRequestField extends ReadField {
  readonly place: Place;
  readonly required: boolean | 'not shown';
}

export type ReadRequest = ReadonlyMap<string, ReadRequestField>;

/** Reads requests from the endpoint, the table, the lists and the sentences of a section. */
export function requestReader(sections: ReadonlyMap<string, string>): (chapter: Chapter) => ReadRequest {
  const sectionOf = (number: string) => sections.get(number) ?? unreadable(`there is no section ${number}`);
  const ofNumbers = sentenceAfter(sectionOf('4'), 'Phone numbers are ');
  const ofMedia = sentenceAfter(sectionOf('4.1'), 'Media formats: ');
  const sendRows = tableOf(sectionOf('4.1'));

  return (chapter) => {
    const place: Place = chapter.method === 'GET' ? 'query' : 'body';
    const fields = [
      ...inEndpoint(chapter),
      ...inTable(chapter.text, place, sendRows),
      ...inLists(chapter.text, place),
      ...inSentences(chapter, place),
    ];
    const named = fields.map(([name, field]) => {
      const more = /^(?:to|phone_number)$/.test(name) ? ofNumbers : name === 'media.url' ? ofMedia : '';
      return [name, { ...field, words: `${field.words}; ${more}` }] as const;
    });
    const request = new Map<string, ReadRequestField>(named);
    const key = [...request.keys()].some((name) => /api_key$|^X-Token$/.test(name));
    // §4 requires the key for everything but eSIMs, even where the section does not show its location.
    return key ? request : request.set('api_key', field('string', 'body or query', true));
  };
}

type Named = readonly [name: string, field: ReadRequestField];

function field(words: string, place: Place, required: boolean | 'not shown'): ReadRequestField {
  return { ...readField(words), place, required: requiredIn(words) ?? required };
}

function requiredIn(words: string): boolean | 'not shown' | undefined {
  if (/whether it is required: not shown/.test(words)) {
    return 'not shown';
  }
  if (/\brequired\b/.test(words)) {
    return true;
  }
  return /\boptional\b/.test(words) ? false : undefined;
}

function inEndpoint({ path, query }: Chapter): Named[] {
  const ofPath = [...path.matchAll(/\{(\w+)\}/g)];
  const ofQuery = [...query.matchAll(/(\w+)=<(\w+)>/g)];
  return [
    ...ofPath.map(([, name = '']) => [name, field('string', 'path', true)] as const),
    ...ofQuery.map(([, name = '', value]) =>
      value === 'int'
        ? ([name, field('int', 'query', false)] as const)
        : ([name, field('string', 'query', true)] as const),
    ),
  ];
}

/**
 * Reads rows of field, type, required and rule. A row of §4.2 may refer to §4.1; of the two kinds of sender there, only
 * that of the chat application applies.
 */
function inTable(text: string, place: Place, sendRows: readonly string[][]): Named[] {
  const rows = tableOf(text).filter(({ length }) => length === 4);
  return rows.flatMap(([names = '', type = '', required, rule = '']) =>
    names.split(', ').map((name): Named => {
      const same = type === 'as 4.1' ? sendRows.find(([sendName]) => sendName === name) : undefined;
      const [kind = '', words = ''] = same
        ? [same[1], same[3]?.replace(/^.*for the chat channel, /, '')]
        : [type, rule];
      const read = field(kind, place, required === 'yes');
      return [name, { ...read, words: `${kind}; ${words}` }];
    }),
  );
}

const openings: readonly (readonly [words: RegExp, required: boolean, place: Place | undefined])[] = [
  [/\bBody(?:, all required strings| \(all required strings\)|): /i, true, undefined],
  [/\bbody (?=\{)/, true, undefined],
  [/\bOptional query(?: filters)?: |\boptional query /i, false, 'query'],
  [/(?<!Optional )\bQuery: /, true, 'query'],
  [/\bRequired: /, true, 'form'],
];

function inLists(text: string, place: Place): Named[] {
  return openings.flatMap(([words, required, where = place]) => {
    const opening = words.exec(text)?.[0];
    if (opening === undefined) {
      return [];
    }
    const kinds = opening.includes('strings') ? (['string'] as const) : undefined;
    const list = readList(sentenceAfter(text, opening).replace(/^\{(.*)\}$/s, '$1'));
    return [...list].map(([name, read]): Named => {
      const within = where === 'form' ? partOf(text, name) : name;
      return [within, { ...field(read.words, where, required), ...(kinds && { kinds }) }];
    });
  });
}

const jsonPart = /`(\w+)` \(a part [^)]*\bholding ([^)]*)\)/;

/** The name of a form field. A field of the JSON part is prefixed by the part's name. */
function partOf(text: string, name: string): string {
  const [, part = '', held = ''] = jsonPart.exec(text) ?? [];
  return readList(held).has(name) ? `${part}.${name}` : name;
}

function inSentences({ section, text }: Chapter, place: Place): Named[] {
  const [, alsoShown, like] = /also shows a `(\w+)` field .* value as (\w+)/.exec(text) ?? [];
  const likeRow = tableOf(text).find(([name]) => name === like);
  const part = jsonPart.exec(text)?.[1];
  return [
    ...(alsoShown ? [[alsoShown, field(`${likeRow?.[3]}`, place, 'not shown')] as const] : []),
    ...(part ? [[part, field('object', 'form', true)] as const] : []),
    ...(/^§4\.13\.(?!1$)/.test(section) ? [['X-Token', field('string', 'header', true)] as const] : []),
  ];
}
