import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { WebClient } from '@slack/web-api';
import { noOthers } from '../../../../src/lib/broadcast.ts';
import { createLog } from '../../../../src/lib/log.ts';
import { createBotTokens, type RefreshedTokens } from '../../../../src/slack/app/installations/bot-tokens.ts';
import { createLeases } from '../../../../src/slack/app/installations/leases.ts';
import { createServingInstallations } from '../../../../src/slack/app/installations/serving-installations.ts';
import type { SlackInstallation } from '../../../../src/store/workspaces/slack-installations.ts';
import { advanceUntil, type SteppedTimers, steppedTimers } from '../../../support/stepped-timers.ts';
import { onlyOn } from '../../../support/store/databases.ts';
import { temporaryStore } from '../../../support/store/temporary-store.ts';
import { type MovedClock, stoppedClock } from '../../../support/time/test-clock.ts';

const hour = 60 * 60_000;
const workspace = 'T0HARBOR';

/** Slack's side of rotation: each refresh token is good once. */
function rotatingSlack(options: { answers?: () => Promise<void> } = {}) {
  const tokens = new Map([['refresh-1', 'token-1']]);
  let issued = 1;
  const used: string[] = [];
  return {
    used,
    issued: () => issued,
    async refresh(refreshToken: string): Promise<RefreshedTokens> {
      used.push(refreshToken);
      await options.answers?.();
      if (!tokens.delete(refreshToken)) {
        throw await invalidRefreshToken();
      }
      issued += 1;
      tokens.set(`refresh-${issued}`, `token-${issued}`);
      return { token: `token-${issued}`, refreshToken: `refresh-${issued}`, validForMs: 12 * hour };
    },
  };
}

/** The error of Slack's client for Slack's answer. */
async function invalidRefreshToken(): Promise<unknown> {
  const body = JSON.stringify({ ok: false, error: 'invalid_refresh_token' });
  const client = new WebClient(undefined, {
    fetch: async () => new Response(body, { headers: { 'content-type': 'application/json' } }),
  });
  return client.apiCall('oauth.v2.access').catch((error: unknown) => error);
}

async function start(test: TestContext, slack = rotatingSlack(), instances = 1) {
  const moved = stoppedClock();
  const { clock: time } = moved;
  const store = await temporaryStore(test, { time });
  const timers = steppedTimers();
  const installation: SlackInstallation = {
    ownerId: workspace,
    isEnterpriseWide: false,
    name: 'Harbor',
    token: 'token-1',
    refreshToken: 'refresh-1',
    expiresAt: time.now().getTime() + 12 * hour,
    scopes: [],
    botId: 'B1',
    botUserId: 'U1',
    installedBy: 'U2',
    installedAt: time.now().getTime(),
  };
  await store.slackInstallations.save(installation);
  const lines: string[] = [];
  const log = createLog('info', { write: (line: string) => void lines.push(line) });
  const closing = new AbortController();
  const all = Array.from({ length: instances }, () => {
    const context = { store, time, timers, broadcast: noOthers, log };
    return createBotTokens(context, {
      serving: createServingInstallations(context),
      leases: createLeases(context),
      refresh: slack.refresh,
      closing: closing.signal,
    });
  });
  const [tokens = assert.fail()] = all;
  const tokenOf = async (which = tokens) => (await which.of(workspace)).token;
  return { ...moved, store, timers, all, tokens, tokenOf, slack, lines };
}

/** Lets timers and the clock go on together until a promise settles. */
const pass = (timers: SteppedTimers, clock: MovedClock, ms: number) => async () => {
  clock.pass(ms);
  await timers.advance(ms);
};

describe('a bot token', () => {
  it('is the stored one until two hours before its end', async (test) => {
    const { tokenOf, slack, pass: go } = await start(test);
    go(10 * hour - 1);
    assert.equal(await tokenOf(), 'token-1');
    assert.deepEqual(slack.used, []);
  });

  it('serves while it is refreshed in the background, and then the new one does', async (test) => {
    const { tokens, tokenOf, slack, pass: go } = await start(test);
    go(10 * hour);
    assert.equal(await tokenOf(), 'token-1', 'nobody waits');
    await tokens.settled();
    assert.equal(await tokenOf(), 'token-2');
    assert.deepEqual(slack.used, ['refresh-1']);
  });

  it('is refreshed exactly once for many callers of several instances over its end, and none is refused', async (test) => {
    const begun = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const slack = rotatingSlack({
      answers: async () => {
        begun.resolve();
        await answer.promise;
      },
    });
    const { all, tokenOf, timers, store: _, ...moved } = await start(test, slack, 3);
    moved.pass(13 * hour);
    const calls = Promise.all(all.flatMap((tokens) => Array.from({ length: 50 }, () => tokenOf(tokens))));
    await begun.promise;
    answer.resolve();
    const answers = await advanceUntil(calls, pass(timers, moved, 100));
    assert.deepEqual(new Set(answers), new Set(['token-2']));
    assert.equal(answers.length, 150);
    assert.deepEqual(slack.used, ['refresh-1'], 'one refresh');
  });

  const byTestClock = onlyOn('sqlite', 'on PostgreSQL a lease goes by the clock of the database');

  it(
    'is refreshed by another instance once the lease of one that stopped has ended',
    byTestClock,
    async (test) => {
      const { store, tokenOf, timers, slack, ...moved } = await start(test);
      moved.pass(13 * hour);
      await store.slackInstallations.takeLease(workspace, { holder: 'stopped', ms: 5_000 });
      const token = await advanceUntil(tokenOf(), pass(timers, moved, 500));
      assert.equal(token, 'token-2');
      assert.deepEqual(slack.used, ['refresh-1']);
    },
  );
});

describe('a refresh that fails', () => {
  it('is tried again after half a minute, while the present token serves', async (test) => {
    let isDown = true;
    const rotating = rotatingSlack();
    const slack = {
      ...rotating,
      refresh: async (refreshToken: string) => {
        if (isDown) {
          rotating.used.push('down');
          throw new Error('Slack is out of reach');
        }
        return rotating.refresh(refreshToken);
      },
    };
    const { tokens, tokenOf, pass: go } = await start(test, slack);
    go(11 * hour);
    for (let call = 0; call < 5; call += 1) {
      assert.equal(await tokenOf(), 'token-1');
      await tokens.settled();
    }
    assert.deepEqual(rotating.used, ['down']);
    isDown = false;
    go(30_000);
    await tokenOf();
    await tokens.settled();
    assert.equal(await tokenOf(), 'token-2');
  });

  it('for good is logged once and never repeated: the token serves to its end, until another installation', async (test) => {
    const { tokens, tokenOf, store, slack, lines, pass: go } = await start(test);
    // Slack’s answer to the first was lost, as in a crash before it was stored.
    await slack.refresh('refresh-1');
    go(11 * hour);
    for (let call = 0; call < 5; call += 1) {
      assert.equal(await tokenOf(), 'token-1');
      await tokens.settled();
    }
    assert.equal(slack.used.length, 2, 'the lost one, and the refused one');
    assert.equal(lines.filter((line) => line.includes('has to be installed again')).length, 1);
    go(2 * hour);
    await assert.rejects(tokenOf(), /not installed/);
    assert.equal(slack.used.length, 2);
    const present = await store.slackInstallations.find(workspace);
    assert.equal(present?.isRefreshRefused, true);
  });

  it('for good, as another instance has refreshed meanwhile, leaves what that one has', async (test) => {
    const stoodStill = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const rotating = rotatingSlack();
    let isFirst = true;
    const slack = {
      ...rotating,
      async refresh(refreshToken: string) {
        if (isFirst) {
          isFirst = false;
          begun.resolve();
          await stoodStill.promise;
        }
        return rotating.refresh(refreshToken);
      },
    };
    const { all, tokenOf, store, pass: go } = await start(test, slack, 2);
    const [paused = assert.fail(), other = assert.fail()] = all;
    go(11 * hour);
    await tokenOf(paused);
    await begun.promise;
    // Its lease has passed on by the time it goes on.
    await store.db.deleteFrom('slackLease').execute();
    await tokenOf(other);
    await other.settled();
    stoodStill.resolve();
    await paused.settled();
    const present = await store.slackInstallations.find(workspace);
    assert.deepEqual([present?.refreshToken, present?.isRefreshRefused], ['refresh-2', undefined]);
    go(2 * hour);
    assert.equal(await tokenOf(paused), 'token-2');
  });

  it('by the disk is not lost: the new pair is stored as soon as that succeeds', async (test) => {
    const { store, tokens, tokenOf, timers, ...moved } = await start(test);
    const { save } = store.slackInstallations;
    let failures = 2;
    store.slackInstallations.save = async (installation) => {
      if (failures > 0) {
        failures -= 1;
        throw new Error('the disk is full');
      }
      await save(installation);
    };
    moved.pass(11 * hour);
    assert.equal(await tokenOf(), 'token-1');
    await advanceUntil(tokens.settled(), pass(timers, moved, 500));
    assert.equal(await tokenOf(), 'token-2');
    assert.equal((await store.slackInstallations.find(workspace))?.refreshToken, 'refresh-2');
  });

  it('does not replace the tokens of an installation that was made meanwhile', async (test) => {
    const begun = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const slack = rotatingSlack({
      answers: async () => {
        begun.resolve();
        await answer.promise;
      },
    });
    const { store, tokens, tokenOf, pass: go } = await start(test, slack);
    go(11 * hour);
    await tokenOf();
    await begun.promise;
    const present = (await store.slackInstallations.find(workspace)) ?? assert.fail();
    await store.slackInstallations.save({ ...present, token: 'again', installedAt: present.installedAt + 1 });
    answer.resolve();
    await tokens.settled();
    assert.equal((await store.slackInstallations.find(workspace))?.token, 'again');
  });
});
