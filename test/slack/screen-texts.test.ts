import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textFaults } from '../support/slack/screen-texts.ts';

const section = (text: string) => ({ type: 'section', text: { type: 'mrkdwn', text } });
const message = (...texts: string[]) => ({
  from: 'app' as const,
  request: { blocks: JSON.stringify(texts.map(section)) },
  answer: null,
});

describe('the check of every text that a test makes the app show', () => {
  it('finds banned words, codes of the system, and names of settings', () => {
    assert.match(textFaults(message('Mend this and try again.')).join(), /“Mend” \(write: fix\)/);
    assert.match(textFaults(message('No connection (ECONNREFUSED).')).join(), /a code of the system/);
    assert.match(textFaults(message('Set PROVIDER_PROFILE.')).join(), /the name of a setting/);
    assert.match(textFaults(message('Set `LIMIT_…`.')).join(), /the name of a setting/);
    assert.match(textFaults(message('Until 2026-11-28.')).join(), /timeFor/);
    assert.match(textFaults(message('At 08:00.')).join(), /timeFor/);
    assert.match(textFaults(message('∶alarm_clock∶ Soon')).join(), /an emoji as Markup/);
    assert.deepEqual(textFaults(message('28 Nov, 12:06 PM')), []);
    assert.match(textFaults(message('On DND.')).join(), /routeTitles/);
    assert.deepEqual(textFaults(message('Transactional (DND)')), []);
    assert.match(textFaults(message('Done: 36 % sent')).join(), /without a space/);
  });

  it('finds a sentence that one view shows twice', () => {
    const faults = textFaults(message('*Unconfirmed.* Nothing was sent to Ada.', 'Nothing was sent to Ada.'));
    assert.deepEqual(faults, ['twice in one view: Nothing was sent to Ada.']);
  });

  it('reads each confirmation dialog alone', () => {
    const button = (text: string) => ({ type: 'button', confirm: { text: { type: 'mrkdwn', text } } });
    const blocks = [
      { type: 'actions', elements: [button('This can’t be undone.'), button('This can’t be undone.')] },
    ];
    assert.deepEqual(textFaults({ from: 'app', request: { blocks }, answer: null }), []);
    const mended = [{ type: 'actions', elements: [button('Mend it.')] }];
    assert.equal(textFaults({ from: 'app', request: { blocks: mended }, answer: null }).length, 1);
  });

  it('reads views, errors beside fields, and answers', () => {
    const view = { type: 'modal', title: { type: 'plain_text', text: 'Whoever asks' }, blocks: [] };
    assert.equal(textFaults({ from: 'app', request: { view }, answer: null }).length, 1);
    const errors = { number: 'Correct it, and begin anew.' };
    assert.equal(
      textFaults({ from: 'slack', request: {}, answer: { response_action: 'errors', errors } }).length,
      1,
    );
  });

  it('leaves alone what users and the provider wrote', () => {
    const quotation = {
      type: 'rich_text',
      elements: [{ type: 'rich_text_quote', elements: [{ type: 'text', text: 'Mend it by itself' }] }],
    };
    assert.deepEqual(textFaults({ from: 'app', request: { blocks: [quotation] }, answer: null }), []);
    assert.deepEqual(textFaults(message('The provider says: “Request refused”.')), []);
  });
});
