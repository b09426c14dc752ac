import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { compose, start } from '../support/campaigns.ts';
import { type SlackUser, wordsOf } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';
import { runningClock } from '../support/time/test-clock.ts';

/** Opens the history from the Home tab, or searches it with the command. */
async function openedBy(person: SlackUser, number?: string): Promise<void> {
  if (number === undefined) {
    await person.seesHome('See all activity');
    await person.presses('See all activity');
  } else {
    await person.types('/sms', `history ${number}`);
  }
  await person.seesModal('History');
}

describe('a rejected message in the history', () => {
  it('says that its text was deleted, and so does the message with its outcome', async (test) => {
    const { clock, pass } = runningClock();
    const { ada, connect, restart } = await startTestApp(test, { clock });
    await connect();
    await send(ada, { to: '+2348030009400', text: 'Your parcel is at the gate' });
    await ada.seesModal('Message rejected');
    await ada.closes();
    await ada.sees('Send again');
    pass(40 * 24 * 60 * 60_000);
    await restart();
    await openedBy(ada);
    await ada.presses('Open');
    const { view } = await ada.seesModal(
      'Message',
      'Text and numbers have been deleted: write the message again.',
    );
    assert.doesNotMatch(wordsOf(view), /Send again/);
    const told = wordsOf(await ada.sees('\nText and numbers have been deleted.'));
    assert.match(told, /The message to \+234803•••9400 was not sent/);
    assert.doesNotMatch(told, /Send again|parcel/);
  });

  it('that was a file is sent again as the file, also after days', async (test) => {
    const { clock, pass } = runningClock();
    const { ada, provider, connect } = await startTestApp(test, { clock });
    await connect();
    await ada.types('/sms', '+2348030009400');
    await ada.fills('Route', 'Chat app');
    await ada.fills('Device', 'Front desk');
    await ada.fills('Send', 'File');
    await ada.fills('URL of the file', 'https://files.example.com/prices.pdf');
    await ada.fills('Caption', 'Our prices');
    await ada.submits();
    await ada.seesModal('Message review', 'prices.pdf');
    await ada.submits();
    await ada.seesModal('Message rejected');
    await ada.closes();
    pass(50 * 60 * 60_000);
    await ada.presses('Send again');
    await ada.seesModal('New message', 'prices.pdf');
    await ada.fills('To', '+2348051234568');
    await ada.submits();
    await ada.seesModal('Message review', 'prices.pdf');
    await ada.submits();
    await ada.seesModal('Message sent');
    const { media, text } = provider.record[0] ?? {};
    assert.deepEqual(
      { media, text },
      { media: { url: 'https://files.example.com/prices.pdf', caption: 'Our prices' }, text: '' },
    );
  });

  it('is sent again as a new message with its own review, by its sender alone, also after days', async (test) => {
    const { clock, pass } = runningClock();
    const { ada, grace, provider, connect } = await startTestApp(test, { clock });
    await connect();
    await send(ada, { to: '+2348030009400', text: 'Your parcel is at the gate' });
    await ada.seesModal('Message rejected');
    await ada.closes();
    pass(50 * 60 * 60_000);
    await openedBy(grace);
    await grace.presses('Open');
    assert.doesNotMatch(wordsOf((await grace.seesModal('Message')).view), /Send again/);

    await openedBy(ada);
    await ada.presses('Open');
    await ada.seesModal('Message');
    const asked = provider.arrivals.length;
    await ada.presses('Send again');
    const { view } = await ada.seesModal('New message', 'Your parcel is at the gate');
    assert.match(JSON.stringify(view), /\+234 803 000 9400[\s\S]*PalmMarket/);
    await ada.fills('To', '0803 123 4567');
    await ada.submits();
    await ada.seesModal('Message review', 'Your parcel is at the gate');
    assert.deepEqual(
      provider.arrivals.slice(asked).filter(({ operation }) => operation === 'messages.send'),
      [],
    );
    await ada.submits();
    await ada.seesModal('Message sent', '+234 803 123 4567');
    assert.deepEqual(
      provider.record.map(({ to, text }) => [to, text]),
      [[['2348031234567'], 'Your parcel is at the gate']],
    );
    await ada.closes();
    await ada.closes();
    await openedBy(ada, '0803 123 4567');
    await ada.presses('Open');
    assert.doesNotMatch(wordsOf((await ada.seesModal('Message')).view), /Send again/);
  });
});

describe('the text of what was sent', () => {
  it('is for its sender, with the numbers in full, and for admins, with them masked', async (test) => {
    const { ada, guy, grace, slack, connect } = await joinTestApp(test);
    slack.setRole(guy.id, 'member');
    await connect();
    await send(ada, { to: '0803 123 4567, 0805 123 4567', text: 'Your parcel is at the gate' });
    await ada.seesModal('Message sent');
    await ada.closes();

    await ada.types('/sms', 'history');
    await ada.seesModal('History');
    await ada.presses('Open');
    const own = wordsOf((await ada.seesModal('Message')).view);
    assert.match(
      own,
      /To 2 numbers\*\n\+234 803 123 4567, \+234 805 123 4567[\s\S]*Your parcel is at the gate/,
    );
    assert.match(own, /\*Balance after\*\n24,991\.50/);

    await openedBy(grace);
    await grace.presses('Open');
    const seen = wordsOf((await grace.seesModal('Message')).view);
    assert.match(seen, /\+234803•••4567, \+234805•••4567[\s\S]*Your parcel is at the gate/);
    assert.ok(!seen.includes('803 123'));

    await openedBy(guy, '0803 123 4567');
    const other = wordsOf((await guy.seesModal('History', 'Message from a colleague')).view);
    assert.doesNotMatch(other, /parcel|PalmMarket|<@|Open/);
    await guy.fills('Phone number', '');
    await guy.seesModal('History', 'Nothing yet.');
  });

  it('says why it failed with the number in full for its sender alone', async (test) => {
    const { ada, grace, provider, connect } = await joinTestApp(test);
    await connect();
    provider.orderFault({ operation: 'messages.send', fault: { kind: 'bad_gateway' } });
    await send(ada, { to: '0803 123 4567', text: 'Hello' });
    await ada.seesModal('Message unconfirmed');
    await ada.closes();
    for (const [user, number] of [
      [ada, '+234 803 123 4567'],
      [grace, '+234803•••4567'],
    ] as const) {
      await openedBy(user);
      await user.presses('Open');
      const seen = wordsOf((await user.seesModal('Message')).view).replaceAll('\u00a0', ' ');
      assert.ok(seen.includes(`The message to ${number} may or may not have been sent.`), seen);
      assert.doesNotMatch(seen, /Send again/);
    }
  });

  it('is that of campaigns too: a recipient’s own where each has one', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await compose(ada, {
      file: 'number,name\n08051234568,Tolu\n08061234568,Bisi\n',
      text: 'Dear {{name}}, we moved',
      name: 'Move',
    });
    await start(ada);
    await ada.sees('*Done:*');
    await openedBy(ada, '0806 123 4568');
    const found = wordsOf((await ada.seesModal('History', /Campaign “Move”.*\n.*\*Sent\*/)).view);
    assert.ok(found.includes('Dear Bisi, we moved') && !found.includes('Tolu'));
    await ada.presses('Open');
    await ada.seesModal('Campaign', 'Dear {{name}}, we moved');
    await ada.presses('Open campaign');
    await ada.seesModal('Campaign', '*Move*');
  });

  it('is not kept of a one-time code', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/otp', '+2348031234567');
    await ada.fills('Send by', 'Voice call');
    await ada.seesModal('One-time code', 'A call reads the code out');
    await ada.submits();
    await ada.seesModal('Code sent');
    await ada.closes();
    await openedBy(ada);
    await ada.presses('Open');
    const entry = wordsOf((await ada.seesModal('One-time code')).view);
    assert.ok(entry.includes('+234 803 123 4567') && !entry.includes('Text') && !entry.includes('deleted'));
  });
});
