import { readList } from './fields.ts';
import { splitList } from './markdown.ts';
import { type Fields, merge, recordReader, under } from './records.ts';

type Read = (...groups: string[]) => Fields;

/** Reads the sentence that describes a response into its fields, including those of the records that it names. */
export function answerReader(sections: ReadonlyMap<string, string>): (sentence: string) => Fields {
  const records = recordReader(sections);
  const paged = (content: Fields): Fields => merge(records.record('2.1'), rowsOf('content[]', content));

  /** The forms of such a sentence, from the most to the least specific. */
  const forms: readonly (readonly [RegExp, Read])[] = [
    [
      /^envelope, data (?:is an? )?(.*)$/s,
      (data = '') => merge(records.envelope(), under('data', read(data))),
    ],
    [
      /^paging envelope .*\b(plan|deprecated) listing entries/s,
      (kind = '') => paged(records.planListing(kind)),
    ],
    [/^paging envelope .*\b(2\.\d+)/s, (number = '') => paged(records.record(number))],
    [/^an object with one key, `(.+)`, holding (.*)$/s, (key = '', list = '') => under(key, readList(list))],
    [/^voice call result/, () => records.voiceCall()],
    [/^[\w -]+ \((2\.\d+b?)\)$/, (number = '') => records.record(number)],
    [/^(.*) \(2\.2\)$/s, (list = '') => records.email(readList(list))],
    [/^\{(.*)\}$/s, (list = '') => members(list)],
    [/^(.*)$/s, (list = '') => members(list)],
  ];

  function read(sentence: string): Fields {
    for (const [form, reading] of forms) {
      const match = form.exec(sentence);
      if (match) {
        return reading(...match.slice(1));
      }
    }
    return new Map();
  }

  function members(list: string): Fields {
    const items = splitList(list).map((item) => ({ item, record: member(item) }));
    const plain = items.filter(({ record }) => record === undefined).map(({ item }) => item);
    return merge(readList(plain.join(', ')), ...items.map(({ record = new Map() }) => record));
  }

  /** Reads a field that is a record of §2. */
  function member(item: string): Fields | undefined {
    const [, name = '', notes = ''] = /^(\w+)(?: \((.*)\))?$/s.exec(item) ?? [];
    if (name === 'dataPlan' && !notes.startsWith('string')) {
      return under(name, records.plan());
    }
    if (name === 'sim') {
      const sim = records.record('2.8');
      if (!notes.includes('purchaseDate')) {
        sim.delete('purchaseDate');
      }
      return under(name, sim);
    }
    if (notes.startsWith('paging envelope')) {
      return under(name, read(notes));
    }
    return /^2\.\d+$/.test(notes) ? under(name, records.record(notes)) : undefined;
  }

  return read;
}

function rowsOf(name: string, fields: Fields): Fields {
  return new Map([...fields].map(([path, field]) => [`${name}.${path}`, field]));
}
