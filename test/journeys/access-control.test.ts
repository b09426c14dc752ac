import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UserAction } from '../../sandbox/slack/protocol.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { signingSecret } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { json, signed, urlEncoded } from '../support/slack/signed-request.ts';

const helpOf = ({ ada, channels }: TestWorkspace): UserAction => ({
  do: 'command',
  person: ada.id,
  channel: channels.support,
  command: '/sms',
  text: 'help',
});

describe('access control', () => {
  it('rejects a bad signature and an old timestamp', async (test) => {
    const testApp = await joinTestApp(test);
    const { slack, ada } = testApp;
    const command = helpOf(testApp);
    assert.equal((await slack.forge(command, { signature: `v0=${'0'.repeat(64)}` })).status, 401);
    const tenMinutesAgo = Math.floor(Date.now() / 1000) - 600;
    assert.equal((await slack.forge(command, { timestamp: tenMinutesAgo })).status, 401);
    assert.deepEqual(ada.messages(), []);
  });

  it('rejects a right signature that is written in another way than Slack writes it', async (test) => {
    const { url } = await joinTestApp(test);
    const body = JSON.stringify({ type: 'url_verification', challenge: 'a challenge' });
    const genuine = signed(signingSecret, body, json);
    const hash = genuine['x-slack-signature']?.slice(3) ?? '';
    const statusOf = async (headers: Record<string, string>, sent = body) =>
      (await fetch(new URL('/slack/events', url()), { method: 'POST', headers, body: sent })).status;
    assert.equal(await statusOf(genuine), 200);
    for (const written of [
      `v0=${hash}=1`,
      `v0=${hash}=`,
      `v0=${hash.toUpperCase()}`,
      `v0=${hash}, v0=${hash}`,
      hash,
    ]) {
      assert.equal(await statusOf({ ...genuine, 'x-slack-signature': written }), 401, written);
    }
    // Slack's certificate check isn't signed, and does nothing.
    assert.equal(await statusOf({ 'content-type': urlEncoded }, 'ssl_check=1&token=x'), 200);
    assert.equal(await statusOf({ 'content-type': json }, '{"ssl_check":"1"}'), 401);
  });

  it('answers a request of another workspace with nothing', async (test) => {
    const testApp = await joinTestApp(test);
    const { slack, ada, provider } = testApp;
    const { answer } = await slack.forge(helpOf(testApp), { team: 'T0FOREIGN' });
    assert.ok(answer === null || answer === '', `an empty answer, not ${JSON.stringify(answer)}`);
    assert.deepEqual(ada.messages(), []);
    assert.equal(provider.arrivals.length, 0);
  });

  it('refuses a guest and a user of another organisation, with the reason', async (test) => {
    const { guy, sam, connect, provider } = await joinTestApp(test);
    await connect();
    const before = provider.arrivals.length;
    await guy.types('/sms', '+2348031234567 Hello');
    await guy.sees('isn’t open to guests');
    await sam.types('/dnd-check', '+2348031234567');
    await sam.sees('only for members of this workspace');
    assert.equal(provider.arrivals.length, before);
  });

  it('refuses help to a guest, on the first request and on later ones', async (test) => {
    const { guy, slack } = await joinTestApp(test);
    const refusals = () => guy.messages().filter(({ text }) => text.includes('isn’t open to guests'));
    for (const count of [1, 2]) {
      const { answer } = await guy.types('/sms', 'help');
      assert.equal(answer, null);
      await slack.until(() => refusals().length === count, 'a refusal');
    }
  });

  it('does nothing for a user whose lookup fails', async (test) => {
    const { slack, ada, connect } = await joinTestApp(test);
    await connect();
    slack.fault('users.info', { status: 500 });
    await ada.types('/sms');
    await ada.sees('Slack didn’t say in time who you are');
    assert.equal(ada.modal(), undefined);
  });
});
