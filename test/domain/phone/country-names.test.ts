import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countryNamed, findCountries } from '../../../src/domain/phone/country-names.ts';

describe('a country by its name or code', () => {
  for (const text of ['CI', 'civ', 'Côte d’Ivoire', 'cote d ivoire', 'Ivory Coast', " cote  d'ivoire "]) {
    it(`is found by “${text}”`, () => {
      assert.equal(countryNamed(text)?.iso3, 'CIV');
      assert.equal(findCountries(text)[0]?.iso3, 'CIV');
    });
  }

  it('comes before those that merely have the letters in their name', () => {
    assert.deepEqual(findCountries('ng').map(({ iso2 }) => iso2)[0], 'NG');
    assert.deepEqual(
      findCountries('Niger').map(({ name }) => name),
      ['Niger', 'Nigeria'],
    );
  });

  it('is not found by a part of a name where one country must be meant', () => {
    assert.equal(countryNamed('Nig'), undefined);
    assert.equal(countryNamed(''), undefined);
  });

  it('is found by every code and name there is, and all are there for an empty text', () => {
    const all = findCountries('');
    assert.ok(all.length >= 249);
    for (const country of all) {
      assert.match(country.iso2, /^[A-Z]{2}$/);
      assert.match(country.iso3, /^[A-Z]{3}$/);
      for (const text of [country.iso2, country.iso3.toLowerCase(), country.name.toUpperCase()]) {
        assert.ok(
          findCountries(text).some(({ iso2 }) => iso2 === country.iso2),
          text,
        );
      }
    }
  });

  it('takes any text at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.ok(Array.isArray(findCountries(text)));
        countryNamed(text);
      }),
      { verbose: true },
    );
  });
});
