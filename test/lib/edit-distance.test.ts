import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { editDistance } from '../../src/lib/edit-distance.ts';

test('one insertion, deletion, replacement or swap is one edit', () => {
  assert.equal(editDistance('help', 'help'), 0);
  assert.equal(editDistance('hlep', 'help'), 1);
  assert.equal(editDistance('lst', 'list'), 1);
  assert.equal(editDistance('verifyy', 'verify'), 1);
  assert.equal(editDistance('bulk', 'bull'), 1);
  assert.equal(editDistance('', 'list'), 4);
});

test('it is a symmetric measure, bounded by the longer text, and 0 for equal texts alone', () => {
  const word = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', 'c') });
  fc.assert(
    fc.property(word, word, (a, b) => {
      const distance = editDistance(a, b);
      assert.equal(distance, editDistance(b, a));
      assert.equal(distance === 0, a === b);
      assert.ok(distance <= Math.max(a.length, b.length));
      assert.ok(distance >= Math.abs(a.length - b.length));
    }),
  );
});
