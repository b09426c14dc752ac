import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readTypedTemplate, templateKey } from '../../../src/domain/messages/named-templates.ts';

const named = (...names: string[]) => names.map((name) => ({ name }));

function check(typed: string, names: string[], expected: string | undefined, rest: string, name?: string) {
  const read = readTypedTemplate(typed, named(...names));
  const found = read.found === undefined ? [undefined, '', read.name] : [read.found.name, read.rest, name];
  assert.deepEqual(found, [expected, rest, name], typed);
}

test('the longest name that a text begins with is meant, quoted or not', () => {
  const names = ['Order', 'Order ready', 'Sale 2024', '"Best" price', '5 o’clock'];
  check('Order ready +2348031234567', names, 'Order ready', '+2348031234567');
  check('order +2348031234567, 0805', names, 'Order', '+2348031234567, 0805');
  check('  ORDER   Ready\t(0803) 123 4567', names, 'Order ready', '(0803) 123 4567');
  check('Sale 2024', names, 'Sale 2024', '');
  check('“order ready” 08031234567', names, 'Order ready', '08031234567');
  check('"Order", tel:08031234567', names, 'Order', 'tel:08031234567');
  check('"Best" price 08031234567', names, '"Best" price', '08031234567');
  check('""Best" price" 08031234567', names, '"Best" price', '08031234567');
  check('5 O’Clock 08031234567', names, '5 o’clock', '08031234567');
});

test('other words after a name are of a name that is not there', () => {
  const names = ['Order', 'Order ready'];
  check('Order ready now +2348031234567', names, undefined, '', 'Order ready now');
  check('Orders +2348031234567 +2348051234567', names, undefined, '', 'Orders');
  check('"Order late" +2348031234567', names, undefined, '', 'Order late');
  check('"Order late +2348031234567', names, undefined, '', '"Order late');
  check('nothing', [], undefined, '', 'nothing');
  check('', names, undefined, '', '');
});

test('a name in any spelling is found, and what follows is unchanged', () => {
  const word = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 9 })
    .filter((each) => /^\S+$/.test(each));
  const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
  const spaces = fc.constantFrom(' ', '  ', '\n', '\t ');
  const spelling = fc.constantFrom<(text: string) => string>(
    (text) => text,
    (text) => text.toLowerCase(),
    (text) => `"${text}"`,
    (text) => `“${text}”`,
  );
  const numbers = fc.constantFrom('', '+2348031234567', '0803 123 4567, +447700900123', '(0803) 1234567 Hi');
  fc.assert(
    fc.property(
      fc.uniqueArray(name, { minLength: 1, maxLength: 5, selector: templateKey }),
      fc.nat(),
      spaces,
      spelling,
      numbers,
      (names, index, gap, spell, rest) => {
        const meant = names[index % names.length] ?? '';
        const typed = `${spell(meant).replaceAll(' ', gap)}${rest === '' ? '' : gap}${rest}`;
        const read = readTypedTemplate(typed, named(...names));
        assert.ok(read.found !== undefined, typed);
        // A longer name may begin as this one does.
        assert.ok(templateKey(typed).startsWith(templateKey(read.found.name)) || /^["“]/.test(typed));
        const isLonger = templateKey(read.found.name).length > templateKey(meant).length;
        assert.ok(isLonger || (read.found.name === meant && read.rest === rest), typed);
      },
    ),
  );
});
