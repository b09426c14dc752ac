import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runProgram } from '../../support/app/app-process.ts';
import { bundleProgram } from '../../support/app/program-bundle.ts';
import { startTestApp } from '../../support/app/test-app.ts';
import { compose, provided, reached, recipients, start } from '../../support/campaigns.ts';
import { slackUserAt, support } from '../../support/slack/slack-user.ts';
import { outcomes, review, reviewForChannel } from '../../support/slack/sms-steps.ts';

describe('a kill loses no outcome', () => {
  it('tells who looked a number up for a channel that the result may be missing there, after a kill', async (test) => {
    const { ada, slack, connect, startApp, stopApp, env } = await startTestApp(test, { transport: 'socket' });
    await connect();
    await stopApp();
    const killed = runProgram(test, env, await bundleProgram());
    await killed.ready();
    await ada.types('/number');
    await ada.fills('Phone number', '+2348031234563');
    await ada.fills('Who sees the result', 'In a channel');
    slack.fault('chat.postMessage', { hang: true });
    await ada.submits();
    await slack.until(() => slack.exchanges.some(({ what }) => what === 'chat.postMessage'), 'the post');
    await killed.kill();

    await startApp();
    const told = await ada.sees(/This may be in/);
    assert.notEqual(told.channel, support);
    assert.match(JSON.stringify(told), /Looked up by/);
    assert.equal(ada.messages().filter(({ channel }) => channel === support).length, 0);
  });

  it('marks what it posts again after a kill before Slack’s response, and posts nothing in a channel again', async (test) => {
    const { ada, grace, slack, provider, connect, startApp, stopApp, env } = await startTestApp(test, {
      transport: 'socket',
    });
    const nneka = slackUserAt(slack, 'U0APPROVER');
    await connect();
    await stopApp();
    const killed = runProgram(test, env, await bundleProgram());
    await killed.ready();
    await reviewForChannel(ada);
    await review(grace, { to: '+2348031234567', text: 'Hello' });
    for (const person of [ada, grace]) {
      await person.seesModal('Message review');
      slack.fault('chat.postMessage', { hang: true, after: true });
      await person.submits();
      await slack.until(
        () => outcomes(person).some(({ channel }) => (channel === support) === (person === ada)),
        'the outcome',
      );
    }
    await compose(nneka, { pasted: recipients(3).join(' '), name: 'Opening' });
    slack.fault('chat.postMessage', { hang: true, after: true });
    await start(nneka, support);
    assert.equal((await nneka.sees(/Opening/)).channel, support);
    await provided(provider, 5);
    await killed.kill();

    await startApp();
    await ada.sees('This may be in');
    await grace.sees('You may have this message already');
    const shown = await nneka.sees(/This may be in[\s\S]*\*Done:\* 3 recipients/);
    assert.notEqual(shown.channel, support);
    const posted = ada.messages().filter(({ channel }) => channel === support);
    assert.deepEqual(
      posted.map(({ text }) => /Opening/.test(text)),
      [false, true],
    );
    for (const person of [ada, grace]) {
      const own = outcomes(person).filter(({ channel }) => channel !== support);
      assert.equal(own.length, person === ada ? 1 : 2);
    }
    assert.equal(reached(provider.record).length, 5);
  });

  it('tells the creators of campaigns that a kill cut off the reading of a list, or what Slack had yet to hand over', async (test) => {
    const { ada, grace, slack, provider, connect, startApp, stopApp, env } = await startTestApp(test, {
      transport: 'socket',
    });
    await connect();
    await stopApp();
    const killed = runProgram(test, env, await bundleProgram());
    await killed.ready();
    const small = slack.hold('files-pri');
    await compose(grace, { file: ['Phone', ...recipients(3)].join('\n'), name: 'Opening' });
    await small.arrived;
    await grace.seesModal(
      'New campaign',
      'You can close this: you’ll get a message when the review is ready.',
    );
    // Read or refused, without showing it.
    const [nneka, tunde] = [slackUserAt(slack, 'U0APPROVER'), slackUserAt(slack, 'U0MEMBER')];
    for (const [person, content] of [
      [nneka, ['Phone', ...recipients(3)]],
      [tunde, ['Phone', 'nobody']],
    ] as const) {
      const file = slack.hold('files-pri');
      await compose(person, { file: content.join('\n'), name: `List of ${person.id}` });
      await file.arrived;
      await person.seesModal('New campaign', 'You can close this');
      const shown = slack.exchanges.length;
      slack.fault('views.update', { hang: true });
      file.release();
      await slack.until(
        () => slack.exchanges.slice(shown).some(({ what }) => what === 'views.update'),
        'the end of the import',
      );
    }
    const large = slack.hold('files-pri');
    await compose(ada, { file: ['Phone', ...recipients(100_000)].join('\n'), name: 'Closing' });
    await large.arrived;
    large.release();
    await ada.seesModal('New campaign', 'Importing recipients');
    await killed.kill();

    await startApp();
    await nneka.sees(/List of U0APPROVER is ready:\* 3 recipients/);
    await tunde.sees(/Import of List of U0MEMBER interrupted/);
    await ada.sees(/Import of Closing interrupted[\s\S]*Nothing was sent/);
    await grace.sees(/Import of Opening interrupted[\s\S]*Nothing was sent/);
    assert.equal(provider.record.length, 0);
  });
});
