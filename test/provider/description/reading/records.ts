import { addField, type ReadField, type ReadFields, readField, readList } from './fields.ts';
import { firstSentence, tableOf } from './markdown.ts';

export type Fields = Map<string, ReadField>;

/** Reads the records of §2 by section number, from a table or from a list in a sentence. */
export function recordReader(sections: ReadonlyMap<string, string>) {
  const sectionOf = (number: string) => sections.get(number) ?? unreadable(`there is no section ${number}`);

  function record(number: string): Fields {
    const section = sectionOf(number);
    const rows = tableOf(section);
    if (rows.length === 0) {
      return readList(firstSentence(section.trim()));
    }
    const fields: Fields = new Map();
    for (const [names = '', words = ''] of rows) {
      for (const name of names.split(', ')) {
        addField(fields, name, words);
      }
    }
    if (number === '2.1') {
      return merge(fields, under('sort', membersOf(fields, 'pageable.sort')));
    }
    if (number === '2.7') {
      return merge(fields, under('result[]', listAfter(section, 'Entry: '), fields));
    }
    return fields;
  }

  return {
    record,
    /** A plan beside a SIM: §2.9 without the fields of the list. */
    plan(): Fields {
      const every = record('2.9');
      const listed = [...every].filter(([, { words }]) => /plan listing/.test(words)).map(([name]) => name);
      return new Map([...every].filter(([path]) => !listed.some((name) => isWithin(path, name))));
    },
    /** A plan in a list: the fields that a sentence of §2.9 names. */
    planListing(kind: string): Fields {
      const every = record('2.9');
      const carried = listAfter(sectionOf('2.9'), `${kind} listing entries carry `);
      const known = [...every].filter(([path]) => [...carried.keys()].some((name) => isWithin(path, name)));
      return merge(carried, new Map(known));
    },
    envelope: (): Fields => listAfter(sectionOf('4.13'), 'Enveloped responses have: '),
    voiceCall: (): Fields => worded(listAfter(sectionOf('2.2'), 'Voice call result fields: '), record('2.2')),
    /** The response of the e-mail operation, whose balance has a different type than in §2.2. */
    email(fields: ReadFields): Fields {
      const kind = /; an? (\w+) in the e-mail result/.exec(sectionOf('2.2'))?.[1] ?? '';
      return merge(worded(fields, record('2.2')), new Map([['balance', readField(kind)]]));
    },
  };
}

/** Puts fields under a name, which ends in `[]` for a list. */
export function under(name: string, members: ReadFields, beside: ReadFields = new Map()): Fields {
  const named = [...members].map(([path, field]) => [`${name}.${path}`, field] as const);
  return new Map([
    ...(beside.has(name.replace('[]', '')) ? [] : [[name, readField('object')] as const]),
    ...named,
  ]);
}

export function merge(...parts: readonly ReadFields[]): Fields {
  return new Map(parts.flatMap((part) => [...part]));
}

function listAfter(text: string, opening: string): Fields {
  return readList(sentenceAfter(text, opening));
}

export function sentenceAfter(text: string, opening: string): string {
  const start = text.toLowerCase().indexOf(opening.toLowerCase());
  if (start === -1) {
    return unreadable(`nothing begins with "${opening}"`);
  }
  return firstSentence(text.slice(start + opening.length));
}

export function unreadable(problem: string): never {
  throw new Error(`The description cannot be read: ${problem}`);
}

function isWithin(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}[]`) || path.startsWith(`${name}.`);
}

function membersOf(fields: ReadFields, path: string): Fields {
  const within = [...fields].filter(([name]) => name.startsWith(`${path}.`));
  return new Map(within.map(([name, field]) => [name.slice(path.length + 1), field]));
}

/** Completes fields without a text by those of a record. */
function worded(fields: ReadFields, record: ReadFields): Fields {
  return new Map([...fields].map(([name, field]) => [name, record.get(name) ?? field]));
}
