import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countries, countryCodeSchema, countryName, isCountry } from '../../../src/domain/phone/countries.ts';

test('countries have an English name and a calling code, and are sorted by name', () => {
  const nigeria = countries.find(({ code }) => code === 'NG');
  assert.deepEqual(nigeria, { code: 'NG', name: 'Nigeria', callingCode: '234' });
  assert.equal(countryName('GB'), 'United Kingdom');
  const names = countries.map(({ name }) => name);
  assert.deepEqual(
    names,
    names.toSorted((one, other) => one.localeCompare(other, 'en')),
  );
  assert.equal(new Set(names).size, names.length);
  assert.ok(
    countries.every(({ code, name }) => name !== code),
    'a country without a name',
  );
});

test('only the two-letter code in capitals is a country', () => {
  assert.ok(isCountry('NG'));
  for (const wrong of ['ng', 'NGA', 'XX', '', '234', 'Nigeria']) {
    assert.ok(!isCountry(wrong), wrong);
    assert.equal(countryCodeSchema.safeParse(wrong).success, false);
  }
  assert.equal(countryCodeSchema.parse('GH'), 'GH');
});
