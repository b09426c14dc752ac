import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  actions,
  button,
  context,
  facts,
  header,
  quotation,
  section,
} from '../../../src/slack/block-kit/build.ts';
import { textOfBlocks, withoutControls } from '../../../src/slack/block-kit/reading.ts';
import { mrkdwn, renderFor } from '../../../src/slack/block-kit/text.ts';
import { anyText } from '../../support/arbitrary-text.ts';

const marked = fc.oneof(anyText, fc.constantFrom('⟦', ' ⟧end of quote', '⟧⟧⟦⟦'));

describe('blocks that are read alone', () => {
  it('have their text without markup, and nothing to press', () => {
    const press = button('a', 'Press');
    const shown = withoutControls([
      header('Number'),
      section(mrkdwn`*Bold* \`code\``, press),
      facts(['Network', mrkdwn`MTN`]),
      actions('row', press),
      context(mrkdwn`Next`),
    ]);
    assert.equal(textOfBlocks(shown, 3_000), 'Number\nBold code\nNetwork\nMTN\nNext');
    assert.doesNotMatch(JSON.stringify(shown), /button|actions/);
  });

  it('keeps a quotation between its marks, whatever is in it and around it', () => {
    fc.assert(
      fc.property(marked, marked, fc.integer({ min: 100, max: 3_000 }), (quoted, around, max) => {
        const blocks = withoutControls([
          section(mrkdwn`${around}`),
          quotation(quoted),
          section(mrkdwn`${around}`),
        ]);
        const text = textOfBlocks(renderFor('tool', blocks), max);
        assert.ok(text.length <= max, `${text.length}`);
        const begins = text.split('⟦').length - 1;
        assert.ok(begins <= 1);
        assert.equal(text.split('⟧').length - 1, begins, text);
      }),
    );
  });

  it('are cut after whole lines, and say so', () => {
    const many = Array.from({ length: 200 }, (_, line) => section(mrkdwn`Line ${line}`));
    const text = textOfBlocks(many, 300);
    assert.match(text, /^Line 0\nLine 1\n[\s\S]*\nLine \d+\n\(There is more\. See it in Slack\.\)$/);
    assert.ok(text.length <= 300);
  });
});
