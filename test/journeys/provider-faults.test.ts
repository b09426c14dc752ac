import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Json } from '../../sandbox/lib/json.ts';
import type { ProviderOperationName } from '../../sandbox/provider/operation-names.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { arrivalsOf, findLocalPlans } from '../support/slack/esim-steps.ts';
import { addPhonebook } from '../support/slack/phonebook-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { review } from '../support/slack/sms-steps.ts';

/** The faults that the sandbox provider plays for certain recipients: the outcome shown, and how many messages it took. */
const faults: { number: string; what: string; title: string; words: RegExp; recorded: number }[] = [
  {
    number: '+2348030009002',
    what: 'a cut before',
    title: 'Message unconfirmed',
    words: /may or may not have been sent/,
    recorded: 0,
  },
  {
    number: '+2348030009003',
    what: 'a cut after',
    title: 'Message unconfirmed',
    words: /may or may not have been sent/,
    recorded: 1,
  },
  {
    number: '+2348030009400',
    what: 'a 400',
    title: 'Message rejected',
    words: /was not sent\.\n/,
    recorded: 0,
  },
  {
    number: '+2348030009401',
    what: 'a 401',
    title: 'Message rejected',
    words: /was not sent\.\n/,
    recorded: 0,
  },
  {
    number: '+2348030009404',
    what: 'an unknown sender ID',
    title: 'Message rejected',
    words: /was not sent\.\n/,
    recorded: 0,
  },
  {
    number: '+2348030009429',
    what: 'a 429',
    title: 'Message rejected',
    words: /was not sent\.\n/,
    recorded: 0,
  },
  {
    number: '+2348030009500',
    what: 'a 500',
    title: 'Message unconfirmed',
    words: /may or may not have been sent/,
    recorded: 0,
  },
  {
    number: '+2348030009502',
    what: 'HTML from a proxy',
    title: 'Message unconfirmed',
    words: /may or may not have been sent/,
    recorded: 0,
  },
  {
    number: '+2348030009601',
    what: 'malformed JSON',
    title: 'Message unconfirmed',
    words: /may or may not have been sent/,
    recorded: 1,
  },
  {
    number: '+2348030009602',
    what: 'an empty 200',
    title: 'Message unconfirmed',
    words: /may or may not have been sent/,
    recorded: 1,
  },
  {
    number: '+2348030009604',
    what: 'a 200 with words of a refusal',
    title: 'Message unconfirmed',
    words: /may or may not have been sent\.[\s\S]*balance is too low/,
    recorded: 0,
  },
  {
    number: '+2348030009605',
    what: 'half an answer',
    title: 'Message unconfirmed',
    words: /may or may not have been sent/,
    recorded: 1,
  },
  {
    number: '+2348030009606',
    what: 'no route',
    title: 'Message rejected',
    words: /was not sent\.\n/,
    recorded: 0,
  },
];

describe('after a fault of the provider the outcome says whether anything was sent', () => {
  for (const { number, what, title, words, recorded } of faults) {
    it(`${what}: ${title}`, async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      await review(ada, { to: number, text: 'Hello' });
      await ada.seesModal('Message review');
      await ada.submits();
      await ada.seesModal(title, words);
      await ada.sees(words);
      assert.equal(provider.record.length, recorded);
      assert.ok(provider.arrivals.filter(({ path }) => path === '/api/sms/send').length <= 1);
    });
  }
});

describe('a fault of the provider', () => {
  it('no response: unconfirmed after the timeout', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test, { providerLimits: { headersTimeout: 300 } });
    await connect();
    await review(ada, { to: '+2348030009001', text: 'Hello' });
    await ada.seesModal('Message review');
    await ada.submits();
    await ada.seesModal('Message unconfirmed', /may or may not have been sent/);
    assert.equal(provider.arrivals.filter(({ path }) => path === '/api/sms/send').length, 1);
  });

  it('a slow response: awaited', async (test) => {
    const { ada, connect } = await startTestApp(test, { slowness: 300 });
    await connect();
    await review(ada, { to: '+2348030009603', text: 'Hello' });
    await ada.seesModal('Message review');
    await ada.submits();
    await ada.seesModal('Message sent');
  });

  it('unreachable: not sent, and the same message can be tried again with one click', async (test) => {
    const { ada, provider, connect } = await startTestApp(test);
    await connect();
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Message review');
    await provider.goDown();
    await ada.submits();
    await ada.seesModal('Message not sent', 'was not sent');
    await provider.comeUp();
    await ada.presses('Send again');
    await ada.seesModal('New message');
    await ada.submits();
    await ada.seesModal('Message review', 'Hello');
    await ada.submits();
    await ada.seesModal('Message sent');
    assert.equal(provider.record.length, 1);
  });

  it('a balance that is too low: the provider’s reason is shown', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    provider.setBalance(0);
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Message review');
    await ada.submits();
    await ada.seesModal('Message rejected', /balance/i);
  });

  it('a refusal that holds a receipt: unconfirmed, and not requested again', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, provider, slack } = testApp;
    await addPhonebook(testApp);
    const answers = (operation: ProviderOperationName, status: number, body: Json) => {
      provider.orderFault({
        operation,
        fault: { kind: 'answer', status, body, carriedOut: true },
        times: Infinity,
      });
    };
    const receipt = /But the answer also has the ID of an accepted request/;

    answers('messages.send', 429, { code: 'ok', message_id: '30175', message: 'Slow down' });
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Message review');
    await ada.submits();
    const sent = await ada.seesModal('Message unconfirmed', receipt);
    assert.match(wordsOf(sent.view), /Check with the recipient before you send the message again/);
    assert.doesNotMatch(wordsOf(sent.view), /Nothing was|try again/i);
    await slack.redeliver('view_submission');
    assert.equal(arrivalsOf(testApp, 'messages.send'), 1);
    assert.equal(provider.record.length, 1);

    answers('tokens.call', 200, { code: 'ok', message: 'Successfully Sent. Low balance: 3 NGN left' });
    await ada.closes();
    await ada.types('/otp');
    await ada.fills('Send by', 'Voice call');
    await ada.seesModal('One-time code', 'A call reads the code out');
    await ada.fills('Phone number', '+2348031234568');
    await ada.submits();
    await ada.seesModal('Code unconfirmed', receipt);
    const { body } = provider.arrivals.findLast(({ operation }) => operation === 'tokens.call') ?? {};
    // The customer may have received the code, so it can be verified.
    await ada.presses('Verify');
    await ada.fills('Code from the customer', String(Object(body).code));
    await ada.submits();
    await ada.seesModal('Verified');

    answers('esims.create', 402, { code: 402, message: 'Insufficient balance', sim: { iccid: '8923' } });
    await ada.closes();
    await findLocalPlans(ada, 'Kenya');
    await ada.presses('Create');
    await ada.seesModal('New eSIM');
    await ada.submits();
    await ada.seesModal('eSIM unconfirmed', receipt);
    assert.equal(arrivalsOf(testApp, 'esims.create'), 1);

    answers('phonebooks.addContact', 400, { code: 400, 'Contact added successfully': { id: 'd4e5f6' } });
    await ada.closes();
    await ada.types('/contacts', 'add 08031110999');
    await ada.seesModal('New contact');
    await ada.submits();
    await ada.seesModal('Unconfirmed', receipt);
    assert.equal(arrivalsOf(testApp, 'phonebooks.addContact'), 1);
  });
});
