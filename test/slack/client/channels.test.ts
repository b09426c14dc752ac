import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WebClient } from '@slack/web-api';
import { startSlack } from '../../../sandbox/slack/server.ts';
import { noOthers } from '../../../src/lib/broadcast.ts';
import { createLog } from '../../../src/lib/log.ts';
import { createWorkspaceCaches } from '../../../src/lib/workspace-caches.ts';
import { createChannels } from '../../../src/slack/client/channels.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';

const workspace = 'T0SWITCH';
const campaigns = 'C0CAMPAIGNS';
const botToken = 'xoxb-sandbox-1111';

async function start(test: { after(end: () => Promise<void>): void }) {
  const slack = await startSlack({
    clock: () => new Date(),
    manifestPath: new URL('../../../manifest.yml', import.meta.url).pathname,
    botToken,
    delivery: { mode: 'http', eventsUrl: () => 'http://127.0.0.1:1/', signingSecret: 'secret' },
  });
  test.after(() => slack.stop());
  let now = 0;
  const timers = steppedTimers({});
  const client = new WebClient(botToken, { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } });
  const channels = createChannels({
    broadcast: noOthers,
    clients: { for: async () => client },
    caches: createWorkspaceCaches(),
    elapsed: () => now,
    timers,
    log: createLog('silent'),
  });
  const asked = () => slack.exchanges.filter(({ what }) => what === 'conversations.info').length;
  return {
    slack,
    channels,
    timers,
    asked,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe('what is known of a channel', () => {
  it('is asked for once by any number of callers, and again after 30 seconds or on demand', async (test) => {
    const { channels, asked, pass } = await start(test);
    assert.equal(channels.known(workspace, campaigns), undefined);
    const expected = { kind: 'not_member', canJoin: true };
    const both = await Promise.all([
      channels.check(workspace, campaigns),
      channels.check(workspace, campaigns),
    ]);
    assert.deepEqual(both, [expected, expected]);
    pass(29_999);
    await channels.check(workspace, campaigns);
    assert.equal(asked(), 1);
    pass(1);
    await channels.check(workspace, campaigns);
    assert.equal(asked(), 2);
    channels.forget(workspace, campaigns);
    assert.deepEqual(
      channels.known(workspace, campaigns),
      expected,
      'what was known is shown until Slack has answered',
    );
    await channels.check(workspace, campaigns);
    assert.equal(asked(), 3);
  });

  it('is kept for each workspace: a channel that two share may have the app of one only', async (test) => {
    const { channels, asked } = await start(test);
    await channels.join(workspace, campaigns);
    assert.equal(channels.known('T0OTHER', campaigns), undefined);
    await channels.check('T0OTHER', campaigns);
    assert.equal(asked(), 1);
  });

  it('is asked for again after a change, and no answer from before the change replaces what is known', async (test) => {
    const { slack, channels, asked } = await start(test);
    const early = slack.hold('conversations.info');
    const before = channels.check(workspace, campaigns);
    await early.arrived;
    channels.forget(workspace, campaigns);
    const after = channels.check(workspace, campaigns);
    await channels.join(workspace, campaigns);
    early.release();
    await Promise.all([before, after]);
    assert.equal(asked(), 2);
    assert.deepEqual(channels.known(workspace, campaigns), { kind: 'member', joined: true });
  });

  it('is what was known last while Slack is silent', async (test) => {
    const { slack, channels, timers, asked } = await start(test);
    slack.fault('conversations.info', { hang: true });
    const waiting = channels.check(workspace, campaigns);
    await slack.until(() => asked() === 1, 'a call');
    await timers.advance(1_500);
    assert.deepEqual(await waiting, { kind: 'unknown' });
  });

  for (const [error, kind] of [
    ['channel_not_found', 'not_visible'],
    ['is_archived', 'archived'],
    ['missing_scope', 'unknown'],
    ['internal_error', 'unknown'],
  ] as const) {
    it(`is “${kind}” after ${error}`, async (test) => {
      const { slack, channels } = await start(test);
      slack.fault('conversations.info', { error });
      assert.equal((await channels.check(workspace, campaigns)).kind, kind);
    });
  }

  it('is that the app is in it after it joined, and that it cannot join where Slack does not let it', async (test) => {
    const { slack, channels } = await start(test);
    slack.fault('conversations.join', { error: 'missing_scope' });
    await channels.join(workspace, campaigns);
    assert.deepEqual(channels.known(workspace, campaigns), { kind: 'not_member', canJoin: false });
    await channels.join(workspace, campaigns);
    assert.deepEqual(channels.known(workspace, campaigns), { kind: 'member', joined: true });
    channels.forget(workspace, campaigns);
    assert.deepEqual(await channels.check(workspace, campaigns), { kind: 'member' });
  });
});
