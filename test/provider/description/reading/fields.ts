import type { Kind } from '../types.ts';
import { splitList } from './markdown.ts';

/** A field as documented. */
export interface ReadField {
  /** The types that the text names; may be empty. */
  readonly kinds: readonly Kind[];
  readonly words: string;
}

export type ReadFields = ReadonlyMap<string, ReadField>;

/** Reads a list of fields such as `id (int), name, region (strings)` or `sim {state: string}`. */
export function readList(text: string): Map<string, ReadField> {
  const fields = new Map<string, ReadField>();
  let unworded: string[] = [];
  for (const item of splitList(text)) {
    const all = /^all (\w+)$/.exec(item)?.[1];
    if (all !== undefined) {
      for (const [name, { words }] of fields) {
        fields.set(name, readField(`${words} ${all}`));
      }
      continue;
    }
    const [, name, notes, members, kind] =
      /^`?(\w+)`?(?:$|\s*\((.*?)\)(?: .*)?$|\s*\{(.*)\}$|: (.*)$)/s.exec(item) ?? [];
    if (name === undefined) {
      continue;
    }
    const words = notes ?? kind ?? (members === undefined ? '' : 'object');
    addField(fields, name, words);
    for (const [path, field] of readList(members ?? '')) {
      fields.set(`${name}.${path}`, field);
    }
    if (words === '') {
      unworded.push(name);
      continue;
    }
    // In "first_name, last_name (strings)", the plural applies to all earlier fields without a type.
    if (/\b(?:strings|datetimes|both)\b/.test(words)) {
      for (const earlier of unworded) {
        addField(fields, earlier, words.replace(/`[^`]*`/g, ''));
      }
    }
    unworded = [];
  }
  return fields;
}

/** Adds a field and its nested fields. */
export function addField(fields: Map<string, ReadField>, name: string, words: string): void {
  fields.set(name, readField(words));
  const records = /^array of \{(.*)\}/.exec(words)?.[1];
  const members = /^object: (.*)$/s.exec(words)?.[1];
  for (const [path, field] of readList(records ?? '')) {
    fields.set(`${name}[].${path}`, field);
  }
  for (const [path, field] of readList(members ?? '')) {
    fields.set(`${name}.${path}`, field);
  }
}

export function readField(words: string): ReadField {
  return { kinds: kindsIn(words), words };
}

const kindWords: readonly (readonly [RegExp, Kind])[] = [
  [/array of strings/, 'strings'],
  [/\b(?:strings?|datetimes)\b|^`/, 'string'],
  [/\bint(?:eger)?\b/, 'integer'],
  [/\bbool\b/, 'boolean'],
  [/\bnumber\b/, 'number'],
];

function kindsIn(words: string): Kind[] {
  if (/^array of (?:\{|records|entries)/.test(words)) {
    return ['array'];
  }
  if (/^object\b/.test(words)) {
    return ['object'];
  }
  if (/^\d+$/.test(words)) {
    return ['integer'];
  }
  let left = words.replace(/ \(.*\)/s, '');
  const kinds: Kind[] = [];
  for (const [pattern, kind] of kindWords) {
    if (!pattern.test(left)) {
      continue;
    }
    kinds.push(kind);
    left = left.replace(pattern, '');
  }
  return kinds;
}
