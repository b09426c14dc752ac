import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type CalledContact, namesAmong, resolveNames } from '../../../src/domain/phone/contact-names.ts';
import { type PhoneNumber, phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { readNumbers } from '../../../src/domain/phone/read-numbers.ts';

const numberOf = (index: number): PhoneNumber => phoneNumberSchema.parse(`+234805123${4000 + index}`);

const contact = (firstName: string, lastName: string, index: number): CalledContact => ({
  firstName,
  lastName,
  columns: [],
  number: numberOf(index),
});

/** Returns the number that a name alone stands for, or why it stands for none. */
function find(name: string, contacts: readonly CalledContact[]): PhoneNumber | string {
  const { numbers, faults } = resolveNames(name, contacts);
  return numbers.get(name.trim()) ?? faults.join(' ');
}

const ada = contact('Ada', 'Obi', 1);
const bola = contact('Bola', 'Ade', 2);

describe('the names among recipients', () => {
  it('are the lines and what is between commas that have letters, and fewer digits than a number', () => {
    assert.deepEqual(namesAmong('Ada Obi, 0803 123 4567\n bola ;Ada Obi\n12345, Ade 2\n–, Ada 0803123'), [
      'Ada Obi',
      'bola',
      'Ade 2',
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
        const names = namesAmong(typed).filter((name) => !/\p{N}/u.test(name));
        const known = names.map((name, index) => contact(name, '', 500 + index));
        const { recipients, numbers, faults } = resolveNames(typed, known);
        const read = new Set(readNumbers(recipients, 'NG').numbers);
        const reached = faults.length > 0 ? [] : [...readNumbers(typed, 'NG').numbers, ...numbers.values()];
        for (const number of reached) {
          assert.ok(read.has(number), `${number} of ${JSON.stringify(typed)}`);
        }
        assert.equal(resolveNames(recipients, []).recipients, recipients);
      }),
    );
  });

  it('may have a comma inside, and are nobody’s where two contacts are called that', () => {
    const resolved = (text: string, ...contacts: CalledContact[]) => resolveNames(text, contacts);
    assert.equal(resolved('Obi, Ada\nBola', ada, bola).recipients, `${ada.number}\n${bola.number}`);
    assert.equal(resolved('Ada,Bola', ada, bola).recipients, `${ada.number},${bola.number}`);
    const company = { ...contact('', '', 3), columns: [{ key: 'Name', value: 'Obi, Bello, Sons' }] };
    assert.equal(resolved('Obi , Bello, sons', company, bola).recipients, String(company.number));
    const besides = resolved('Obi, Ada', ada, contact('Obi', 'Eze', 4));
    assert.match(besides.faults.join(), /“Obi, Ada” may be one contact or 2\. Put each name on its own line/);
    assert.equal(resolved('Obi\nAda', ada).faults.length, 0);
    const twins = resolved('Obi, Ada', ada, contact('Ada', 'Obi', 4));
    assert.match(twins.faults.join(), /“Obi, Ada” is the name of several contacts/);
  });

  it('may have digits, and stay as they are where nobody is called so', () => {
    const store = contact('Store 24', 'Ikeja', 8);
    assert.equal(resolveNames('store 24 ikeja, Store 25', [store]).recipients, `${store.number}, Store 25`);
    assert.deepEqual(resolveNames('Store 25', [store]).faults, []);
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
      assert.equal(find(name, [ada, bola, known]), known.number, name);
    }
    assert.equal(find('Ad', [ada]), '“Ad” is neither a number nor the name of a contact.');
    assert.equal(find('Ada', [{ ...ada, number: undefined }]), '“Ada” has no phone number that can be read.');
  });

  it('is nobody where several are called so, who are listed with masked numbers', () => {
    assert.equal(
      find('ada', [ada, { ...ada }, contact('Ada', 'Bello', 4)]),
      '“ada” is the name of several contacts: Ada Obi (+234805•••4001), Ada Bello (+234805•••4004). Write the whole name or the number.',
    );
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
        const { numbers, faults } = resolveNames(name, known);
        const [number] = numbers.values();
        assert.deepEqual(resolveNames(name, known.toReversed()).numbers, numbers);
        assert.doesNotMatch(faults.join(), /\d{7}/);
        assert.equal(number === undefined, faults.length > 0);
        if (number !== undefined) {
          assert.ok(known.some((each) => each.number === number));
          const other = { firstName: name, lastName: 'Other', columns: [], number: numberOf(9) };
          assert.notEqual(find(name, [...known, other]), number);
          assert.equal(find(name, [...known, { ...other, firstName: 'Nobody' }]), number);
        }
      }),
    );
  });
});
