import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { WebClient } from '@slack/web-api';
import { startSlack } from '../../../sandbox/slack/server.ts';
import { createLog } from '../../../src/lib/log.ts';
import { createTime } from '../../../src/lib/time.ts';
import { createBoltLogger } from '../../../src/slack/app/bolt-logger.ts';
import { section } from '../../../src/slack/block-kit/build.ts';
import { message } from '../../../src/slack/block-kit/message.ts';
import { mrkdwn } from '../../../src/slack/block-kit/text.ts';
import { createPosting } from '../../../src/slack/client/posting.ts';
import { webClientOptions } from '../../../src/slack/client/web-client.ts';
import { createNotifier } from '../../../src/slack/notifier/notifier.ts';
import { createOutcomeNotifier, type OutcomeRenderer } from '../../../src/slack/notifier/outcome-notifier.ts';
import { campaigns, oldNews, support, wordsOf } from '../../support/person.ts';
import { stoppedClock } from '../../support/stopped-clock.ts';
import { temporaryStore } from '../../support/temporary-store.ts';

const ada = 'U0AGENT';
const done = message(mrkdwn`It is done.`, [section(mrkdwn`It is done.`)]);
const wording: OutcomeRenderer = { forUser: () => done, forChannel: () => done, line: () => mrkdwn`it` };

/** An outcome that nobody was told of yet, and what tells of it. */
async function outcomeUntold(
  test: TestContext,
  channelId?: string,
  shownNumbers = async (): Promise<undefined> => undefined,
) {
  const { clock, pass } = stoppedClock();
  const slack = await startSlack({
    manifestPath: fileURLToPath(new URL('../../../manifest.yml', import.meta.url)),
    delivery: { mode: 'socket' },
    botToken: 'xoxb-1',
  });
  test.after(() => slack.stop());
  const { ledger, outbox } = await temporaryStore(test, { time: createTime(clock) });
  let logged = '';
  const log = createLog('info', {
    write: (line: string) => {
      logged += line;
    },
  });
  const client = new WebClient(
    'xoxb-1',
    webClientOptions(new URL(slack.apiUrl), createBoltLogger(createLog('silent'))),
  );
  const notifier = createOutcomeNotifier({
    posting: createPosting({ client, log }),
    ledger,
    outbox,
    log,
    outcomeRenderers: { 'sms.send': wording },
    shownNumbers,
  });
  const none = () => assert.fail('there is no such notice');
  const notify = createNotifier({
    outbox,
    log,
    deliver: {
      operation: notifier.deliver,
      campaign: none,
      campaign_news: none,
      import: none,
      restored: none,
    },
  });
  let keys = 0;
  const endOne = async (userId = ada, channelId?: string) => {
    keys += 1;
    const intent = {
      workspaceId: 'T0SWITCH',
      key: `${keys}`,
      kind: 'sms.send',
      userId,
      channelId,
      summary: {},
    };
    return (await ledger.perform(intent, async () => ({ state: 'accepted' }))).operation;
  };
  const operation = await endOne(ada, channelId);
  const told = () => slack.snapshot(ada).messages.filter(({ text }) => text.startsWith('It is done.'));
  return {
    slack,
    notifier,
    outbox,
    operation,
    endOne,
    told,
    pass,
    notify,
    /** The next round, when the request that brought it about is over. */
    async nextRound(ending?: AbortSignal) {
      pass(60_000);
      await notify(ending);
    },
    log: () => logged,
    attempts: () => slack.exchanges.filter(({ what }) => /^(chat|conversations)\./.test(what)).length,
  };
}

describe('an outcome', () => {
  it('is told once, however often and by whatever way it is asked for', async (test) => {
    const { notifier, operation, told, nextRound } = await outcomeUntold(test);
    let shown = 0;
    const show = async () => {
      shown += 1;
    };
    const answers = await Promise.all([
      notifier.notify(operation),
      notifier.notify(operation, show),
      nextRound(),
      notifier.notify(operation),
    ]);
    assert.equal(answers.filter((answer) => answer === true).length, 1);
    await nextRound();
    assert.equal(await notifier.notify(operation, show), false);
    assert.equal(told().length + shown, 1);
  });

  it('is left to the request that brought it about, for half a minute', async (test) => {
    const { told, pass, notify } = await outcomeUntold(test);
    pass(29_000);
    await notify();
    assert.deepEqual(told(), []);
    pass(1_000);
    await notify();
    assert.equal(told().length, 1);
  });

  it('is told by message where it cannot be shown where the person is', async (test) => {
    const { notifier, operation, told } = await outcomeUntold(test);
    await notifier.notify(operation, () => Promise.reject(new Error('the preview is gone')));
    assert.equal(told().length, 1);
  });

  for (const place of [undefined, support]) {
    it(`is told later where Slack has too much to do, ${place === undefined ? 'to the person' : 'in the channel'}`, async (test) => {
      const { slack, notifier, operation, told, nextRound } = await outcomeUntold(test, place);
      slack.fault('chat.postMessage', { status: 429, retryAfter: 30 });
      assert.equal(await notifier.notify(operation), false);
      assert.deepEqual(told(), []);
      await nextRound();
      const channels = told().map(({ channel }) => channel);
      assert.deepEqual(channels, [place ?? channels[0]]);
      assert.doesNotMatch(JSON.stringify(told()), /before|may or may not/);
    });
  }

  it('is told later in its channel where the numbers to show there could not be read just then', async (test) => {
    let isLocked = true;
    const { notifier, operation, told, nextRound } = await outcomeUntold(test, support, async () => {
      if (isLocked) {
        throw new Error('the database is locked');
      }
    });
    assert.equal(await notifier.notify(operation), false);
    assert.deepEqual(told(), []);
    isLocked = false;
    await nextRound();
    assert.deepEqual(
      told().map(({ channel }) => channel),
      [support],
    );
  });

  for (const error of ['user_disabled', 'user_not_found', 'user_not_visible', 'cannot_dm_bot']) {
    it(`ends with a line in the log where Slack says ${error} of its person`, async (test) => {
      const { slack, notifier, operation, told, nextRound, attempts, log } = await outcomeUntold(test);
      slack.fault('conversations.open', { error });
      assert.equal(await notifier.notify(operation), true);
      await nextRound();
      assert.deepEqual(told(), []);
      assert.equal(attempts(), 1);
      assert.equal(log().match(/a user cannot be told/g)?.length, 1);
      assert.match(log(), new RegExp(error));
    });
  }

  for (const error of ['invalid_auth', 'token_revoked', 'missing_scope', 'account_inactive']) {
    it(`waits where Slack says ${error} of the app`, async (test) => {
      const { slack, notifier, operation, told, nextRound } = await outcomeUntold(test, support);
      slack.fault('chat.postMessage', { error });
      assert.equal(await notifier.notify(operation), false);
      await nextRound();
      assert.deepEqual(
        told().map(({ channel }) => channel),
        [support],
      );
    });
  }

  it('is posted as plain text where Slack does not take its blocks', async (test) => {
    const { slack, notifier, operation, told } = await outcomeUntold(test, support);
    slack.fault('chat.postMessage', { error: 'invalid_blocks' });
    assert.equal(await notifier.notify(operation), true);
    assert.deepEqual(
      told().map(({ channel, blocks }) => [channel, blocks]),
      [[support, []]],
    );
  });

  it('says where it may stand in plain text too', async (test) => {
    const { slack, notifier, operation, told } = await outcomeUntold(test, support);
    slack.fault('chat.postMessage', { status: 503 });
    slack.fault('chat.postMessage', { error: 'invalid_blocks' });
    assert.equal(await notifier.notify(operation), true);
    const [message] = told();
    assert.deepEqual(message?.blocks, []);
    assert.match(message?.text ?? '', /may or may not stand there/);
  });

  it('is tried less and less often, and not at all by more than one round', async (test) => {
    const { slack, attempts, pass, notify } = await outcomeUntold(test);
    slack.fault('conversations.open', { status: 500, times: 100 });
    const minutes: number[] = [];
    for (let minute = 1; minute <= 300; minute += 1) {
      pass(60_000);
      const before = attempts();
      await notify();
      if (attempts() > before) {
        minutes.push(minute);
      }
    }
    assert.deepEqual(minutes, [1, 2, 3, 4, 5, 6, 8, 11, 16, 25, 43, 78, 138, 198, 258]);
  });

  it('keeps nobody waiting, though a hundred others cannot be told', async (test) => {
    const { slack, notifier, operation, endOne, told, nextRound, attempts } = await outcomeUntold(test);
    const poisoned = 100;
    for (let count = 0; count < poisoned; count += 1) {
      await endOne('U0GONE');
    }
    slack.fault('conversations.open', { error: 'internal_error', times: poisoned + 1 });
    await nextRound();
    assert.deepEqual(told(), []);
    const tried = attempts();
    assert.equal(tried, poisoned + 1);
    await endOne();
    await nextRound();
    assert.equal(told().length, 2);
    assert.equal(await notifier.notify(operation), false);
  });

  it('comes first where it failed least often, and waits for nobody whom Slack keeps waiting', async (test) => {
    const { slack, endOne, told, nextRound } = await outcomeUntold(test);
    slack.fault('conversations.open', { status: 500 });
    await nextRound();
    await endOne();
    const held = slack.hold('conversations.open');
    const round = nextRound();
    await held.arrived;
    await slack.until(() => told().length === 1, 'the other outcome');
    held.release();
    await round;
    assert.equal(told().length, 2);
  });

  it('is left to the next start where the program is to stop', async (test) => {
    const { told, nextRound } = await outcomeUntold(test);
    await nextRound(AbortSignal.abort());
    assert.deepEqual(told(), []);
    await nextRound();
    assert.equal(told().length, 1);
  });

  it('is told later where Slack is out of reach', async (test) => {
    const { slack, notifier, operation, told, nextRound } = await outcomeUntold(test);
    slack.goDown();
    assert.equal(await notifier.notify(operation), false);
    slack.comeUp();
    await nextRound();
    assert.equal(told().length, 1);
  });

  it('is told later where Slack breaks down before there is anything to say it in', async (test) => {
    const { slack, notifier, operation, told, nextRound } = await outcomeUntold(test);
    slack.fault('conversations.open', { status: 500 });
    assert.equal(await notifier.notify(operation), false);
    await nextRound();
    assert.equal(told().length, 1);
    assert.doesNotMatch(JSON.stringify(told()), /before/);
  });

  for (const after of [true, false]) {
    const taken = after ? 'took it' : 'did not take it';
    it(`is not posted again in a channel that may have it: its person hears so later, where Slack ${taken}`, async (test) => {
      const { slack, notifier, operation, told, nextRound } = await outcomeUntold(test, support);
      slack.fault('chat.postMessage', { status: 503, after });
      slack.fault('conversations.open', { status: 503 });
      assert.equal(await notifier.notify(operation), false);
      assert.equal(told().length, after ? 1 : 0);
      await nextRound();
      await nextRound();
      const channels = told().map(({ channel }) => channel === support);
      assert.deepEqual(channels, after ? [true, false] : [false]);
      assert.match(JSON.stringify(told().at(-1)), /<#C0SUPPORT>.*may or may not stand there/);
    });

    it(`is said to its person again, with words that it may be a repetition, where Slack ${taken}`, async (test) => {
      const { slack, notifier, operation, told, nextRound } = await outcomeUntold(test);
      slack.fault('chat.postMessage', { status: 500, after });
      assert.equal(await notifier.notify(operation), false);
      await nextRound();
      await nextRound();
      assert.equal(told().length, after ? 2 : 1);
      const [last, first] = told().reverse();
      assert.match(JSON.stringify(last), /You may have been told this before/);
      assert.doesNotMatch(JSON.stringify(first ?? ''), /before/);
    });
  }

  for (const [place, words] of [
    [campaigns, /invite @Switchboard/],
    [oldNews, /is archived/],
  ] as const) {
    it(`goes to the person, with what to do, where ${place} cannot be posted in`, async (test) => {
      const { notifier, operation, told } = await outcomeUntold(test, place);
      assert.equal(await notifier.notify(operation), true);
      const [message, ...others] = told();
      assert.match(message === undefined ? '' : wordsOf(message), words);
      assert.deepEqual(others, []);
    });
  }

  it('says why it is not in its channel later too', async (test) => {
    const { slack, notifier, operation, told, nextRound } = await outcomeUntold(test, campaigns);
    slack.fault('conversations.open', { status: 500 });
    assert.equal(await notifier.notify(operation), false);
    await nextRound();
    assert.match(JSON.stringify(told()), /invite @Switchboard/);
  });
});

describe('a result for a channel', () => {
  for (const [what, fault, words] of [
    ['has too much to do', { status: 429, retryAfter: 30 }, 'could not take it just now'],
    ['does not answer as it should', { status: 500 }, 'may or may not stand there'],
    ['says no', { error: 'restricted_action' }, 'did not allow it'],
  ] as const) {
    it(`is not lost without a word where Slack ${what}`, async (test) => {
      const { slack, notifier } = await outcomeUntold(test);
      assert.equal(await notifier.post(support, done), undefined);
      slack.fault('chat.postMessage', fault);
      assert.match((await notifier.post(support, done))?.source ?? '', new RegExp(words));
    });
  }
});
