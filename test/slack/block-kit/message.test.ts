import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkMessage } from '../../../sandbox/slack/block-kit/surfaces.ts';
import { actions, button, section } from '../../../src/slack/block-kit/build.ts';
import { message } from '../../../src/slack/block-kit/message.ts';
import { mrkdwn } from '../../../src/slack/block-kit/text.ts';
import { withRemarks } from '../../../src/slack/notifier/notices.ts';

const fallback = mrkdwn`A result`;
const way = actions('way_on', button('go', 'Go on'));

describe('a message', () => {
  it('fits Slack’s limits with any texts, says what was cut, and keeps its buttons', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5_000 }), { minLength: 1, maxLength: 45 }),
        (lengths) => {
          const texts = lengths.map((length) => section(mrkdwn`${'&'.repeat(length)}`));
          const made = message(fallback, [...texts, way]);
          assert.equal(checkMessage(made), undefined);
          assert.equal(checkMessage(withRemarks(made, [mrkdwn`It may stand in a channel too.`])), undefined);
          assert.deepEqual(made.blocks.at(-1), way);
          const shown = made.blocks.filter(({ type }) => type === 'section').length;
          assert.equal(JSON.stringify(made).includes('did not fit'), shown < texts.length);
        },
      ),
    );
  });

  it('is unchanged if it fits', () => {
    const blocks = [section(mrkdwn`${'x'.repeat(2_900)}`), section(mrkdwn`y`), way];
    assert.deepEqual(message(fallback, blocks).blocks, blocks);
  });
});
