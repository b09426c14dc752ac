import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { WebClient } from '@slack/web-api';
import { WebSocket } from 'ws';
import { isJsonObject, type JsonObject } from '../../../lib/json.ts';
import { startSlack } from '../../../slack/server.ts';
import { appToken, botToken, manifestPath, overHttp, overSocket, signingSecret } from '../app-under-test.ts';
import { channel, commanded, person, recording } from '../recorder.ts';

const command = { do: 'command', person, channel, command: '/probe', text: 'once' } as const;

describe('A forged request', () => {
  for (const [what, forgery] of [
    ['a bad signature', { signature: `v0=${'0'.repeat(64)}` }],
    ['a timestamp of six minutes ago', { timestamp: Math.floor(Date.now() / 1000) - 360 }],
  ] as const) {
    it(`with ${what} is sent and refused by Bolt`, async () => {
      await using probe = await recording();
      const result = await probe.slack.forge(command, forgery);
      assert.equal(result.status, 401);
      assert.deepEqual(probe.bodies, []);
    });
  }

  it('from another workspace is signed validly and names that workspace everywhere', async () => {
    await using probe = await recording();
    const result = await probe.slack.forge(command, { team: 'T0FOREIGN' });
    assert.equal(result.status, 200);
    assert.equal(probe.last().team_id, 'T0FOREIGN');
    assert.doesNotMatch(JSON.stringify(probe.last()), /T0SWITCH/);
  });

  it('by a person of another workspace differs only in the workspace of the person', async () => {
    await using probe = await recording();
    const shortcut = { do: 'shortcut', person, callbackId: 'probe_global' } as const;
    await probe.slack.forge(shortcut, { personTeam: 'T0FOREIGN' });
    assert.partialDeepStrictEqual(probe.last(), {
      team: { id: 'T0SWITCH' },
      user: { id: person, team_id: 'T0FOREIGN' },
    });
    await assert.rejects(probe.slack.forge(command, { personTeam: 'T0FOREIGN' }), /does not say/);
  });
});

describe('A request delivered again', () => {
  it('is identical and has the retry headers over HTTP', async () => {
    const seen: { body: string; retry: unknown; signature: unknown }[] = [];
    const server = createServer(async (request, response) => {
      const chunks = await Array.fromAsync(request);
      const { 'x-slack-retry-num': retry, 'x-slack-signature': signature } = request.headers;
      seen.push({ body: chunks.join(''), retry, signature });
      response.end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = isJsonObject(address) ? address.port : 0;
    const eventsUrl = `http://127.0.0.1:${port}/slack/events`;
    const slack = await startSlack({
      manifestPath,
      botToken,
      delivery: { mode: 'http', eventsUrl, signingSecret },
    });
    await slack.perform(command);
    await slack.redeliver();
    await slack.redeliver();
    assert.deepEqual(
      seen.map(({ retry }) => retry),
      [undefined, '1', '2'],
    );
    assert.equal(new Set(seen.map(({ body }) => body)).size, 1);
    await slack.stop();
    server.close();
    server.closeAllConnections();
  });

  it('has the same trigger and content over both transports', async () => {
    for (const start of [overHttp, overSocket]) {
      await using probe = await recording(start);
      await probe.slack.perform(command);
      await probe.slack.sendEvent({ type: 'app_uninstalled' });
      await probe.slack.redeliver('command');
      probe.bodies.splice(1, 1);
      assert.equal(probe.bodies.length, 2);
      assert.deepEqual(probe.bodies[0], probe.bodies[1]);
    }
  });
});

describe('An event', () => {});

describe('Socket Mode', () => {
  it('reconnects an app after a cut or a refresh', async () => {
    await using probe = await recording(overSocket);
    for (const how of ['cut', 'refresh'] as const) {
      const opened = () =>
        probe.slack.exchanges.filter(({ what }) => what === 'apps.connections.open').length;
      const before = opened();
      probe.slack.dropSockets(how);
      await probe.slack.until(() => opened() > before, 'the app to ask for another socket');
      await probe.slack.until(() => probe.slack.sockets === 1, 'the app to be back');
      assert.equal((await probe.slack.perform(command)).status, 200);
    }
  });

  it('spreads requests over the sockets of an app', async () => {
    const slack = await startSlack({ manifestPath, botToken, appToken, delivery: { mode: 'socket' } });
    const client = new WebClient(appToken, { slackApiUrl: slack.apiUrl });
    const counts = [0, 0];
    const sockets = await Promise.all(
      counts.map(async (_, index) => {
        const { url = '' } = await client.apps.connections.open({});
        const socket = new WebSocket(url);
        socket.on('message', (data) => {
          const envelope: JsonObject = JSON.parse(String(data));
          if (envelope.type === 'hello') {
            return;
          }
          counts[index] = (counts[index] ?? 0) + 1;
          socket.send(JSON.stringify({ envelope_id: envelope.envelope_id }));
        });
        await once(socket, 'open');
        return socket;
      }),
    );
    await slack.until(() => slack.sockets === 2, 'both sockets');
    for (let n = 0; n < 4; n += 1) {
      await slack.perform(command);
    }
    assert.deepEqual(counts, [2, 2]);
    for (const socket of sockets) {
      socket.close();
    }
    await slack.stop();
  });

  it('fails to dispatch when no socket is open', async () => {
    const slack = await startSlack({ manifestPath, botToken, appToken, delivery: { mode: 'socket' } });
    const { trouble } = await slack.perform(command);
    assert.equal(trouble, '/probe failed with the error "dispatch_failed"');
    await slack.stop();
  });

  it('opens a socket for a ticket once', async () => {
    const slack = await startSlack({ manifestPath, botToken, appToken, delivery: { mode: 'socket' } });
    const { url = '' } = await new WebClient(appToken, { slackApiUrl: slack.apiUrl }).apps.connections.open(
      {},
    );
    const socket = new WebSocket(url);
    await once(socket, 'open');
    for (const stale of [url, `${slack.url.replace('http', 'ws')}/link/`]) {
      const [error] = await once(new WebSocket(stale), 'error');
      assert.match(String(error), /403/);
    }
    socket.close();
    await slack.stop();
  });
});

describe('The record of exchanges', () => {
  it('has each request with its answer, without tokens', async () => {
    await using probe = await recording();
    probe.answerWith(`my token is ${botToken}`);
    await commanded(probe);
    await probe.app.client.chat.postMessage({ channel, text: `secret ${signingSecret}, other xoxb-12-ab` });
    const [sent, called] = probe.slack.exchanges.slice(-2);
    assert.deepEqual(
      [sent?.from, sent?.to, sent?.what, sent?.status],
      ['slack', 'app', 'POST /slack/events (command /probe)', 200],
    );
    assert.deepEqual([called?.from, called?.what], ['app', 'chat.postMessage']);
    assert.doesNotMatch(
      JSON.stringify(probe.slack.exchanges),
      /xoxb-sandbox|xapp-sandbox|signing-secret|xoxb-12/,
    );
  });
});
