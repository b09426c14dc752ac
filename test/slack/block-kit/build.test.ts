import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KnownBlock } from '@slack/types';
import fc from 'fast-check';
import { actions, button, input, modal, section, shareCells } from '../../../src/slack/block-kit/build.ts';
import { mrkdwn } from '../../../src/slack/block-kit/text.ts';
import { rounds } from '../../support/sizes.ts';
import { assertSlackAccepts } from '../../support/slack/assert-slack-accepts.ts';

const length = fc.integer({ min: 1, max: 5_000 });
const letter = fc.constantFrom('x', '&', 'Ж', '水', '😀');
const text = fc.tuple(letter, length).map(([of, count]) => mrkdwn`${of.repeat(count)}`);
const plain = text.map((said): KnownBlock => section(said));
const field = length.map((count, index = count): KnownBlock => {
  const element = { type: 'plain_text_input' as const, action_id: 'typed', max_length: 3_000 };
  return input(`field_${index}`, 'Typed', { ...element, initial_value: 'x'.repeat(Math.min(count, 3_000)) });
});
const row = fc.constant<KnownBlock>(actions('row', button('go', 'Go on')));

const shapes = fc.array(
  fc.oneof({ weight: 8, arbitrary: plain }, { weight: 1, arbitrary: field }, { weight: 1, arbitrary: row }),
  { minLength: 1, maxLength: 150, size: 'max' },
);

describe('a button', () => {
  it('is read out without the emphasis of its label', () => {
    const { accessibility_label: label } = button('open', 'Open', {
      label: mrkdwn`Open Campaign *Sale ${'*2*'}*`,
    });
    assert.equal(label, 'Open Campaign Sale *2*');
  });
});

describe('a view of any blocks', () => {
  it('fits Slack’s limits, counts what was dropped, and keeps its inputs', () => {
    fc.assert(
      fc.property(shapes, (made) => {
        const blocks = made
          .slice(0, 130)
          .map((block, index) =>
            block.block_id === undefined ? block : { ...block, block_id: `b${index}` },
          );
        const view = modal({ callbackId: 'any', title: 'Any', submit: 'Send', blocks });
        assertSlackAccepts(view);
        const inputs = (list: readonly { type: string }[]) => list.filter(({ type }) => type === 'input');
        assert.deepEqual(inputs(view.blocks), inputs(blocks));
        const [, cut] = /_(\d+) more parts? did not fit/.exec(JSON.stringify(view.blocks)) ?? [];
        assert.equal(view.blocks.length - (cut === undefined ? 0 : 1) + Number(cut ?? 0), blocks.length);
      }),
      { numRuns: rounds(40), endOnFailure: true },
    );
  });

  it('keeps its last row of buttons if there are too many rows', () => {
    const rows = Array.from({ length: 120 }, (_, index) => actions(`row_${index}`, button('go', 'Go on')));
    const { blocks } = modal({ callbackId: 'rows', title: 'Rows', blocks: rows });
    assert.equal(blocks.length, 100);
    assert.deepEqual(blocks.at(-1), rows.at(-1));
  });

  it('is unchanged if it fits', () => {
    const blocks = [section(mrkdwn`One`), ...Array.from({ length: 99 }, () => section(mrkdwn`More`))];
    assert.deepEqual(modal({ callbackId: 'fits', title: 'Fits', blocks }).blocks, blocks);
  });
});

describe('the shares of a table', () => {
  it('add up to exactly 100%, none is 0%, and a larger count has no smaller one', () => {
    const counts = fc.array(
      fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5_000_000 })),
      {
        minLength: 1,
        maxLength: 40,
      },
    );
    fc.assert(
      fc.property(counts, (of) => {
        const percents = shareCells(of).map((cell) => Number('text' in cell && cell.text?.replace('%', '')));
        assert.equal(
          percents.reduce((sum, percent) => sum + percent, 0),
          100,
        );
        assert.ok(percents.every((percent) => percent >= 1));
        const sorted = of
          .map((count, index) => [count, percents[index] ?? 0] as const)
          .sort(([one], [other]) => one - other);
        assert.ok(sorted.every(([, percent], index) => percent + 1 >= (sorted[index - 1]?.[1] ?? 0)));
      }),
      { numRuns: rounds(200) },
    );
  });
});
