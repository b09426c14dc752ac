import assert from 'node:assert/strict';
import { it } from 'node:test';
import { WebClient } from '@slack/web-api';
import { startSlack } from '../../../sandbox/slack/server.ts';
import { createWorkspaceCaches } from '../../../src/lib/workspace-caches.ts';
import { createUserNames } from '../../../src/slack/client/user-names.ts';

const botToken = 'xoxb-sandbox-1111';

it('asks for the name of a user once in ten minutes, also of one whom Slack does not know', async (test) => {
  const slack = await startSlack({
    clock: () => new Date(),
    manifestPath: new URL('../../../manifest.yml', import.meta.url).pathname,
    botToken,
    delivery: { mode: 'http', eventsUrl: () => 'http://127.0.0.1:1/', signingSecret: 'secret' },
  });
  test.after(() => slack.stop());
  let now = 0;
  const client = new WebClient(botToken, { slackApiUrl: slack.apiUrl, retryConfig: { retries: 0 } });
  const userName = createUserNames({
    clients: { for: async () => client },
    elapsed: () => now,
    caches: createWorkspaceCaches(),
  });
  const asked = () => slack.exchanges.filter(({ what }) => what === 'users.info').length;

  const names = async (workspaceId = 'T0SWITCH') => [
    await userName(workspaceId, 'U0AGENT'),
    await userName(workspaceId, 'U0GONE'),
  ];
  for (const moment of [0, 10 * 60_000 - 1]) {
    now = moment;
    assert.deepEqual(await names(), ['Ada Obi', undefined]);
  }
  assert.equal(asked(), 2);
  now += 1;
  await names();
  assert.equal(asked(), 4);
  await names('T0OTHER');
  assert.equal(asked(), 6);
});
