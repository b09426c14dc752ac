import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { showIccid } from '../../../src/domain/access/private-values.ts';
import { readIccid } from '../../../src/domain/esims/iccid.ts';

test('an ICCID is accepted as printed, with or without groups', () => {
  const iccid = '8900000007992739878';
  const read = { ok: true, iccid, luhn: true };
  for (const text of [
    iccid,
    ` ${iccid}\n`,
    '8900 0000 0799 2739 878',
    '8900-0000-0799-2739-878',
    `${iccid}F`,
    `${iccid}f`,
    '8900-0000-0799-2739-878 F',
    `ICCID: ${iccid}F`,
    `ICCID ${iccid}`,
    `ICCID (SIM 1): ${iccid}`,
    `SIM no. ${iccid}`,
    '8900\u00a00000\u202f0799\u20112739\u2013878\u200b',
  ]) {
    assert.deepEqual(readIccid(text), read, text);
  }
});

test('an ICCID with a wrong check digit is accepted, and marked as such', () => {
  const iccid = '8900000007992739871';
  assert.deepEqual(readIccid(iccid), { ok: true, iccid, luhn: false });
});

test('an invalid ICCID is refused with the reason', () => {
  const refusals: [string, string][] = [
    ['', 'Enter an ICCID.'],
    [' - ', 'Enter an ICCID.'],
    ['89a00000079927398713', 'An ICCID has digits only.'],
    ['890000F00799273987', 'An ICCID has digits only.'],
    ['F', 'An ICCID has digits only.'],
    ['+8900000007992739871', 'An ICCID has digits only.'],
    ['٨٩00000007992739871', 'An ICCID has digits only.'],
    ['a8900000007992739871', 'An ICCID has digits only.'],
    ['8900000007992739871:8900000007992739878', 'An ICCID has digits only.'],
    ['2348030000001', 'An ICCID begins with 89.'],
    ['89000000079927398', 'An ICCID has 18 to 22 digits; this has 17.'],
    ['89000000079927398713000', 'An ICCID has 18 to 22 digits; this has 23.'],
  ];
  for (const [text, reason] of refusals) {
    assert.deepEqual(readIccid(text), { ok: false, reason }, text);
  }
});

const digits = (length: { min: number; max: number }) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { minLength: length.min, maxLength: length.max })
    .map((each) => each.join(''));

test('every number of 18 to 22 digits that begins with 89 is accepted, with any separators', () => {
  const separators = fc.array(fc.constantFrom('', ' ', '-', '\t', '\u00a0'), {
    minLength: 22,
    maxLength: 22,
  });
  fc.assert(
    fc.property(digits({ min: 14, max: 22 }), separators, (rest, between) => {
      const iccid = `89${rest}`;
      const text = [...iccid].map((digit, index) => digit + (between[index] ?? '')).join('');
      const read = readIccid(text);
      assert.equal(read.ok, iccid.length >= 18 && iccid.length <= 22);
      if (read.ok) {
        assert.equal(read.iccid, iccid);
      }
    }),
  );
});

test('exactly one of ten last digits is the right check digit', () => {
  fc.assert(
    fc.property(digits({ min: 15, max: 19 }), (rest) => {
      const right = [...'0123456789'].filter((last) => {
        const read = readIccid(`89${rest}${last}`);
        assert.ok(read.ok);
        return read.luhn;
      });
      assert.equal(right.length, 1);
    }),
  );
});

test('the check digit detects one wrong digit', () => {
  const other = fc.tuple(digits({ min: 16, max: 20 }), fc.nat(), fc.integer({ min: 1, max: 9 }));
  fc.assert(
    fc.property(other, ([rest, at, by]) => {
      const iccid = `89${rest}`;
      const place = 2 + (at % rest.length);
      const changed = (Number(iccid[place]) + by) % 10;
      const mistyped = iccid.slice(0, place) + changed + iccid.slice(place + 1);
      const [before, after] = [readIccid(iccid), readIccid(mistyped)];
      assert.ok(before.ok && after.ok);
      assert.ok(!(before.luhn && after.luhn));
    }),
  );
});

test('a masked ICCID shows its first two and last four digits', () => {
  assert.equal(showIccid('8923490000000421208', 'record'), '89•••1208');
});
