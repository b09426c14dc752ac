import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type CalledContact,
  findByName,
  namesAmong,
  replaceNames,
} from '../../../src/domain/phone/contact-names.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { readNumbers } from '../../../src/domain/phone/read-numbers.ts';

const numberOf = (index: number): PhoneNumber => phoneNumberSchema.parse(`+234805123${4000 + index}`);

const contact = (firstName: string, lastName: string, index: number): CalledContact => ({
  firstName,
  lastName,
  columns: [],
  number: numberOf(index),
});

const ada = contact('Ada', 'Obi', 1);
const bola = contact('Bola', 'Ade', 2);

describe('the names among recipients', () => {
  it('are the lines and what is between commas that have letters and no digit', () => {
    assert.deepEqual(namesAmong('Ada Obi, 0803 123 4567\n bola ;Ada Obi\n12345, Ade 2\n–'), [
      'Ada Obi',
      'bola',
    ]);
    assert.deepEqual(namesAmong(`${'a'.repeat(121)}\n`), []);
  });

  it('are replaced, and nothing else is changed', () => {
    const item = fc.oneof(
      fc.constantFrom('Ada Obi', ' bola ', 'Ade 2', '+234 805 123 4001', '08031234567', '8,031,234,567', ''),
      fc.string({ maxLength: 12 }),
    );
    const text = fc.array(fc.tuple(item, fc.constantFrom(',', '; ', '\n', '\r\n')), { maxLength: 8 });
    fc.assert(
      fc.property(text, (pieces) => {
        const typed = pieces.flat().join('');
        const names = namesAmong(typed);
        const numbers = new Map(names.map((name, index) => [name, numberOf(500 + index)] as const));
        assert.equal(replaceNames(typed, new Map()), typed);
        const replaced = replaceNames(typed, numbers);
        assert.deepEqual(namesAmong(replaced), []);
        const read = new Set(readNumbers(replaced, 'NG').numbers);
        for (const number of [...readNumbers(typed, 'NG').numbers, ...numbers.values()]) {
          assert.ok(read.has(number), `${number} of ${JSON.stringify(typed)}`);
        }
      }),
    );
  });
});

describe('a contact by name', () => {
  it('is found by the first name, the last one or both, in any case, and by the columns of a file', () => {
    const file = (key: string, value: string) => ({ ...contact('', '', 3), columns: [{ key, value }] });
    for (const [name, known] of [
      ['ada', ada],
      ['OBI', ada],
      ['Ada  obi', ada],
      ['Bola', bola],
      ['cy', file('Name', 'Cy van Dee')],
      ['Dee', file('Full name', 'Cy van Dee')],
      ['Cy van Dee', file('name', 'Cy van Dee')],
      ['Cy', file('First_Name', 'Cy')],
    ] as const) {
      assert.deepEqual(findByName(name, [ada, bola, known]), { number: known.number }, name);
    }
    assert.deepEqual(findByName('Ad', [ada]), {
      fault: '“Ad” is neither a number nor the name of a contact.',
    });
    assert.deepEqual(findByName('Ada', [{ ...ada, number: undefined }]), {
      fault: '“Ada” has no phone number that can be read.',
    });
  });

  it('is nobody where several are called so, who are listed with masked numbers', () => {
    assert.deepEqual(findByName('ada', [ada, { ...ada }, contact('Ada', 'Bello', 4)]), {
      fault:
        '“ada” is the name of several contacts: Ada Obi (+234805•••4001), Ada Bello (+234805•••4004). Write the whole name or the number.',
    });
  });

  it('is never guessed, whatever the order, and no number is shown', () => {
    const word = fc.constantFrom('Ada', 'ada', 'Obi', 'Bola', 'Mary Jane', 'Ọlá', '');
    const contacts = fc.array(
      fc.record({
        firstName: word,
        lastName: word,
        columns: fc.constantFrom([], [{ key: 'Name', value: 'Ada Bola' }]),
        number: fc.option(fc.integer({ min: 1, max: 4 }).map(numberOf), { nil: undefined }),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(contacts, fc.constantFrom('Ada', 'obi', 'Ada Obi', 'MARY JANE', 'Ọlá'), (known, name) => {
        const found = findByName(name, known);
        const reversed = findByName(name, known.toReversed());
        assert.equal('number' in found, 'number' in reversed);
        if ('number' in found) {
          assert.deepEqual(found, reversed);
          assert.ok(known.some(({ number }) => number === found.number));
          const other = { firstName: name, lastName: 'Other', columns: [], number: numberOf(9) };
          assert.ok('fault' in findByName(name, [...known, other]));
          assert.ok('number' in findByName(name, [...known, { ...other, firstName: 'Nobody' }]));
        } else {
          assert.doesNotMatch(found.fault, /\d{7}/);
        }
      }),
    );
  });
});
