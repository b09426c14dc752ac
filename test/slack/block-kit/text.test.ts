import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Flow, Inline } from '../../../sandbox/page/text/inline.ts';
import { readMrkdwn } from '../../../sandbox/page/text/mrkdwn.ts';
import { beginningOf, clampText } from '../../../src/slack/block-kit/limits.ts';
import {
  type Markup,
  marked,
  mrkdwn,
  stripMarkup,
  timeFor,
  unescapeText,
  userMention,
} from '../../../src/slack/block-kit/text.ts';
import { rounds } from '../../support/sizes.ts';

describe('interpolated text in Slack’s markup', () => {
  it('notifies nobody: <!channel>, mentions and links are shown as text', () => {
    assert.equal(
      mrkdwn`Hello ${'<!channel> <@U123> <https://a.example|b>'}`.source,
      'Hello &lt;!channel&gt; &lt;@U123&gt; &lt;https://a.example|b&gt;',
    );
  });

  it('is escaped once, and can be unescaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }).filter(isReversible), (text) => {
        const escaped = mrkdwn`${text}`.source;
        assert.ok(!/[<>]/.test(escaped));
        assert.equal(unescapeText(escaped), text);
        assert.equal(mrkdwn`${mrkdwn`${text}`}`.source, escaped);
      }),
    );
  });

  it('fits its limit at any length, and never splits an entity', () => {
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
  it('keeps what fits and says how much was cut', () => {
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

/** Text without the stand-in characters, and without full-width marks, which have the same stand-ins. */
const isReversible = (text: string) => !/[∗ˍ∼ˋ∶\u00AD＊＿｀]/.test(text);

/** Text a user may type: marks, edges of words, emoji names, lines that look like quotations. */
const typed = fc.string({
  unit: fc.constantFrom(
    ...'*_~`:><&＊＿｀＞ aé7.-\n',
    ':smile:',
    ':100:',
    'smile',
    '```',
    '10:30',
    'https://a.example/_x_/*',
  ),
  maxLength: 12,
});

/** The formatting that Slack, as the sandbox renders it, applies to markup. */
function shapesIn(markup: Markup): Set<string> {
  const shapes = new Set<string>();
  const look = (nodes: readonly (Flow | Inline)[]) => {
    for (const node of nodes) {
      // A URL is a link anywhere.
      if (!['text', 'break', 'paragraph', 'link'].includes(node.kind)) {
        shapes.add(node.kind);
      }
      if ('children' in node) {
        look(node.children);
      }
    }
  };
  look(readMrkdwn(markup.source));
  return shapes;
}

describe('marks in interpolated text', () => {
  it('are shown as they are, and have no effect', () => {
    assert.equal(
      mrkdwn`${'*Big* _sale_ ~1~ `x` :tada:\n> now'}`.source,
      '∗Big∗ ˍsaleˍ ∼1∼ ˋxˋ ∶tada:\n\u00AD&gt; now',
    );
  });

  it('are unchanged in file names, ids and times', () => {
    for (const text of [
      'price_list_may.csv',
      'user_7*8',
      '+234 803 123 4567',
      '8944-1208:7',
      'at 10:30:45 or 08:00',
      'https://a.example/a_file/x~y?b=c:d.e',
      'from: nobody',
      '3 > 2',
    ]) {
      assert.equal(mrkdwn`It is ${text}.`.source, `It is ${text.replace('>', '&gt;')}.`);
    }
    assert.equal(mrkdwn`Its id is \`${'_id*:x:_'}\`.`.source, 'Its id is `_id*:x:_`.');
  });

  it('do not change the formatting of any template', () => {
    const templates: ((one: string, two: string) => Markup)[] = [
      (one) => mrkdwn`${one}`,
      (one, two) => mrkdwn`${one}: ${two}`,
      (one, two) => mrkdwn`${one}${two}:`,
      (one, two) => mrkdwn`Before ${one} and ${two}, after`,
      (one, two) => mrkdwn`*${one}* ${two}`,
      (one, two) => mrkdwn`_${one}_ · ${mrkdwn`*${two}*`}`,
      (one, two) => mrkdwn`\`${one}\` ${two}`,
      (one, two) => mrkdwn`${[mrkdwn`:x: ${one}`, two, mrkdwn`${two} ~${one}~`]}`,
    ];
    fc.assert(
      fc.property(typed, typed, fc.constantFrom(...templates), (one, two, template) => {
        const allowed = shapesIn(template('x', 'x'));
        for (const shape of shapesIn(template(one, two))) {
          assert.ok(allowed.has(shape), shape);
        }
      }),
      { numRuns: rounds(300) },
    );
  });

  it('are restored by stripMarkup', () => {
    fc.assert(
      fc.property(typed.filter(isReversible), (text) => assert.equal(stripMarkup(mrkdwn`${text}`), text)),
    );
  });
});

describe('stripped markup', () => {
  it('is the text a reader sees', () => {
    const at = new Date('2026-03-14T11:05:00Z');
    const line = mrkdwn`*Done* by ${userMention('U0AGENT')} at ${timeFor(at)}: \`id-7\` for *${'Fish & <Chips>'}*`;
    assert.equal(stripMarkup(line), 'Done by U0AGENT at 14 Mar 2026, 11:05 AM UTC: id-7 for Fish & <Chips>');
  });

  it('is the text itself if it has no marks, escaped characters included', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '<', '>', '&', ';', 'l', 't', 'm', 'p') }),
        (text) => {
          assert.equal(stripMarkup(mrkdwn`${text}`), text);
        },
      ),
    );
  });
});

describe('beginningOf', () => {
  it('is the beginning of the text in one line, never longer than the limit', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 300 }),
        fc.integer({ min: 2, max: 90 }),
        (text, limit) => {
          const shown = beginningOf(text, limit);
          const line = text.trim().replace(/\s+/g, ' ');
          assert.ok(shown.length <= limit);
          assert.ok(shown === line || line.startsWith(shown.slice(0, -1)));
          assert.doesNotMatch(shown, /\n/);
        },
      ),
    );
    const text = 'Your order A1204 is ready.\nCollect it today before 6 pm.';
    assert.equal(beginningOf(text, 40), 'Your order A1204 is ready. Collect it…');
  });
});
