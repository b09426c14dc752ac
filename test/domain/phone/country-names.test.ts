import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { countryNamed, findCountries } from '../../../src/domain/phone/country-names.ts';

describe('the search for a country', () => {
  for (const text of ['CI', 'civ', 'Côte d’Ivoire', 'cote d ivoire', 'Ivory Coast', " cote  d'ivoire "]) {
    it(`finds Côte d’Ivoire by “${text}”`, () => {
      assert.equal(countryNamed(text)?.iso3, 'CIV');
      assert.equal(findCountries(text)[0]?.iso3, 'CIV');
    });
  }

  it('lists it before countries that merely contain the text', () => {
    assert.deepEqual(findCountries('ng').map(({ iso2 }) => iso2)[0], 'NG');
    assert.deepEqual(
      findCountries('Niger').map(({ name }) => name),
      ['Niger', 'Nigeria'],
    );
  });

  it('does not match part of a name if a single country is required', () => {
    assert.equal(countryNamed('Nig'), undefined);
    assert.equal(countryNamed(''), undefined);
  });

  it('finds every country by each code and name, and all by an empty text', () => {
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

  it('accepts any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        assert.ok(Array.isArray(findCountries(text)));
        countryNamed(text);
      }),
      { verbose: true },
    );
  });
});
