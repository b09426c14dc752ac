import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UserAction } from '../../sandbox/slack/protocol.ts';
import { support } from '../support/person.ts';
import { startWorkbench } from '../support/workbench.ts';

const command: UserAction = {
  do: 'command',
  person: 'U0AGENT',
  channel: support,
  command: '/sms',
  text: 'help',
};

describe('who is not to get in gets nothing', () => {
  it('turns away a bad signature and an old timestamp', async (test) => {
    const { slack, ada } = await startWorkbench(test);
    assert.equal((await slack.forge(command, { signature: `v0=${'0'.repeat(64)}` })).status, 401);
    const tenMinutesAgo = Math.floor(Date.now() / 1000) - 600;
    assert.equal((await slack.forge(command, { timestamp: tenMinutesAgo })).status, 401);
    assert.deepEqual(ada.messages(), []);
  });

  it('gives another workspace nothing', async (test) => {
    const { slack, ada, provider } = await startWorkbench(test);
    const { answer } = await slack.forge(command, { team: 'T0FOREIGN' });
    assert.ok(answer === null || answer === '', `an empty answer, not ${JSON.stringify(answer)}`);
    assert.deepEqual(ada.messages(), []);
    assert.equal(provider.arrivals.length, 0);
  });

  it('turns away a guest and a person of another organisation, and tells them why', async (test) => {
    const { guy, sam, connect, provider } = await startWorkbench(test);
    await connect();
    const before = provider.arrivals.length;
    await guy.types('/sms', '+2348031234567 Hello');
    await guy.sees('not open to guests');
    await sam.types('/dnd-check', '+2348031234567');
    await sam.sees('you belong to another one');
    assert.equal(provider.arrivals.length, before);
  });

  it('gives a guest not even help, neither at first nor when known', async (test) => {
    const { guy, slack } = await startWorkbench(test);
    const refusals = () => guy.messages().filter(({ text }) => text.includes('not open to guests'));
    for (const count of [1, 2]) {
      const { answer } = await guy.types('/sms', 'help');
      assert.equal(answer, null);
      await slack.until(() => refusals().length === count, 'a refusal');
    }
  });

  it('does nothing for a person whom Slack does not tell of', async (test) => {
    const { slack, ada, connect } = await startWorkbench(test);
    await connect();
    slack.fault('users.info', { status: 500 });
    await ada.types('/sms');
    await ada.sees('Slack did not say in time who you are');
    assert.equal(ada.modal(), undefined);
  });
});
