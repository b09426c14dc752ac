import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type CursorPosition, cursorPages, firstCursor } from '../../../src/slack/block-kit/paging.ts';

const pageAfter = (position: CursorPosition, next: string) =>
  cursorPages(position, next).next ?? assert.fail();

const cursors = fc.array(fc.string({ minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 80 });

describe('the pages before a cursor position', () => {
  it('lead back one by one to the first page', () => {
    fc.assert(
      fc.property(cursors, (gone) => {
        let trail = gone.reduce<CursorPosition>(pageAfter, firstCursor);
        const kept = trail.by.length;
        const expected = ['', ...gone].toReversed();
        for (let step = 0; step <= kept; step += 1) {
          assert.equal(trail.after, expected[step]);
          trail = cursorPages(trail, undefined).previous ?? firstCursor;
        }
        assert.deepEqual(trail, firstCursor);
      }),
    );
  });

  it('fit into a view’s metadata, and are complete if they are few', () => {
    fc.assert(
      fc.property(cursors, (gone) => {
        const trail = gone.reduce<CursorPosition>(pageAfter, firstCursor);
        assert.ok(JSON.stringify(trail).length < 2_500);
        if (gone.length <= 10) {
          assert.equal(trail.by.length, gone.length);
        }
      }),
    );
  });
});
