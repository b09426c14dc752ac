import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { budgetPeriod } from '../../../src/domain/limits/budget-period.ts';
import { isAllowed, noCountry, quickCountryOf } from '../../../src/domain/limits/number-country.ts';
import { lastToFree, type ReachedLimit } from '../../../src/domain/limits/reached-limit.ts';
import { countries } from '../../../src/domain/phone/countries.ts';
import { countryOf, phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import { readNumber } from '../../../src/domain/phone/read-number.ts';
import { rounds } from '../../support/sizes.ts';

describe('the periods of a budget', () => {
  it('are the days and months of Lagos, an hour ahead of UTC', () => {
    const late = new Date('2026-12-31T22:59:59Z');
    assert.deepEqual(budgetPeriod('day', late), {
      name: '2026-12-31',
      ends: new Date('2026-12-31T23:00:00Z'),
    });
    assert.deepEqual(budgetPeriod('month', late), {
      name: '2026-12',
      ends: new Date('2026-12-31T23:00:00Z'),
    });
    const next = new Date('2026-12-31T23:00:00Z');
    assert.deepEqual(budgetPeriod('day', next), {
      name: '2027-01-01',
      ends: new Date('2027-01-01T23:00:00Z'),
    });
    assert.deepEqual(budgetPeriod('month', next), {
      name: '2027-01',
      ends: new Date('2027-01-31T23:00:00Z'),
    });
  });

  it('follow each other without a gap', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('day' as const, 'month' as const),
        fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true }),
        (window, at) => {
          const { name, ends } = budgetPeriod(window, at);
          assert.ok(ends > at);
          assert.equal(budgetPeriod(window, new Date(ends.getTime() - 1)).name, name);
          assert.notEqual(budgetPeriod(window, ends).name, name);
        },
      ),
    );
  });
});

describe('the country of a number', () => {
  it('is found as quickly where countries share a calling code', () => {
    for (const text of [
      '+2348031234567',
      '+233241234567',
      '+12125550123',
      '+18765551234',
      '+447400123456',
      '+447781123456',
      '+447624123456',
      '+77012345678',
      '+79161234567',
      '+80012345678',
    ]) {
      const number = phoneNumberSchema.parse(text);
      assert.equal(quickCountryOf(number), countryOf(number) ?? noCountry, text);
    }
  });

  it('is that of the library for any number', () => {
    const all = countries.map(({ code }) => code);
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.stringMatching(/^[1-9]\d{6,9}$/), (country, digits) => {
        const read = readNumber(digits, country);
        fc.pre(read.ok);
        if (read.ok) {
          assert.equal(quickCountryOf(read.number), countryOf(read.number) ?? noCountry);
        }
      }),
      { numRuns: rounds(300) },
    );
  });

  it('is allowed by a rule; the workspace’s own always is', () => {
    assert.ok(isAllowed('GH', 'all', 'NG'));
    assert.ok(isAllowed('NG', 'own', 'NG'));
    assert.ok(!isAllowed('GH', 'own', 'NG'));
    assert.ok(isAllowed('NG', ['GH'], 'NG'));
    assert.ok(isAllowed('GH', ['GH'], 'NG'));
    assert.ok(!isAllowed('KE', ['GH'], 'NG'));
    assert.ok(!isAllowed(noCountry, ['GH'], 'NG'));
  });
});

describe('of several reached limits', () => {
  it('the one that refuses for longest is named, as the same passes only then', () => {
    const reason = { rule: 'again', seconds: 1, shown: '+234803•••4567' } as const;
    const at = (ms: number | undefined): ReachedLimit => ({
      reason,
      freesAt: ms === undefined ? undefined : new Date(ms),
    });
    assert.equal(lastToFree([]), undefined);
    assert.equal(lastToFree([at(1), at(3), at(2)])?.freesAt?.getTime(), 3);
    assert.equal(lastToFree([at(1), at(undefined), at(2)])?.freesAt, undefined);
  });
});
