import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { summarizeOutcome } from '../../../src/slack/block-kit/descriptions/outcome.ts';
import { mrkdwn } from '../../../src/slack/block-kit/text.ts';
import { createNotifier } from '../../../src/slack/notifier/notices.ts';
import type { Describe } from '../../../src/slack/notifier/outcome.ts';
import { createOutcomeNotifier } from '../../../src/slack/notifier/outcome-notifier.ts';
import { eventually } from '../../support/campaigns.ts';
import { allNoticesBy } from '../../support/notices.ts';
import { startPosting } from '../../support/slack/posting-slack.ts';
import { campaigns, support } from '../../support/slack/slack-user.ts';
import { breakTable } from '../../support/store/faults.ts';
import { performIn } from '../../support/store/perform-in.ts';

const ada = 'U0AGENT';
const describeIt: Describe = ({ operation }) => ({
  subject: mrkdwn`it`,
  outcome: summarizeOutcome(operation, { recipients: 1 }),
  headline: mrkdwn`It is done.`,
});

/** An outcome that its user was not notified of yet, and its notifier. */
async function undeliveredOutcome(
  test: TestContext,
  channelId?: string,
  sent = async (): Promise<{ kind: 'none' }> => ({ kind: 'none' }),
  outcomeRenderer = describeIt,
) {
  const { slack, store, context, pass, logged } = await startPosting(test);
  const { ledger, outbox } = store;
  const services = {
    messages: { sent },
    costs: { ofOperation: async () => undefined },
    replies: { answered: async () => undefined, answerText: async () => undefined },
    reports: { isOn: false },
    providerHistory: { isOn: false },
  };
  const notifier = createOutcomeNotifier({ ...context, services }, { 'sms.send': outcomeRenderer });
  const notify = createNotifier(context, {
    ...allNoticesBy(() => assert.fail('there is no such notice')),
    operation: notifier.deliver,
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
    return (await performIn(ledger, intent, async () => ({ state: 'accepted' }))).operation;
  };
  const operation = await endOne(ada, channelId);
  const delivered = () => slack.snapshot(ada).messages.filter(({ text }) => text.startsWith('It is done.'));
  return {
    slack,
    store,
    notifier,
    outbox,
    operation,
    endOne,
    delivered,
    pass,
    notify,
    /** The next round, after the request that led to the outcome is over. */
    async nextRound(ending?: AbortSignal) {
      pass(60_000);
      await notify(ending);
    },
    log: logged,
    attempts: () => slack.exchanges.filter(({ what }) => /^(chat|conversations)\./.test(what)).length,
  };
}

describe('an outcome', () => {
  for (const channelId of [undefined, support]) {
    it(`is delivered later if Slack limits the rate, ${channelId === undefined ? 'to the user' : 'in the channel'}`, async (test) => {
      const { slack, notifier, operation, delivered, nextRound } = await undeliveredOutcome(test, channelId);
      slack.fault('chat.postMessage', { status: 429, retryAfter: 30 });
      assert.equal((await notifier.notify(operation)).postedHere, false);
      assert.deepEqual(delivered(), []);
      await nextRound();
      const channels = delivered().map(({ channel }) => channel);
      assert.deepEqual(channels, [channelId ?? channels[0]]);
      assert.doesNotMatch(JSON.stringify(delivered()), /before|may or may not/);
    });
  }

  it('is delivered later in its channel if the numbers to show there cannot be read yet', async (test) => {
    let isLocked = true;
    const { notifier, operation, delivered, nextRound } = await undeliveredOutcome(
      test,
      support,
      async () => {
        if (isLocked) {
          throw new Error('the database is locked');
        }
        return { kind: 'none' };
      },
    );
    assert.equal((await notifier.notify(operation)).postedHere, false);
    assert.deepEqual(delivered(), []);
    isLocked = false;
    await nextRound();
    assert.deepEqual(
      delivered().map(({ channel }) => channel),
      [support],
    );
  });

  for (const error of ['user_disabled', 'user_not_found', 'user_not_visible', 'cannot_dm_bot']) {
    it(`ends with a log line if Slack answers ${error} for its user`, async (test) => {
      const { slack, notifier, operation, delivered, nextRound, attempts, log } =
        await undeliveredOutcome(test);
      slack.fault('conversations.open', { error });
      assert.equal((await notifier.notify(operation)).postedHere, false, 'it is nowhere');
      await nextRound();
      assert.deepEqual(delivered(), []);
      assert.equal(attempts(), 1);
      assert.equal(log().match(/a user could not be notified/g)?.length, 1);
      assert.match(log(), new RegExp(error));
    });
  }

  for (const error of ['invalid_auth', 'token_revoked', 'missing_scope', 'account_inactive']) {
    it(`is delivered later if Slack answers ${error} for the app`, async (test) => {
      const { slack, notifier, operation, delivered, nextRound } = await undeliveredOutcome(test, support);
      slack.fault('chat.postMessage', { error });
      assert.equal((await notifier.notify(operation)).postedHere, false);
      await nextRound();
      assert.deepEqual(
        delivered().map(({ channel }) => channel),
        [support],
      );
    });
  }

  it('is the ending, where it was found before it ended', async (test) => {
    const shown: string[] = [];
    const { notifier, operation } = await undeliveredOutcome(test, undefined, undefined, (outcome) => {
      shown.push(outcome.operation.state);
      return describeIt(outcome);
    });
    await notifier.notify({ ...operation, state: 'underway' });
    assert.deepEqual(shown, ['accepted']);
  });

  it('is posted as plain text if Slack rejects its blocks', async (test) => {
    const { slack, notifier, operation, delivered } = await undeliveredOutcome(test, support);
    slack.fault('chat.postMessage', { error: 'invalid_blocks' });
    assert.equal((await notifier.notify(operation)).postedHere, true);
    assert.deepEqual(
      delivered().map(({ channel, blocks }) => [channel, blocks]),
      [[support, []]],
    );
  });

  it('names the channel it may stand in, in plain text too', async (test) => {
    const { slack, notifier, operation, delivered } = await undeliveredOutcome(test, support);
    slack.fault('chat.postMessage', { status: 503 });
    slack.fault('chat.postMessage', { error: 'invalid_blocks' });
    assert.equal((await notifier.notify(operation)).postedHere, true);
    const [message] = delivered();
    assert.deepEqual(message?.blocks, []);
    assert.match(message?.text ?? '', /This may be in/);
  });

  it('is posted once if its position can’t be stored at first, which is stored later', async (test) => {
    const { notifier, store, operation, delivered, nextRound } = await undeliveredOutcome(test, support);
    const repair = await breakTable(store.db, 'operation', 'update');
    await notifier.notify(operation);
    await repair();
    const position = async () => (await store.ledger.find('T0SWITCH', operation))?.message?.channel;
    await eventually(async () => (await position()) === support, 'its position');
    await nextRound();
    assert.equal(delivered().length, 1);
  });

  it('comes first if it failed least often, and is not delayed by one that Slack keeps waiting', async (test) => {
    const { slack, endOne, delivered, nextRound } = await undeliveredOutcome(test);
    slack.fault('conversations.open', { status: 500 });
    await nextRound();
    await endOne();
    const held = slack.hold('conversations.open');
    const round = nextRound();
    await held.arrived;
    await slack.until(() => delivered().length === 1, 'the other outcome');
    held.release();
    await round;
    assert.equal(delivered().length, 2);
  });

  it('is left to the next start when the program stops', async (test) => {
    const { delivered, nextRound } = await undeliveredOutcome(test);
    await nextRound(AbortSignal.abort());
    assert.deepEqual(delivered(), []);
    await nextRound();
    assert.equal(delivered().length, 1);
  });

  it('is delivered later if Slack fails before the conversation is open', async (test) => {
    const { slack, notifier, operation, delivered, nextRound } = await undeliveredOutcome(test);
    slack.fault('conversations.open', { status: 500 });
    assert.equal((await notifier.notify(operation)).postedHere, false);
    await nextRound();
    assert.equal(delivered().length, 1);
    assert.doesNotMatch(JSON.stringify(delivered()), /before/);
  });

  for (const after of [true, false]) {
    const taken = after ? 'accepted it' : 'did not accept it';
    it(`is not posted again in a channel that may have it, and its user is notified later, if Slack ${taken}`, async (test) => {
      const { slack, notifier, operation, delivered, nextRound } = await undeliveredOutcome(test, support);
      slack.fault('chat.postMessage', { status: 503, after });
      slack.fault('conversations.open', { status: 503 });
      assert.equal((await notifier.notify(operation)).postedHere, false);
      assert.equal(delivered().length, after ? 1 : 0);
      await nextRound();
      await nextRound();
      const channels = delivered().map(({ channel }) => channel === support);
      assert.deepEqual(channels, after ? [true, false] : [false]);
      assert.match(JSON.stringify(delivered().at(-1)), /<#C0SUPPORT>.*This may be in/);
    });

    it(`is sent to its user again, as a possible repetition, if Slack ${taken}`, async (test) => {
      const { slack, notifier, operation, delivered, nextRound } = await undeliveredOutcome(test);
      slack.fault('chat.postMessage', { status: 500, after });
      assert.equal((await notifier.notify(operation)).postedHere, false);
      await nextRound();
      await nextRound();
      assert.equal(delivered().length, after ? 2 : 1);
      const [last, first] = delivered().reverse();
      assert.match(JSON.stringify(last), /You may have this message already/);
      assert.doesNotMatch(JSON.stringify(first ?? ''), /before/);
    });
  }

  it('says why it is not in its channel when delivered later, too', async (test) => {
    const { slack, notifier, operation, delivered, nextRound } = await undeliveredOutcome(test, campaigns);
    slack.fault('conversations.open', { status: 500 });
    assert.equal((await notifier.notify(operation)).postedHere, false);
    await nextRound();
    assert.match(JSON.stringify(delivered()), /invite @Switchboard/);
  });
});
