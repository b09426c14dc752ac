import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type ApprovalSettingsForm,
  isOverPrice,
  readApprovalSettings,
} from '../../../src/services/approvals/approval-settings.ts';

const off: ApprovalSettingsForm = {
  campaigns: false,
  recipients: '',
  esims: false,
  price: '',
  channelId: undefined,
  hours: '',
};

describe('the settings of approvals', () => {
  it('are read as typed, with a sentence for each field that is wrong', () => {
    const read = (change: Partial<ApprovalSettingsForm>) => readApprovalSettings({ ...off, ...change });
    assert.deepEqual(read({}), {
      ok: true,
      settings: { recipients: undefined, price: undefined, channelId: undefined, hours: undefined },
    });
    assert.deepEqual(
      read({
        ...{ campaigns: true, recipients: ' 1,000 ', esims: true, price: '5,000.50', channelId: 'C1' },
        hours: ' 48 ',
      }),
      { ok: true, settings: { recipients: 1_000, price: '5000.5', channelId: 'C1', hours: 48 } },
    );
    for (const recipients of ['', '-1', '1.5', '1e3', '10000001', '9'.repeat(400)]) {
      const { ok, ...rest } = read({ campaigns: true, recipients, channelId: 'C1' });
      assert.deepEqual([ok, Object.keys('faults' in rest ? rest.faults : {})], [false, ['recipients']]);
    }
    for (const price of ['', '-1', '5 NGN', 'free', '1'.repeat(400)]) {
      const { ok, ...rest } = read({ esims: true, price, channelId: 'C1' });
      assert.deepEqual([ok, Object.keys('faults' in rest ? rest.faults : {})], [false, ['price']]);
    }
    for (const hours of ['0', '721', '-1', '1.5', 'a day', '9'.repeat(400)]) {
      const { ok, ...rest } = read({ hours });
      assert.deepEqual([ok, Object.keys('faults' in rest ? rest.faults : {})], [false, ['hours']]);
    }
    assert.deepEqual(read({ campaigns: true, recipients: '5' }), {
      ok: false,
      faults: { channelId: 'Choose a channel.' },
    });
  });

  it('take a price that is not known, or in another currency, for one over the limit', () => {
    assert.equal(isOverPrice('5000', undefined, 'NGN'), true);
    assert.equal(isOverPrice('5000', { amount: 'on request' }, 'NGN'), true);
    assert.equal(isOverPrice('5000', { amount: '1', currency: 'USD' }, 'NGN'), true);
    assert.equal(isOverPrice('5000', { amount: '5000', currency: 'NGN' }, 'NGN'), false);
    assert.equal(isOverPrice('5000', { amount: '5000.01', currency: 'NGN' }, undefined), true);
    fc.assert(
      fc.property(fc.nat(), fc.nat(), (limit, amount) => {
        assert.equal(isOverPrice(String(limit), { amount: String(amount) }, 'NGN'), amount > limit);
      }),
    );
  });
});
