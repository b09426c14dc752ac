import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import type { Snapshot, UserAction } from '../../../slack/protocol.ts';
import { channel, person, recording } from '../recorder.ts';

const hello: UserAction = { do: 'message', person, channel, text: 'Hello' };

const asJson = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Returns the status for a `Host` header, which fetch cannot set. */
async function statusFor(url: string, host: string): Promise<number | undefined> {
  return await new Promise((resolve, reject) => {
    request(`${url}/sandbox/state`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe('The page', () => {
  it('performs an action and reads the state', async () => {
    await using probe = await recording();
    const { url } = probe.slack;
    const response = await fetch(`${url}/sandbox/actions`, asJson(hello));
    assert.deepEqual([response.status, (await response.json()).status], [200, 0]);
    const state: Snapshot = await (await fetch(`${url}/sandbox/state?person=${person}`)).json();
    assert.equal(state.messages.at(-1)?.text, 'Hello');
    assert.deepEqual(state, probe.slack.snapshot(person));
  });

  it('has the names of the public channels that a person has not joined', async () => {
    await using probe = await recording();
    assert.deepEqual(probe.slack.snapshot(person).otherChannels, []);
    assert.deepEqual(probe.slack.snapshot('U0GUEST').otherChannels, [
      { id: 'C0CAMPAIGNS', name: 'campaigns' },
    ]);
  });

  it('receives an error for a wrong action', async () => {
    await using probe = await recording();
    const { url } = probe.slack;
    for (const action of [
      { ...hello, channel: 'C0NONE' },
      { do: 'fly', person },
      { do: 'submit', person },
      'x',
    ]) {
      const response = await fetch(`${url}/sandbox/actions`, asJson(action));
      assert.equal(response.status, 400);
      assert.equal(typeof (await response.json()).error, 'string');
    }
  });

  it('receives an event for each change', async () => {
    await using probe = await recording();
    const response = await fetch(`${probe.slack.url}/sandbox/events`);
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    const reader = response.body?.getReader();
    const next = async () => new TextDecoder().decode((await reader?.read())?.value);
    assert.match(await next(), /^event: change\n/);
    await probe.slack.perform(hello);
    assert.match(await next(), /^event: change\n/);
    await reader?.cancel();
  });

  it('refuses requests from another origin or for another host name', async () => {
    await using probe = await recording();
    const { url, port } = probe.slack;
    const foreign = {
      ...asJson(hello),
      headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
    };
    assert.equal((await fetch(`${url}/sandbox/actions`, foreign)).status, 403);
    const form = { method: 'POST', body: JSON.stringify(hello) };
    assert.equal((await fetch(`${url}/sandbox/actions`, form)).status, 415);
    assert.equal(await statusFor(url, 'evil.example'), 403);
    assert.equal(await statusFor(url, `localhost:${port}`), 200);
    assert.deepEqual(probe.slack.snapshot(person).messages, []);
  });

  it('is served by the `page` handler', async () => {
    await using probe = await recording(undefined, {
      page: (_request, response) => void response.end('<title>Sandbox</title>'),
    });
    assert.equal(await (await fetch(probe.slack.url)).text(), '<title>Sandbox</title>');
  });
});
