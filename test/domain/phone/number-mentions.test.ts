import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createNumberMentions } from '../../../src/domain/phone/number-mentions.ts';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';

const ada = createNumberMentions(phoneNumberSchema.parse('+2348031234567'));

describe('the mentions of a number', () => {
  it('are found in every spelling, and removed', () => {
    for (const spelling of [
      '+2348031234567',
      '2348031234567',
      '002348031234567',
      '08031234567',
      '8031234567',
      '+234 803 123 4567',
      '+234 (0) 803 123 4567',
      '0803-123-4567',
      '0803.123.4567',
      '(0803) 123 4567',
      '０８０３１２３４５６７',
      '٠٨٠٣١٢٣٤٥٦٧',
      '०८०३१२३४५६७',
      '+২৩৪ ৮০৩ ১২৩ ৪৫৬৭',
      '0803\u200B1234567',
      '+234\u00A0803\u00A0123\u00A04567',
    ]) {
      for (const text of [spelling, `Call ${spelling}, now`, `{"to":["${spelling}"]}`, `x${spelling}y`]) {
        assert.ok(ada.areIn(text), text);
        const removed = ada.remove(text);
        assert.ok(removed.includes('•••'), removed);
        assert.ok(!ada.areIn(removed), removed);
      }
    }
  });

  it('are not other numbers', () => {
    for (const text of [
      '',
      'Hello',
      '+2348031234568',
      '80312345671',
      '18031234567',
      '+1 803 123 4567',
      '+18031234567',
      '803,123,4567',
      '0803\n1234567',
      '89234803123456789012',
      '1234567',
    ]) {
      assert.ok(!ada.areIn(text), text);
      assert.equal(ada.remove(text), text);
    }
  });

  it('are found among other numbers, which stay', () => {
    const text = '2348051234567 2348031234567 2348071234567';
    assert.equal(ada.remove(text), '2348051234567 ••• 2348071234567');
    assert.equal(ada.remove('08031234567 and 08031234567'), '••• and •••');
  });

  it('leave no trace, whatever is around them', () => {
    const around = fc.string({
      unit: fc.constantFrom('a', 'é', ' ', ',', '"', '\n', '.', '٣', '•'),
      maxLength: 8,
    });
    fc.assert(
      fc.property(around, around, (before, after) => {
        const removed = ada.remove(`${before} +2348031234567 ${after}`);
        assert.ok(!removed.replace(/\D/g, '').includes('8031234567'), removed);
      }),
    );
  });
});
