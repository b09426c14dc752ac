import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestApp } from '../support/app/test-app.ts';
import { replyEnv } from '../support/reports/reply-steps.ts';
import { support, wordsOf } from '../support/slack/slack-user.ts';

/** How each is opened, its title, and what is changed in it. */
const screens: readonly (readonly [presses: string[], title: string, fills: [string, string][]])[] = [
  [['Change approvals'], 'Approvals', [['Hours until a request expires', '5']]],
  [['Change one-time codes'], 'One-time codes', [['Length', '8']]],
  [['Change delivery checks'], 'Delivery checks', [['Warn about', 'Links']]],
  [['Change limits'], 'Limits', [['Pages a day', '1,000']]],
  [['Change replies'], 'Replies', [['Extra opt-out keywords', 'HALT']]],
  [
    ['Change alerts'],
    'Alerts',
    [
      ['Alerts', 'Post alerts to a channel'],
      ['Channel', support],
      ['Balance below', '5,000'],
    ],
  ],
];

describe('a screen of settings', () => {
  it('says who changed them last, and not who changed others', async (test) => {
    const { grace, connect } = await startTestApp(test, { env: replyEnv });
    await connect();
    for (const [presses, title, fills] of screens) {
      await grace.types('/switchboard');
      await grace.seesModal('Switchboard');
      for (const button of presses) {
        await grace.presses(button);
      }
      const { view } = await grace.seesModal(title);
      assert.doesNotMatch(wordsOf(view), /Changed by/);
      for (const [field, value] of fills) {
        await grace.fills(field, value);
      }
      await grace.submits();
      await grace.seesModal(title, /Saved\..*Changed by <@U\w+>, /s);
    }
  });
});
