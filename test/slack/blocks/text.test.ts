import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { clampText } from '../../../src/slack/blocks/limits.ts';
import {
  escapeText,
  marked,
  mrkdwn,
  personMention,
  timeFor,
  withoutMarks,
} from '../../../src/slack/blocks/text.ts';

/** What Slack makes of escaped text: the reverse of `escapeText`. */
function read(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

describe('text from people in Slack’s markup', () => {
  it('rings nobody: <!channel>, mentions and links arrive as text', () => {
    assert.equal(
      mrkdwn`Hello ${'<!channel> <@U123> <https://a.example|b>'}`.source,
      'Hello &lt;!channel&gt; &lt;@U123&gt; &lt;https://a.example|b&gt;',
    );
  });

  it('is escaped once, whatever it is, and reads as it was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const escaped = mrkdwn`${text}`.source;
        assert.ok(!/[<>]/.test(escaped));
        assert.equal(read(escaped), text);
        assert.equal(mrkdwn`${mrkdwn`${text}`}`.source, escaped);
      }),
    );
  });

  it('fits its limit however long, and an entity is never torn apart', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '&', 'a', '😀', 'ש'), maxLength: 200 }), (text) => {
        const { text: shown } = marked(mrkdwn`${text}`, 60);
        assert.ok(shown.length <= 60);
        assert.ok(!/&(?!amp;|lt;|gt;)/.test(shown));
        assert.ok(shown.isWellFormed());
      }),
    );
  });
});

describe('clamping', () => {
  it('leaves what fits and says how much of the rest was cut', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 400 }),
        fc.integer({ min: 1, max: 300 }),
        (text, limit) => {
          const clamped = clampText(text, limit);
          assert.ok(clamped.length <= limit);
          if (text.length <= limit) {
            assert.equal(clamped, text);
          }
          const said = /… \((\d+) more characters\)$/.exec(clamped);
          if (text.length > limit && said !== null && limit > 40) {
            const kept = clamped.slice(0, said.index).length;
            assert.ok(Math.abs(text.length - kept - Number(said[1])) <= 1);
          }
        },
      ),
    );
  });
});

describe('escaping', () => {
  it('touches the three characters of Slack only', () => {
    assert.equal(escapeText('a & b < c > d * _ ~ ` "'), 'a &amp; b &lt; c &gt; d * _ ~ ` "');
  });
});

describe('markup without its marks', () => {
  it('says what a reader of the message sees', () => {
    const at = new Date('2026-03-14T11:05:00Z');
    const line = mrkdwn`*Done* by ${personMention('U0AGENT')} at ${timeFor(at)}: \`id-7\` for *${'Fish & <Chips>'}*`;
    assert.equal(withoutMarks(line), 'Done by U0AGENT at 2026-03-14 11:05 UTC: id-7 for Fish & <Chips>');
  });

  it('is the text itself where there are none, whatever has to be escaped in it', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '<', '>', '&', ';', 'l', 't', 'm', 'p') }),
        (text) => {
          assert.equal(withoutMarks(mrkdwn`${text}`), text);
        },
      ),
    );
  });
});
