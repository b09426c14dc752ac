import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { WebAPIRateLimitedError, WebClient } from '@slack/web-api';
import { z } from 'zod';
import { createLog } from '../../../src/lib/log.ts';
import { systemTimers, type Timers } from '../../../src/lib/time/timers.ts';
import { createBoltLogger } from '../../../src/slack/app/bolt-app.ts';
import { webClientOptions } from '../../../src/slack/client/web-client.ts';
import {
  answer,
  type Behaviour,
  closedPort,
  hangUp,
  inTurn,
  partOfAnswer,
  reset,
  silence,
  startRawServer,
} from '../../support/http/raw-server.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';

const logger = createBoltLogger(createLog('silent'));

/** Posts a message to a Slack at this port. Pauses between attempts take no time, unless `timers` are given. */
function post(port: number, timers: Timers = { ...systemTimers, sleep: async () => {} }): Promise<unknown> {
  const apiUrl = new URL(`http://127.0.0.1:${port}/api/`);
  const client = new WebClient('xoxb-1', webClientOptions({ apiUrl, logger, timers }));
  return client.chat.postMessage({ channel: 'C0SUPPORT', text: 'Hello' });
}

/** Timers that record each pause and take no time. */
function recordedPauses() {
  const pauses: number[] = [];
  const timers: Timers = {
    ...systemTimers,
    sleep: async (ms) => {
      pauses.push(ms);
    },
  };
  return { timers, pauses };
}

async function slackThat(test: TestContext, onRequest: Behaviour) {
  const server = await startRawServer({ onRequest });
  test.after(() => server.close());
  return server;
}

const accepted = answer(200, { ok: true });
const tooMany = (retryAfter: number) =>
  answer(429, { ok: false, error: 'ratelimited' }, { 'retry-after': String(retryAfter) });

const failed = z.object({ connectParams: z.object({ port: z.coerce.number() }) });

/** Calls back each time that a connection to the port is refused. */
function watchRefusals(test: TestContext, port: number, onRefusal: () => void): void {
  const channel = 'undici:client:connectError';
  const listener = (message: unknown) => {
    if (failed.parse(message).connectParams.port === port) {
      onRefusal();
    }
  };
  subscribe(channel, listener);
  test.after(() => unsubscribe(channel, listener));
}

describe('a message that may have reached Slack', { concurrency: true }, () => {
  const mishaps: [string, Behaviour][] = [
    ['the connection is closed without an answer', hangUp],
    ['the connection is reset', reset],
    ['half an answer comes', partOfAnswer(200, '{"ok":', hangUp)],
    ['Slack answers with a 500', answer(500, 'Internal error')],
    ['Slack answers with a 503', answer(503, 'Unavailable')],
    ['Slack answers with something other than JSON', answer(200, '<html>')],
  ];
  for (const [what, behaviour] of mishaps) {
    it(`is not posted again when ${what}`, async (test) => {
      const slack = await slackThat(test, behaviour);
      await assert.rejects(post(slack.port));
      assert.equal(slack.requests.length, 1);
    });
  }
});

describe('a message that Slack did not accept', { concurrency: true }, () => {
  it('is posted again if no connection was made', async (test) => {
    const port = await closedPort();
    let posts = 0;
    const slack = createServer((_, response) => {
      posts += 1;
      response.end('{"ok":true}');
    });
    test.after(() => slack.close());
    watchRefusals(test, port, () => slack.listening || slack.listen(port, '127.0.0.1'));
    await post(port, {
      ...systemTimers,
      async sleep() {
        if (!slack.listening) {
          await once(slack, 'listening');
        }
      },
    });
    assert.equal(posts, 1);
    slack.closeAllConnections();
  });

  it('is given up after three attempts if no connection can be made', async (test) => {
    const port = await closedPort();
    let refusals = 0;
    watchRefusals(test, port, () => {
      refusals += 1;
    });
    await assert.rejects(post(port), /ECONNREFUSED|fetch failed/);
    assert.equal(refusals, 3);
  });

  it('is posted again after Slack’s Retry-After if the rate was limited', async (test) => {
    const slack = await slackThat(test, inTurn(tooMany(1), accepted));
    const { timers, pauses } = recordedPauses();
    await post(slack.port, timers);
    assert.deepEqual(pauses, [1_000]);
    assert.equal(slack.requests.length, 2);
  });

  it('is given up after three attempts if the rate stays limited', async (test) => {
    const slack = await slackThat(test, tooMany(0));
    const { timers, pauses } = recordedPauses();
    await assert.rejects(post(slack.port, timers), WebAPIRateLimitedError);
    assert.deepEqual(pauses, [400, 800]);
    assert.equal(slack.requests.length, 3);
  });

  it('is given up at once if Slack’s Retry-After is too long', async (test) => {
    const slack = await slackThat(test, tooMany(60));
    await assert.rejects(post(slack.port), WebAPIRateLimitedError);
    assert.equal(slack.requests.length, 1);
  });
});

describe('a Slack that does not answer', () => {
  it('is awaited for ten seconds, and not asked again', { timeout: 60_000 }, async (test) => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    // A second lasts a tenth of one.
    test.mock.method(AbortSignal, 'timeout', (milliseconds: number) => timeout(milliseconds / 10));
    const slack = await slackThat(test, silence);
    await assert.rejects(post(slack.port), /timeout/);
    assert.equal(slack.requests.length, 1);
  });

  it('is awaited for ten seconds by Bolt’s `respond` too', async (test) => {
    const timers = steppedTimers();
    const slack = await slackThat(test, () => void timers.advance(10_000));
    const url = new URL(`http://127.0.0.1:${slack.port}/`);
    const { fetch } = webClientOptions({ apiUrl: url, logger, timers });
    assert.ok(fetch);
    await assert.rejects(fetch(url, { method: 'POST', body: '{}' }), /10000 ms/);
    assert.equal(slack.requests.length, 1);
  });
});
