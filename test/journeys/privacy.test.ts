import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { assertNothingPrivate, startTestApp } from '../support/app/test-app.ts';
import { compose } from '../support/campaigns.ts';
import { readDataFiles } from '../support/privacy/data-files.ts';
import { leaksAtRest, leaksToSlack } from '../support/privacy/leaks.ts';
import { support } from '../support/slack/slack-user.ts';
import { review } from '../support/slack/sms-steps.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('privacy', () => {
  it('leaves no key, number or text in plain text on disk or in the log', async (test) => {
    const folder = temporaryFolder(test);
    const text = 'Your parcel 7F3K waits at the green gate';
    const { ada, slack, provider, connect, log } = await startTestApp(test, { dataDir: folder });
    await connect();
    for (const to of ['+2348031234567', '+2348030009400', '+2348030009003', '+2348030009500']) {
      await review(ada, { to, text });
      await ada.seesModal('Message review');
      await ada.submits();
      await ada.seesModal(/^Message (?:sent|rejected|not sent|unconfirmed)$/);
    }
    slack.fault('views.open', { error: 'unknown_method' });
    await ada.types('/sms', '+2348031234567');
    await ada.sees('Something went wrong');

    const secrets = [provider.account.key, '2348031234567', '8031234567', '2348030009400', text];
    assert.equal(provider.record.length, 2);
    assertNothingPrivate(log(), secrets);
    for (const { path, bytes } of readDataFiles(folder)) {
      for (const secret of secrets) {
        assert.ok(!bytes.includes(secret), `${path} holds ${secret}`);
      }
    }
  });

  it('finds what lies in the clear, in the log, in a file and in what Slack is sent', (test) => {
    const dataDir = temporaryFolder(test);
    const [key, number, text] = ['a-key-of-the-provider', '2348031234567', 'Ẹ kú àárọ̀, Ada'];
    const secrets = { keys: [key], personal: [number, text, 'Hello'] };
    assert.deepEqual(leaksAtRest({ ...secrets, log: '{"count":2348031234568,"msg":"Hello"}', dataDir }), []);
    writeFileSync(join(dataDir, 'some.db'), `\0${text}\0+${number}\0`);
    assert.deepEqual(leaksAtRest({ ...secrets, log: `{"key":"${key}"}`, dataDir }), [
      `the log holds ${key} in the clear`,
      `${join(dataDir, 'some.db')} holds ${number} in the clear`,
      `${join(dataDir, 'some.db')} holds ${text} in the clear`,
    ]);
    const exchange = { id: '', at: '', what: '', status: 200, milliseconds: 1 };
    const sent = {
      ...exchange,
      from: 'app',
      to: 'slack',
      request: { text: `Your ${key}` },
      answer: {},
    } as const;
    assert.deepEqual(leaksToSlack(sent, [key]), [`Slack was sent ${key}`]);
    assert.deepEqual(leaksToSlack({ ...sent, from: 'slack', to: 'app' }, [key]), []);
  });

  it('masks numbers in a channel: of a check, of a send, and in the provider’s message', async (test) => {
    const folder = temporaryFolder(test);
    const { ada, grace, provider, connect } = await startTestApp(test, { dataDir: folder });
    await connect();
    await ada.types('/dnd-check');
    await ada.fills('Phone numbers', '+2348031234567');
    await ada.fills('Who sees the result', 'In a channel');
    await ada.fills('Channel', support);
    await ada.submits();
    const report = await grace.sees(/\+234803•••4567[\s\S]*Checked by/);

    const fault = { kind: 'status', status: 400, message: 'The number 0803 123 4567 is barred' } as const;
    provider.orderFault({ operation: 'messages.send', fault });
    await ada.types('/sms');
    await ada.fills('To', '+2348031234567');
    await ada.fills('Sender ID', 'PalmMarket');
    await ada.fills('Message', 'Hello');
    await ada.fills('Who sees the result', 'In a channel');
    await ada.fills('Channel', support);
    await ada.submits();
    await ada.seesModal('Message review');
    await ada.submits();
    const outcome = await grace.sees(/\+234803•••4567[\s\S]*The number ••• is barred[\s\S]*Sent by/);

    for (const message of [report, outcome]) {
      assert.equal(message.channel, support);
      assert.doesNotMatch(JSON.stringify(message), /123[^\d]?4567/);
    }
    for (const { path, bytes } of readDataFiles(folder)) {
      assert.ok(!bytes.includes('123 4567'), `${path} holds the number`);
    }
  });

  it('masks a number in the name of a campaign in a channel, also in what a notification shows', async (test) => {
    const { ada, connect } = await startTestApp(test);
    await connect();
    await compose(ada, { pasted: '+2348031234567', name: 'Refund 0803 123 4568' });
    await ada.seesModal('Campaign review');
    await ada.fills('Start', 'Schedule');
    await ada.fills('Date', '2077-07-05');
    await ada.fills('Time', '11:00');
    await ada.fills('Post progress to', 'A channel');
    await ada.fills('Channel', support);
    await ada.submits();
    const scheduled = await ada.sees('*Scheduled for');
    await ada.closes();
    await ada.presses('Edit');
    await ada.seesModal('Edit campaign');
    await ada.submits();
    const unscheduled = await ada.sees('*No longer scheduled.*');
    for (const message of [scheduled, unscheduled]) {
      assert.equal(message.channel, support);
      assert.match(message.text, /^\*?Refund •••/);
      assert.doesNotMatch(JSON.stringify(message), /123 ?4568/);
    }
  });

  it('shows an unexpected fault with an id that the log has too', async (test) => {
    const { ada, slack, connect, log } = await joinTestApp(test);
    await connect();
    slack.fault('views.open', { error: 'unknown_method' });
    await ada.types('/sms');
    const shown = await ada.sees('Something went wrong');
    const fault = /ref `([0-9a-f]{8})`/.exec(JSON.stringify(shown))?.[1];
    assert.ok(fault !== undefined && log().includes(`"fault":"${fault}"`));
  });
});
