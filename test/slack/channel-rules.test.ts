import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { channelFaults } from '../support/slack/channel-rules.ts';

const posted = (request: Record<string, string>, what = 'chat.postMessage') =>
  channelFaults({ from: 'app', what, request, answer: { ok: true } });

describe('what every journey holds the app’s messages to', () => {
  it('is that a message in a channel names who asked for it', () => {
    const blocks = JSON.stringify([
      { type: 'section', text: { type: 'mrkdwn', text: 'Sent by <@U0AGENT>' } },
    ]);
    assert.deepEqual(posted({ channel: 'C0SUPPORT', text: 'sent', blocks }), []);
    const rich = JSON.stringify([{ type: 'rich_text', elements: [{ type: 'user', user_id: 'U0AGENT' }] }]);
    assert.deepEqual(posted({ channel: 'C0SUPPORT', text: 'sent', blocks: rich }), []);
    assert.equal(posted({ channel: 'C0SUPPORT', text: 'sent' }).length, 1);
    assert.equal(posted({ channel: 'G0SECRET', text: 'sent' }, 'chat.update').length, 1);
    assert.equal(posted({ channel_id: 'C0SUPPORT' }, 'files.completeUploadExternal').length, 1);
    assert.deepEqual(posted({ channel: 'D0ADA', text: 'only you' }), []);
  });

  it('is that nothing notifies everybody', () => {
    assert.equal(posted({ channel: 'D0ADA', text: 'Look, <!channel>' }).length, 1);
    assert.deepEqual(posted({ channel: 'D0ADA', text: 'Look, &lt;!channel&gt;' }), []);
  });

  it('is that a response to a command is for one person', () => {
    const respond = (response_type: string) =>
      channelFaults({ from: 'slack', what: '/sms', request: {}, answer: { response_type, text: 'x' } });
    assert.deepEqual([respond('ephemeral').length, respond('in_channel').length], [0, 1]);
  });
});
