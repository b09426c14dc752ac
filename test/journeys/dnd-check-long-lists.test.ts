import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import type { SandboxMessage } from '../../sandbox/slack/protocol.ts';
import { testedInstances } from '../support/app/instances.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { manyNumbers, resultOf } from '../support/slack/number-files.ts';
import { wordsOf } from '../support/slack/slack-user.ts';

/** Returns all replies to a command, in order. Each replaces the one before, so the channel has only the last. */
function repliesIn(testApp: TestWorkspace): string[] {
  return testApp.slack.exchanges
    .filter(({ what }) => what === 'response_url')
    .map(({ request }) => wordsOf(request));
}

const hasResultFile = (message: SandboxMessage) => message.files?.[0]?.name === 'dnd-check.csv';

describe('a long Do-Not-Disturb check', () => {
  it('of 1,000 pasted numbers shows progress within the five uses of a response_url, and ends with a file', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, slack, connect } = testApp;
    await connect();
    await ada.types('/dnd-check', manyNumbers(1_001).join(','));
    await ada.sees('1,001 numbers are too many: up to 1,000 at a time');
    await ada.types('/dnd-check', manyNumbers(1_000).join(','));
    const reply = await ada.sees(/100 of 1,000 on Do-Not-Disturb[\s\S]*in your messages/);
    assert.doesNotMatch(wordsOf(reply), /\+234/);
    assert.match(wordsOf(reply), /A message can go to up to 100 numbers\. For more, start a campaign\./);
    const replies = repliesIn(testApp).slice(1);
    assert.ok(replies.length > 2 && replies.length <= 4, `${replies.length} replies`);
    assert.match(replies[1] ?? '', /Checking 1,000 numbers: (?:33|34|35)\d done/);
    const result = await resultOf(slack, await ada.sees('*Do-Not-Disturb check* · 100 of 1,000'));
    assert.equal(result.length, 1_001);
  });

  it('shows its progress in the modal, and never after the result', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, slack, connect } = testApp;
    await connect();
    await ada.types('/dnd-check');
    await ada.drops('Or a CSV file', 'numbers.txt', manyNumbers(300).join('\n'));
    await ada.submits();
    await ada.seesModal('Do-Not-Disturb check', '30 of 300 on Do-Not-Disturb');
    const updates = slack.exchanges
      .filter(({ what }) => what === 'views.update')
      .map(({ request }) => wordsOf(JSON.parse(JSON.stringify(request)).view));
    assert.ok(updates.filter((words) => /Checking 300 numbers: \d+ done/.test(words)).length > 3);
    assert.match(updates.at(-1) ?? '', /30 of 300 on Do-Not-Disturb/);
  });

  it('goes to a channel as a file of masked numbers, and to its user in full', async (test) => {
    const { ada, grace, slack, connect, channels } = await joinTestApp(test);
    await connect();
    await ada.types('/dnd-check');
    await ada.drops(
      'Or a CSV file',
      'numbers.csv',
      ['Phone', ...manyNumbers(60), '+2348030009404', 'secret 0803'].join('\n'),
    );
    await ada.fills('Who sees the result', 'In a channel');
    await ada.submits();
    await ada.seesModal('Do-Not-Disturb check', 'of 61 on Do-Not-Disturb');
    const post = await grace.sees('Checked by');
    assert.equal(post.channel, channels.support);
    assert.deepEqual((await resultOf(slack, post)).slice(1, 3), [
      '+234805•••0000,Glo Nigeria,no,Promotional (generic) or Transactional (DND),,',
      '+234805•••0001,Glo Nigeria,no,Promotional (generic) or Transactional (DND),,',
    ]);
    assert.doesNotMatch((await resultOf(slack, post)).join('\n'), /secret|0009404/);
    const own = ada
      .messages()
      .findLast((message) => hasResultFile(message) && message.channel !== channels.support);
    assert.match((await resultOf(slack, own ?? post)).join('\n'), /\n\+2348051230000,/);
  });

  it('says why its file is not in the chosen channel', async (test) => {
    const { ada, connect, channels } = await joinTestApp(test);
    await connect();
    await ada.types('/dnd-check');
    await ada.drops('Or a CSV file', 'numbers.txt', manyNumbers(60).join('\n'));
    await ada.fills('Who sees the result', 'In a channel');
    await ada.fills('Channel', channels.campaigns);
    await ada.submits();
    await ada.seesModal(
      'Do-Not-Disturb check',
      /Not posted: Switchboard isn’t in[\s\S]*in your messages with Switchboard/,
    );
  });

  it('says so when the file cannot be sent', async (test) => {
    const { ada, slack, connect } = await joinTestApp(test);
    await connect();
    slack.fault('files.completeUploadExternal', { error: 'missing_scope' });
    await ada.types('/dnd-check', manyNumbers(60).join(' '));
    await ada.sees(/of 60 on Do-Not-Disturb[\s\S]*Not in your messages with Switchboard yet/);
  });

  it('runs once, and sends its file once, when its form is submitted twice', async (test) => {
    const { ada, slack, provider, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/dnd-check');
    await ada.drops('Or a CSV file', 'numbers.txt', manyNumbers(60).join('\n'));
    await Promise.all([ada.submits(), ada.submits()]);
    await ada.seesModal('Do-Not-Disturb check', '6 of 60 on');
    await slack.redeliver('view_submission');
    await ada.seesModal('Do-Not-Disturb check', '6 of 60 on');
    // Another instance checks again what it has no report of: it sends nothing again.
    const checks = provider.arrivals.filter(({ path }) => path === '/api/check/dnd').length;
    assert.ok(checks >= 60 && checks <= 60 * testedInstances, `${checks} checks`);
    assert.equal(ada.messages().filter(hasResultFile).length, 1);
  });

  it('gives up on a provider that no longer answers, and shows the partial result', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    provider.orderFault({ operation: 'insight.checkDnd', fault: { kind: 'bad_gateway' }, times: Infinity });
    await ada.types('/dnd-check', manyNumbers(200).join(' '));
    await ada.sees('0 of 200 on Do-Not-Disturb, 200 unknown');
    const requests = provider.arrivals.filter(({ path }) => path === '/api/check/dnd').length;
    assert.ok(requests < 60, `${requests} requests`);
  });

  it('ends early when the program stops, and shows the partial result', async (test) => {
    // It is never answered. A check that ended by the timeout of its request would have been asked for once more.
    const slow = '2348030009603';
    const { ada, provider, connect, stopApp } = await startTestApp(test, {
      wait: (_, signal) => once(signal, 'abort').then(() => {}),
    });
    await connect();
    await ada.types('/dnd-check', [`+${slow}`, ...manyNumbers(60)].join(' '));
    await ada.sees(/Checking 61 numbers: [45]\d done/);
    await stopApp();
    await ada.sees(/\d of 61 on Do-Not-Disturb, \d+ unknown[\s\S]*in your messages/);
    assert.equal(provider.arrivals.filter(({ query }) => query.phone_number === slow).length, 1);
  });
});

describe('an unusable file of numbers is refused beside its field', () => {
  for (const [what, content, words] of [
    ['a spreadsheet', 'PK\u0003\u0004…', /Save it as CSV/],
    ['a file without numbers', 'Name,Town\nAda,Lagos', /No column of phone numbers/],
    [
      'a file with more than 1,000 numbers',
      manyNumbers(1_001).join('\n'),
      /more than 1,000 numbers: line 1001 exceeds/,
    ],
    ['a file with a quotation mark left open', 'Phone\n08031234567\n"0805', /from line 3 on/],
    ['a file larger than 2 MB', 'x'.repeat(2_000_001), /too large/],
  ] as const) {
    it(what, async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      await ada.types('/dnd-check');
      await ada.drops('Or a CSV file', 'list.csv', content);
      await ada.submits();
      assert.match(ada.errorBeside('Or a CSV file') ?? '', words);
      assert.ok(provider.arrivals.every(({ path }) => path !== '/api/check/dnd'));
    });
  }

  it('an empty form too', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/dnd-check');
    await ada.seesModal('Do-Not-Disturb check');
    await ada.submits();
    assert.match(ada.errorBeside('Phone numbers') ?? '', /Enter at least one phone number/);
  });
});
