import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkMessage } from '../../../sandbox/slack/block-kit/surfaces.ts';
import { forReaders } from '../../../src/slack/block-kit/message.ts';
import { rounds } from '../../support/sizes.ts';
import { assertSlackAccepts } from '../../support/slack/assert-slack-accepts.ts';
import { plainWords, type Screen, wildWords } from '../../support/slack/example-words.ts';
import { textFaults } from '../../support/slack/screen-texts.ts';
import { examples } from './examples/examples.ts';

/** One text in fourteen is all `&`, and one fills a field with letters: 40 runs meet both. */
const wild = { numRuns: rounds(40) };
const plain = { numRuns: rounds(15) };

/** Messages too long for Slack are cut, and say so. */
const cutScreens = new Set(['reviewMessage', 'reportMessage', 'sharedReport']);
/** Lists say of each of their rows what they say of another like it. */
const lists = new Set(['campaignListView', 'conversationRows', 'homeView']);

describe('every screen fits within Slack’s limits and mentions nobody, whatever is written on it, and its texts keep to the rules', () => {
  for (const [feature, screensOf] of Object.entries(examples)) {
    describe(feature, () => {
      const plainScreens = screensOf(plainWords);
      for (const [name, screens] of Object.entries(screensOf(wildWords))) {
        it(name, () => {
          fc.assert(
            fc.property(screens, (screen) => assertShowable(name, screen)),
            wild,
          );
          const own = plainScreens[name] ?? assert.fail();
          fc.assert(
            fc.property(own, (screen) => assertWellWritten(name, screen)),
            plain,
          );
        });
      }
    });
  }
});

function assertShowable(name: string, screen: Screen): void {
  const sent = 'type' in screen ? screen : forReaders('person', screen);
  if ('type' in sent) {
    assertSlackAccepts(sent);
  } else {
    assert.equal(checkMessage(sent), undefined);
  }
  const shown = JSON.stringify(sent);
  assert.ok(cutScreens.has(name) || !shown.includes('did not fit'), shown);
  // Only markup can mention somebody: Slack shows plain text and typed input as they are.
  for (const [, text] of shown.matchAll(/"type":"mrkdwn","text":"((?:[^"\\]|\\.)*)"/g)) {
    assert.ok(!text?.includes('<!channel>'), text);
  }
}

function assertWellWritten(name: string, screen: Screen): void {
  const request = JSON.parse(JSON.stringify('type' in screen ? { view: screen } : screen));
  const faults = textFaults({ from: 'app', request, answer: null });
  assert.deepEqual(
    faults.filter((fault) => !lists.has(name) || !fault.startsWith('twice')),
    [],
  );
}
