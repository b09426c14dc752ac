import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compose, eventually, personal, reached, recipients } from '../support/campaigns.ts';
import {
  customers,
  deactivatePalmMarket,
  inTheEvening,
  mtn,
  reviewCampaign,
  schedule,
} from '../support/evening.ts';
import { switchOnApprovals } from '../support/slack/approval-steps.ts';
import { support, wordsOf } from '../support/slack/slack-user.ts';
import { asksSlackbot } from '../support/slack/slackbot.ts';
import { review, startFrom } from '../support/slack/sms-steps.ts';
import { forEachDatabase } from '../support/store/databases.ts';

const minute = 60_000;
const hour = 60 * minute;

describe('a message that is sent after quiet hours began', () => {
  it('comes back from its review with the warning, and is sent once that was seen', async (test) => {
    const { ada, provider, pass } = await inTheEvening(test);
    await review(ada, { to: mtn, text: 'Your order is here', route: 'Promotional (generic)' });
    assert.doesNotMatch(wordsOf((await ada.seesModal('Message review')).view), /Quiet hours/);
    pass(10 * minute);
    await ada.submits();
    const again = wordsOf((await ada.seesModal('Message review', '*Nothing was sent.*')).view);
    assert.match(
      again,
      /Sending now would run into quiet hours[\s\S]*\*Quiet hours, [\s\S]*won’t receive this: MTN drops/,
    );
    assert.match(again, /Send anyway/);
    assert.equal(provider.record.length, 0);
    pass(10 * minute);
    await ada.submits();
    await ada.seesModal('Message sent');
    assert.deepEqual(reached(provider.record), [mtn]);
  });

  it('comes back in a direct message to somebody who has closed the modal meanwhile', async (test) => {
    const { ada, slack, provider, pass } = await inTheEvening(test);
    await review(ada, { to: mtn, text: 'Your order is here', route: 'Promotional (generic)' });
    await ada.seesModal('Message review');
    pass(10 * minute);
    const update = slack.hold('views.update');
    const submitted = ada.submits();
    await update.arrived;
    await ada.closes();
    update.release();
    await submitted;
    await ada.sees(/Message review\*: \*Nothing was sent\.\* Something has changed/);
    await ada.presses('Open the form again');
    await ada.seesModal('Message review', 'Send anyway');
    await ada.submits();
    await ada.seesModal('Message sent');
    assert.deepEqual(reached(provider.record), [mtn]);
  });

  it('comes back as a message too, as it was typed or drafted by Slackbot', async (test) => {
    const { ada, grace, provider, app, slack, pass } = await inTheEvening(test);
    await startFrom(grace, 'PalmMarket');
    const draft = { to: mtn, text: 'Your order is here', sender: 'PalmMarket' };
    const defaults = {
      country: 'NG',
      route: 'generic',
      senderId: 'PalmMarket',
      esimPurchases: true,
    } as const;
    await app().services.workspaces.saveDefaults('T0SWITCH', defaults);
    await asksSlackbot(slack, ada, 'draft_message', draft);
    await ada.sees('Your message is ready');
    pass(10 * minute);
    await ada.presses('Send');
    await ada.sees(/\*Nothing was sent\.\*[\s\S]*\*Quiet hours, /);
    assert.equal(provider.record.length, 0);
    await ada.presses('Send anyway');
    await ada.sees(/\*Sent\*/);
    assert.equal(provider.record.length, 1);
  });

  it('is sent at once on a route without quiet hours, or to another operator', async (test) => {
    const { ada, provider, pass } = await inTheEvening(test);
    await review(ada, { to: mtn, text: 'Your order is here', route: 'Transactional (DND)' });
    await ada.seesModal('Message review');
    pass(10 * minute);
    await ada.submits();
    await ada.seesModal('Message sent');
    assert.equal(provider.record.length, 1);
  });
});

it('a message whose sender ID was deactivated after its review comes back', async (test) => {
  const { ada, provider, pass } = await inTheEvening(test);
  await review(ada, { to: mtn, text: 'Your order is here' });
  assert.doesNotMatch(wordsOf((await ada.seesModal('Message review')).view), /not active/);
  deactivatePalmMarket(provider);
  pass(6 * minute);
  await ada.submits();
  const again = wordsOf(
    (await ada.seesModal('Message review', 'The provider doesn’t list the sender ID as active now.')).view,
  );
  assert.match(again, /Sender ID not active/);
  assert.equal(provider.record.length, 0);
  await ada.submits();
  await ada.seesModal('Message sent');
});

it('a test of a campaign in quiet hours asks first, for a number whose operator has them', async (test) => {
  const { ada, provider, pass } = await inTheEvening(test);
  await compose(ada, { pasted: customers.join(' '), route: 'Promotional (generic)' });
  await ada.seesModal('Campaign review');
  await ada.presses('Send a test to myself');
  const { view } = await ada.seesModal('Test message');
  assert.doesNotMatch(wordsOf(view), /Quiet hours/);
  pass(10 * minute);
  await ada.fills('Your phone number', mtn);
  await ada.submits();
  const again = wordsOf((await ada.seesModal('Test message', /Nothing was sent[\s\S]*Quiet hours/)).view);
  assert.match(again, /Send anyway/);
  assert.equal(provider.record.length, 0);
  // This number's network has no quiet hours.
  await ada.fills('Your phone number', '+2348050000001');
  await ada.submits();
  await ada.seesModal('Test message', 'Test sent');
  assert.deepEqual(reached(provider.record), ['+2348050000001']);
  await ada.closes();
  await ada.presses('Send a test to myself');
  await ada.fills('Your phone number', mtn);
  await ada.submits();
  await ada.seesModal('Test message', 'Quiet hours');
  await ada.submits();
  await ada.seesModal('Test message', 'Test sent');
  assert.equal(provider.record.length, 2);
  await ada.closes();
  // It remembers the number, so it warns right away.
  await ada.presses('Send a test to myself');
  assert.doesNotMatch(wordsOf((await ada.seesModal('Test message', 'Quiet hours')).view), /Nothing was sent/);
});

forEachDatabase(() => {
  describe('a campaign', () => {
    it('whose review is open when quiet hours begin comes back with the warning', async (test) => {
      const { ada, provider, pass } = await inTheEvening(test);
      await reviewCampaign(ada);
      pass(10 * minute);
      await ada.submits();
      const again = wordsOf((await ada.seesModal('Campaign review', '*Nothing was sent.*')).view);
      assert.match(again, /Quiet hours until 8:00 AM WAT[\s\S]*2 of 2 recipients/);
      assert.match(again, /Send anyway/);
      assert.equal(provider.record.length, 0);
      await ada.submits();
      await ada.sees('*Done:* 2 recipients');
      assert.deepEqual(reached(provider.record), customers.toSorted());
    });

    it('that starts late, in quiet hours, is paused, and its creator is asked', async (test) => {
      const { ada, provider, stopApp, startApp, pass } = await inTheEvening(test);
      await reviewCampaign(ada);
      await schedule(ada, '19:58', '6 hours');
      await ada.submits();
      await ada.sees('*Scheduled for');
      await ada.closes();
      await stopApp();
      pass(hour);
      await startApp();
      await ada.sees(/Your campaign is paused/);
      await ada.sees(/Sending would have run into quiet hours/);
      assert.equal(provider.record.length, 0);
      await ada.presses('Resume');
      await ada.seesModal('Resume campaign', /2 recipients get it now[\s\S]*Quiet hours[\s\S]*/);
      await ada.submits();
      await ada.sees('*Done:* 2 recipients');
      assert.deepEqual(reached(provider.record), customers.toSorted());
    });

    it('that was scheduled for quiet hours with the warning starts at its time', async (test) => {
      const { ada, provider, restart, pass } = await inTheEvening(test);
      await reviewCampaign(ada);
      await schedule(ada, '21:00');
      await ada.seesModal('Campaign review', /Quiet hours/);
      await ada.submits();
      await ada.sees('*Scheduled for');
      pass(hour + 6 * minute);
      await restart();
      await ada.sees('*Done:* 2 recipients');
      assert.equal(provider.record.length, 1);
    });

    it('that is moved into quiet hours, or started in them, asks first', async (test) => {
      const { ada, provider, pass } = await inTheEvening(test);
      await reviewCampaign(ada);
      await schedule(ada, '19:59');
      await ada.submits();
      await ada.sees('*Scheduled for');
      await ada.closes();
      await ada.presses('Change time');
      await ada.seesModal('Start time');
      await ada.fills('Time', '21:00');
      await ada.submits();
      const { view } = await ada.seesModal('Start time', /Nothing was sent[\s\S]*quiet hours/);
      assert.match(JSON.stringify(view), /"initial_time":"21:00"/);
      await ada.fills('Time', '22:00');
      await ada.submits();
      await ada.seesModal('Campaign', /Scheduled for/);
      await ada.closes();
      pass(10 * minute);
      await ada.presses('Start now');
      const confirmation = wordsOf(
        (await ada.seesModal('Start now', /Quiet hours, 8:00 PM to 8:00 AM/)).view,
      );
      assert.match(confirmation, /Send anyway/);
      assert.equal(provider.record.length, 0);
      await ada.submits();
      await ada.sees('*Done:* 2 recipients');
    });

    it('that was moved away from quiet hours after a warning is paused if it starts so late that it meets them', async (test) => {
      const { ada, provider, stopApp, startApp, pass } = await inTheEvening(test);
      await reviewCampaign(ada);
      await schedule(ada, '19:59', 'Any time');
      await ada.submits();
      await ada.sees('*Scheduled for');
      await ada.closes();
      await ada.presses('Change time');
      await ada.seesModal('Start time');
      await ada.fills('Time', '21:00');
      await ada.submits();
      await ada.seesModal('Start time', /Nothing was sent[\s\S]*quiet hours/);
      await ada.fills('Date', '2030-03-06');
      await ada.fills('Time', '09:00');
      await ada.submits();
      await ada.seesModal('Campaign', /Scheduled for/);
      await stopApp();
      pass(25 * hour);
      await startApp();
      await ada.sees(/\*Paused:\*[\s\S]*Sending would have run into quiet hours/);
      assert.equal(provider.record.length, 0);
    });

    it('that was paused by day asks before it goes on in quiet hours', async (test) => {
      const slow = { CAMPAIGN_MESSAGES_PER_SECOND: '2' };
      const { ada, grace, provider, pass } = await inTheEvening(test, slow);
      const numbers = recipients(60).map((number) => number.replace('+234805', '+234803'));
      await compose(ada, { file: personal(numbers), text: 'Hello {{name}}', route: 'Promotional (generic)' });
      await ada.seesModal('Campaign review');
      await ada.submits();
      await ada.sees('*Sending:*');
      await ada.closes();
      await eventually(() => provider.record.length > 0, 'the first messages');
      await ada.presses('Pause');
      await ada.sees('*Paused');
      // It has started, so the rest needs no approval, whatever an admin changes.
      await switchOnApprovals(grace, { recipients: '1', channel: support });
      pass(10 * minute);
      await ada.presses('Resume');
      const { view } = await ada.seesModal(
        'Resume campaign',
        /recipients get it now[\s\S]*Quiet hours, 8:00 PM to 8:00 AM/,
      );
      assert.match(wordsOf(view), /Send anyway/);
      assert.doesNotMatch(wordsOf(view), /approval/);
      assert.ok(provider.record.length < numbers.length);
      await ada.submits();
      await ada.sees('*Done:* 60 recipients');
      assert.deepEqual(reached(provider.record), numbers.toSorted());
    });

    it('whose sender ID is deactivated says so before it is started or resumed', async (test) => {
      const { ada, provider, pass } = await inTheEvening(test);
      await compose(ada, { pasted: customers.join(' ') });
      await ada.seesModal('Campaign review');
      await schedule(ada, '20:05');
      await ada.submits();
      await ada.sees('*Scheduled for');
      await ada.closes();
      deactivatePalmMarket(provider);
      pass(6 * minute);
      await ada.presses('Start now');
      await ada.seesModal('Start now', '*The sender ID isn’t active.*');
      await ada.closes();
      deactivatePalmMarket(provider);
      pass(6 * minute);
      await ada.sees(/\*Paused:\*[\s\S]*The sender ID isn’t active\./);
      await ada.presses('Resume');
      const { view } = await ada.seesModal(
        'Resume campaign',
        /\*Nothing was sent\.\* The provider doesn’t list[\s\S]*\*The sender ID isn’t active\.\*/,
      );
      assert.match(wordsOf(view), /2 recipients get it now/);
      assert.equal(provider.record.length, 0);
      await ada.submits();
      await ada.sees('*Done:* 2 recipients');
    });

    it('that repeats has the run paused that would be late enough for quiet hours', async (test) => {
      const { ada, provider, stopApp, startApp, pass } = await inTheEvening(test);
      await reviewCampaign(ada);
      await ada.fills('Start', 'Repeat');
      await ada.fills('Date', '2030-03-05');
      await ada.fills('Time', '19:58');
      await ada.fills('Until', '2030-03-20');
      await ada.fills('If delayed, still start within', '6 hours');
      await ada.submits();
      await ada.sees(/\(5 Mar 2030\)[\s\S]*Scheduled for/);
      await stopApp();
      pass(8 * minute);
      await startApp();
      await ada.sees(/\(5 Mar 2030\)[\s\S]*\*Paused:\*[\s\S]*Sending would have run into quiet hours/);
      assert.equal(provider.record.length, 0);
    });

    it('that needs approval since it was scheduled is paused at its time, and asks for it', async (test) => {
      const { ada, grace, provider, restart, pass } = await inTheEvening(test);
      await compose(ada, { pasted: customers.join(' ') });
      await ada.seesModal('Campaign review');
      await schedule(ada, '20:30');
      await ada.submits();
      await ada.sees('*Scheduled for');
      await ada.closes();
      await switchOnApprovals(grace, { recipients: '1', channel: support });
      pass(40 * minute);
      await restart();
      await ada.sees(/Your campaign is paused: it needs approval now\./);
      await ada.sees(
        /It needs approval now, and didn’t when it was scheduled\. Nothing was sent\.\nResume to ask for approval, or cancel\./,
      );
      assert.equal(provider.record.length, 0);
      await ada.presses('Resume');
      await ada.seesModal('Resume campaign', 'Needs approval');
      await ada.submits();
      await ada.seesModal('Approval', /Waiting for approval/);
      await grace.sees('asks for approval');
      await grace.presses('Approve');
      await ada.sees('*Done:* 2 recipients');
      assert.equal(provider.record.length, 1);
    });
  });
});
