import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { WebClient } from '@slack/web-api';
import { createLog } from '../../src/log.ts';
import { startSlack } from '../../src/sandbox/slack/server.ts';
import { section } from '../../src/slack/blocks/build.ts';
import { message } from '../../src/slack/blocks/message.ts';
import { mrkdwn } from '../../src/slack/blocks/text.ts';
import { slackLog } from '../../src/slack/slack-log.ts';
import { createTelling, type Wording } from '../../src/slack/telling.ts';
import { webClientOptions } from '../../src/slack/web-client.ts';
import { campaigns, support } from '../support/person.ts';
import { temporaryStore } from '../support/temporary-store.ts';

const ada = 'U0AGENT';
const done = message(mrkdwn`It is done.`, [section(mrkdwn`It is done.`)]);
const wording: Wording = { forPerson: () => done, forChannel: () => done, line: () => mrkdwn`it` };

/** An outcome that nobody was told of yet, and what tells of it. */
async function outcomeUntold(
  test: TestContext,
  place?: string,
  shownNumbers = async (): Promise<undefined> => undefined,
) {
  const slack = await startSlack({
    manifestPath: fileURLToPath(new URL('../../manifest.yml', import.meta.url)),
    delivery: { mode: 'socket' },
    botToken: 'xoxb-1',
  });
  test.after(() => slack.stop());
  const { ledger } = await temporaryStore(test);
  const log = createLog('silent');
  const telling = createTelling({
    client: new WebClient('xoxb-1', webClientOptions(new URL(slack.apiUrl), slackLog(log))),
    ledger,
    log,
    clock: () => new Date(),
    wordings: { 'sms.send': wording },
    shownNumbers,
  });
  const intent = { workspaceId: 'T0SWITCH', key: 'one', kind: 'sms.send', actor: ada, place, summary: {} };
  const { operation } = await ledger.perform(intent, async () => ({ state: 'accepted' }));
  const told = () => slack.snapshot(ada).messages.filter(({ text }) => text === 'It is done.');
  return { slack, telling, operation, told };
}

describe('an outcome', () => {
  it('is told once, however often and by whatever way it is asked for', async (test) => {
    const { telling, operation, told } = await outcomeUntold(test);
    let shown = 0;
    const show = async () => {
      shown += 1;
    };
    const answers = await Promise.all([
      telling.tell(operation),
      telling.tell(operation, show),
      telling.catchUp(0),
      telling.tell(operation),
    ]);
    assert.equal(answers.filter((answer) => answer === true).length, 1);
    await telling.catchUp(0);
    assert.equal(await telling.tell(operation, show), false);
    assert.equal(told().length + shown, 1);
  });

  it('is told by message where it cannot be shown where the person is', async (test) => {
    const { telling, operation, told } = await outcomeUntold(test);
    await telling.tell(operation, () => Promise.reject(new Error('the preview is gone')));
    assert.equal(told().length, 1);
  });

  for (const place of [undefined, support]) {
    it(`is told later where Slack has too much to do, ${place === undefined ? 'to the person' : 'in the channel'}`, async (test) => {
      const { slack, telling, operation, told } = await outcomeUntold(test, place);
      slack.fault('chat.postMessage', { status: 429, retryAfter: 30 });
      assert.equal(await telling.tell(operation), false);
      assert.deepEqual(told(), []);
      await telling.catchUp(0);
      const channels = told().map(({ channel }) => channel);
      assert.deepEqual(channels, [place ?? channels[0]]);
    });
  }

  it('is told later in its channel where the numbers to show there could not be read just then', async (test) => {
    let isLocked = true;
    const { telling, operation, told } = await outcomeUntold(test, support, async () => {
      if (isLocked) throw new Error('the database is locked');
    });
    assert.equal(await telling.tell(operation), false);
    assert.deepEqual(told(), []);
    isLocked = false;
    await telling.catchUp(0);
    assert.deepEqual(
      told().map(({ channel }) => channel),
      [support],
    );
  });

  it('is not told again and again to a person who has left', async (test) => {
    const { slack, telling, operation, told } = await outcomeUntold(test);
    slack.fault('conversations.open', { error: 'user_disabled' });
    assert.equal(await telling.tell(operation), true);
    await telling.catchUp(0);
    assert.deepEqual(told(), []);
  });

  it('is left to the next start where the program is to stop', async (test) => {
    const { telling, told } = await outcomeUntold(test);
    await telling.catchUp(0, AbortSignal.abort());
    assert.deepEqual(told(), []);
    await telling.catchUp(0);
    assert.equal(told().length, 1);
  });

  it('is told later where Slack is out of reach', async (test) => {
    const { slack, telling, operation, told } = await outcomeUntold(test);
    slack.goDown();
    assert.equal(await telling.tell(operation), false);
    slack.comeUp();
    await telling.catchUp(0);
    assert.equal(told().length, 1);
  });

  it('is told later where Slack breaks down before there is anything to say it in', async (test) => {
    const { slack, telling, operation, told } = await outcomeUntold(test);
    slack.fault('conversations.open', { status: 500 });
    assert.equal(await telling.tell(operation), false);
    await telling.catchUp(0);
    assert.equal(told().length, 1);
  });

  it('is not posted again in a channel that may have it, even where the person cannot be told so', async (test) => {
    const { slack, telling, operation, told } = await outcomeUntold(test, support);
    slack.fault('chat.postMessage', { status: 500, after: true });
    slack.fault('conversations.open', { status: 500 });
    await telling.tell(operation);
    await telling.catchUp(0);
    assert.equal(told().length, 1);
  });

  it('is not told again where Slack may have taken it', async (test) => {
    const { slack, telling, operation, told } = await outcomeUntold(test);
    slack.fault('chat.postMessage', { status: 500, after: true });
    await telling.tell(operation);
    await telling.catchUp(0);
    assert.equal(told().length, 1);
  });

  it('goes to the person, with what to do, where the channel cannot be posted in', async (test) => {
    const { telling, operation, told } = await outcomeUntold(test, campaigns);
    assert.equal(await telling.tell(operation), true);
    const [message, ...others] = told();
    assert.match(JSON.stringify(message), /\/invite @Switchboard/);
    assert.deepEqual(others, []);
  });
});

describe('a result for a channel', () => {
  for (const [what, fault, words] of [
    ['has too much to do', { status: 429, retryAfter: 30 }, 'could not take it just now'],
    ['does not answer as it should', { status: 500 }, 'may or may not stand there'],
    ['says no', { error: 'restricted_action' }, 'did not allow it'],
  ] as const) {
    it(`is not lost without a word where Slack ${what}`, async (test) => {
      const { slack, telling } = await outcomeUntold(test);
      assert.equal(await telling.post(support, done), undefined);
      slack.fault('chat.postMessage', fault);
      assert.match((await telling.post(support, done))?.source ?? '', new RegExp(words));
    });
  }
});
