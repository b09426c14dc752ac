import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { countries } from '../../../src/domain/phone/countries.ts';
import type { AuditRecord } from '../../../src/services/audit/audit-service.ts';
import {
  createEnteredPrices,
  maxPrices,
  type PriceForm,
  readPriceForm,
} from '../../../src/services/costs/entered-prices.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';
import { testContext } from '../../support/test-context.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const form: PriceForm = { route: undefined, country: undefined, amount: '4.25' };

describe('the form of a price', () => {
  it('takes any decimal number of at most 6 decimals, up to a million', () => {
    const micros = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(micros, fc.nat(6), (total, zeros) => {
        const fraction = String(total % 1_000_000n).padStart(6, '0');
        const shown = fraction.slice(0, Math.max(zeros, fraction.replace(/0+$/, '').length));
        const typed = `${total / 1_000_000n}${shown === '' ? '' : `.${shown}`}`;
        const read = readPriceForm({ ...form, amount: ` ${typed} ` });
        assert.ok(read.ok);
        assert.equal(Number(read.amount), Number(typed));
      }),
    );
  });

  it('says beside the field what is wrong', () => {
    const faults = (changed: Partial<PriceForm>) => {
      const read = readPriceForm({ ...form, ...changed });
      return read.ok ? {} : read.faults;
    };
    for (const amount of ['', 'much', '-1', '1e3', '4,25', '1,000', '4.25 NGN', '.5', '9'.repeat(16)]) {
      assert.match(faults({ amount }).amount ?? '', /decimal number without separators/, amount);
    }
    for (const amount of ['1.0000001', '0.00000000000000001', `0.${'1'.repeat(300)}`]) {
      assert.match(faults({ amount }).amount ?? '', /at most 6 decimals/, amount);
    }
    for (const amount of ['0', '0.000000']) {
      assert.match(faults({ amount }).amount ?? '', /more than 0/, amount);
    }
    for (const amount of ['1000000.000001', '9'.repeat(15)]) {
      assert.match(faults({ amount }).amount ?? '', /at most 1,000,000/, amount);
    }
    assert.deepEqual(Object.keys(faults({ country: 'NG', amount: '' })), ['route', 'amount']);
    assert.deepEqual(Object.keys(faults({ route: 'pigeon', country: 'Atlantis' })), ['route', 'country']);
    assert.deepEqual(faults({ route: 'dnd', country: 'NG' }), {});
  });
});

describe('the prices of a workspace', () => {
  const admin = { workspaceId: 'T1', userId: 'U1' };

  async function start(test: TestContext) {
    const store = await temporaryStore(test);
    const records: AuditRecord[] = [];
    const record = async (entry: AuditRecord) => {
      records.push(entry);
    };
    const { clock, pass } = stoppedClock();
    return {
      prices: createEnteredPrices(testContext(store, { record, time: clock })),
      records,
      pass,
      store,
    };
  }

  it('are those that several admins add at the same moment, each scope once', async (test) => {
    const { prices, records } = await start(test);
    const scopes = [{}, { route: 'dnd' }, { route: 'dnd', country: 'NG' }, { route: 'dnd' }, {}] as const;
    const added = await Promise.all(scopes.map((scope) => prices.add(admin, { scope, amount: '4.25' })));
    assert.deepEqual(added.toSorted(), ['added', 'added', 'added', 'exists', 'exists']);
    assert.deepEqual(
      (await prices.list('T1')).map(({ scope }) => scope),
      [{}, { route: 'dnd' }, { route: 'dnd', country: 'NG' }],
    );
    assert.equal(records.length, 3);
    assert.deepEqual(await prices.list('T2'), []);
  });

  it('are no more than one screen lists', async (test) => {
    const { prices } = await start(test);
    for (const { code } of countries.slice(0, maxPrices)) {
      assert.equal(
        await prices.add(admin, { scope: { route: 'voice', country: code }, amount: '1' }),
        'added',
      );
    }
    assert.equal(await prices.add(admin, { scope: {}, amount: '1' }), 'too_many');
  });
});
