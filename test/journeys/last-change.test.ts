import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { replyEnv } from '../support/reports/reply-steps.ts';
import { support, wordsOf } from '../support/slack/slack-user.ts';

/** How each is opened, its title, and what is changed in it. */
const screens: readonly (readonly [presses: string[], title: string, fills: [string, string][]])[] = [
  [['Change approvals'], 'Approvals', [['Hours until a request expires', '5']]],
  [['Change one-time codes'], 'One-time codes', [['Length', '8']]],
  [['Change delivery checks'], 'Delivery checks', [['Warn about', 'Links']]],
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

  it('that cannot be saved says so in place of “Saved.”, until it is', async (test) => {
    const { grace, connect } = await joinTestApp(test);
    await connect();
    await grace.types('/switchboard');
    await grace.presses('Change one-time codes');
    await grace.fills('Length', '8');
    await grace.submits();
    await grace.seesModal('One-time codes', 'Saved.');
    await grace.fills('Length', '99');
    await grace.fills('Max attempts', '99');
    await grace.submits();
    const unsaved = /Not saved\.\*\n\*Length\*: Enter a whole number[^\n]*\n\*Max attempts\*: Enter a whole/;
    assert.doesNotMatch(wordsOf((await grace.seesModal('One-time codes', unsaved)).view), /Saved\./);
    await grace.fills('Length', '6');
    await grace.submits();
    const left = wordsOf((await grace.seesModal('One-time codes', /Not saved\.\*\n\*Max attempts/)).view);
    assert.doesNotMatch(left, /\*Length/);
    await grace.fills('Max attempts', '3');
    await grace.submits();
    assert.doesNotMatch(wordsOf((await grace.seesModal('One-time codes', 'Saved.')).view), /Not saved/);
  });

  it('has fields and a Save, or links to other pages', async (test) => {
    const { grace, connect } = await joinTestApp(test, { env: replyEnv });
    await connect();
    await grace.types('/switchboard');
    const { view } = await grace.seesModal('Switchboard');
    const linked = [...JSON.stringify(view).matchAll(/"accessibility_label":"([^"]+)"/g)].map(
      ([, label = '']) => label,
    );
    assert.ok(linked.length > 8, linked.join());
    for (const label of linked) {
      await grace.presses(label);
      const shown = grace.modal()?.view ?? assert.fail(label);
      const isForm = JSON.stringify(shown).includes('"type":"input"');
      const buttons = [...JSON.stringify(shown.blocks).matchAll(/"type":"button"/g)].length;
      assert.ok(!isForm || buttons === 0, `${label}: ${wordsOf(shown)}`);
      assert.equal(isForm, shown.submit !== undefined, label);
      await grace.closes();
      await grace.types('/switchboard');
      await grace.seesModal('Switchboard');
    }
  });
});
