import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkMessage } from '../../../sandbox/slack/block-kit/surfaces.ts';
import { section } from '../../../src/slack/block-kit/build.ts';
import { message, pieChart } from '../../../src/slack/block-kit/message.ts';
import { mrkdwn } from '../../../src/slack/block-kit/text.ts';

const shares = fc.array(
  fc.record({ label: fc.string({ minLength: 1, unit: 'grapheme' }), value: fc.nat() }),
  {
    maxLength: 12,
  },
);

describe('a chart', () => {
  it('is what Slack takes, for any shares, and shows them all, unless it would have a single one', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), shares, (title, given) => {
        const blocks = pieChart(title, given);
        assert.equal(checkMessage(message(mrkdwn`x`, [section(mrkdwn`x`), ...blocks])), undefined);
        const shown = blocks
          .flatMap(({ chart }) => chart.segments)
          .reduce((sum, { value }) => sum + value, 0);
        const total = given.reduce((sum, { value }) => sum + value, 0);
        const isWhole = given.filter(({ value }) => value > 0).length < 2;
        assert.equal(shown, isWhole ? 0 : total);
      }),
    );
  });

  it('puts the smallest shares together where there are more than six', () => {
    const given = [1, 9, 3, 8, 7, 2, 6].map((value) => ({ label: `of ${value}`, value }));
    const [block] = pieChart('Shares', given);
    assert.deepEqual(
      block?.chart.segments.map(({ label, value }) => [label, value]),
      [
        ['of 9', 9],
        ['of 8', 8],
        ['of 7', 7],
        ['of 6', 6],
        ['of 3', 3],
        ['Others', 3],
      ],
    );
  });
});
