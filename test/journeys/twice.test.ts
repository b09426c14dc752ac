import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forOneAndThreeInstances } from '../support/app/instances.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { review, startFrom } from '../support/slack/sms-steps.ts';

forOneAndThreeInstances(() => {
  describe('nothing is sent twice', () => {
    it('sends once when the review is submitted twice at the same time', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      await review(ada, { to: '+2348031234567', text: 'Hello' });
      await ada.seesModal('Message review');
      await Promise.all([ada.submits(), ada.submits()]);
      await ada.seesModal('Message sent');
      assert.equal(provider.arrivals.filter(({ path }) => path === '/api/sms/send').length, 1);
    });

    it('sends once and reports once when Slack delivers a submission again', async (test) => {
      const { ada, slack, provider, connect, stopApp } = await startTestApp(test);
      await connect();
      await review(ada, { to: '+2348031234567', text: 'Hello' });
      await ada.seesModal('Message review');
      await ada.submits();
      await ada.seesModal('Message sent');
      await slack.redeliver();
      await stopApp();
      await ada.seesModal('Message sent');
      assert.equal(provider.record.length, 1);
      assert.equal(ada.messages().filter(({ text }) => text.includes('*Sent* to')).length, 1);
    });

    it('sends once at a double click on Send', async (test) => {
      const { ada, grace, provider, connect } = await joinTestApp(test);
      await connect();
      await startFrom(grace, 'PalmMarket');
      await ada.types('/sms', '+2348031234567 Hello');
      await ada.sees('1 recipient, 1 page');
      await Promise.all([ada.presses('Send'), ada.presses('Send')]);
      await ada.sees('*Sent* to');
      assert.equal(provider.record.length, 1);
    });

    it('does not ask to try again where Slack does not show how a send ended: that comes as a message', async (test) => {
      const { ada, slack, provider, connect, app } = await joinTestApp(test);
      await connect();
      await review(ada, { to: '+2348031234567', text: 'Hello' });
      await ada.seesModal('Message review');
      slack.fault('views.update', { error: 'ratelimited' });
      await ada.submits();
      await ada.sees('+234 803 123 4567');
      await app().settled();
      assert.match(wordsOf((await ada.seesModal('Message')).view), /[Yy]ou’ll get the outcome as a message/);
      assert.equal(provider.record.length, 1);
    });

    it('does not repeat a send whose response was cut off, and reports it as unconfirmed', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      await review(ada, { to: '+2348030009003', text: 'Hello' });
      await ada.seesModal('Message review');
      await ada.submits();
      await ada.seesModal(
        'Message unconfirmed',
        /The message to \+234\s803\s000\s9003 may or may not have been sent/,
      );
      await ada.sees('Check with the recipient before you send the message again');
      assert.equal(provider.arrivals.filter(({ path }) => path === '/api/sms/send').length, 1);
      assert.equal(provider.record.length, 1);
    });

    it('sends once for a command that Slack delivers twice, with two reviews', async (test) => {
      const { ada, grace, slack, provider, connect } = await joinTestApp(test);
      await connect();
      await startFrom(grace, 'PalmMarket');
      await ada.types('/sms', '+2348031234567 Hello');
      await slack.redeliver();
      await slack.until(
        () => ada.messages().filter(({ text }) => text.includes('Your message is ready')).length === 2,
        'two reviews',
      );
      await ada.presses('Send');
      await ada.sees('*Sent* to');
      await ada.presses('Send');
      await slack.until(
        () => ada.messages().filter(({ text }) => text.includes('*Sent* to')).length === 2,
        'the outcome under both reviews',
      );
      assert.equal(provider.record.length, 1);
    });

    it('shows the outcome at any button of a second review', async (test) => {
      const { ada, grace, slack, provider, connect } = await joinTestApp(test);
      await connect();
      await startFrom(grace, 'PalmMarket');
      const saying = (words: string) => ada.messages().filter(({ text }) => text.includes(words)).length;
      await ada.types('/sms', '+2348031234567 Hello');
      await slack.redeliver();
      await slack.redeliver();
      await slack.until(() => saying('Your message is ready') === 3, 'three reviews');
      await ada.presses('Send');
      await slack.until(() => saying('*Sent* to') === 1, 'the outcome');
      await ada.presses('Edit');
      await slack.until(() => saying('*Sent* to') === 2, 'the outcome once more');
      await ada.presses('Cancel');
      await slack.until(() => saying('*Sent* to') === 3, 'the outcome a third time');
      assert.equal(ada.modal(), undefined);
      assert.equal(provider.record.length, 1);
    });

    it('does not send an edited message from an old review: it shows the new text first', async (test) => {
      const { ada, grace, provider, connect } = await joinTestApp(test);
      await connect();
      await startFrom(grace, 'PalmMarket');
      await ada.types('/sms', '+2348031234567 Helo');
      await ada.sees('Your message is ready');
      await ada.presses('Edit');
      await ada.seesModal('New message');
      await ada.fills('Message', 'Hello');
      await ada.submits();
      await ada.seesModal('Message review', 'Hello');
      await ada.closes();
      await ada.presses('Send');
      await ada.sees(/Your message is ready[\s\S]*Hello/);
      assert.equal(provider.record.length, 0);
      await ada.presses('Send');
      await ada.sees('*Sent* to');
      assert.deepEqual(
        provider.record.map(({ text }) => text),
        ['Hello'],
      );
    });

    it('posts an outcome in a channel once even if Slack returns an error after it posted it', async (test) => {
      const { ada, slack, connect, channels } = await joinTestApp(test);
      await connect();
      await ada.types('/sms');
      await ada.fills('To', '+2348031234567');
      await ada.fills('Sender ID', 'PalmMarket');
      await ada.fills('Message', 'Hello');
      await ada.fills('Who sees the result', 'In a channel');
      await ada.submits();
      await ada.seesModal('Message review');
      slack.fault('chat.postMessage', { status: 500, after: true });
      await ada.submits();
      await ada.sees('This may be in');
      const posts = ada
        .messages()
        .filter(({ channel, text }) => channel === channels.support && text.includes('*Sent*'));
      assert.equal(posts.length, 1);
    });

    it('tries a failed message again once, even if that is chosen repeatedly', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      provider.orderFault({ operation: 'messages.send', fault: { kind: 'status', status: 400 } });
      await review(ada, { to: '+2348031234567', text: 'Hello' });
      await ada.seesModal('Message review');
      await ada.submits();
      await ada.seesModal('Message rejected');
      await ada.closes();
      await ada.presses('Send again');
      await ada.seesModal('New message');
      await ada.submits();
      await ada.seesModal('Message review');
      await ada.submits();
      await ada.seesModal('Message sent');
      await ada.closes();
      await ada.presses('Send again');
      await ada.seesModal('Already sent again', 'Nothing was sent now.');
      assert.equal(provider.record.length, 1);
    });
  });
});
