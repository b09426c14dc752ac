import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { compose, downloads, reached, recipients, start } from '../support/campaigns.ts';
import { resultOf } from '../support/slack/number-files.ts';
import { support, wordsOf } from '../support/slack/slack-user.ts';
import { lagosAt } from '../support/slack/sms-steps.ts';
import { runningClock } from '../support/time/test-clock.ts';

const fast = { env: { CAMPAIGN_MESSAGES_PER_SECOND: '10000' } };

describe('a campaign for later', () => {
  it('starts at its time in the user’s zone, and shows it in both zones', async (test) => {
    // In the future: requests with a signature from the past are refused.
    const { clock, pass } = runningClock(new Date(Date.UTC(2077, 6, 5, 9)));
    const { grace, provider, connect, restart } = await startTestApp(test, { ...fast, clock });
    await connect();
    await compose(grace, { pasted: recipients(2).join(' ') });
    await grace.seesModal('Campaign review');
    await grace.fills('Start', 'Schedule');
    await grace.fills('Date', '2077-07-05');
    await grace.fills('Time', '09:30');
    await grace.submits();
    assert.match(grace.errorBeside('Time') ?? '', /has passed/);
    await grace.fills('Time', '10:30');
    await grace.seesModal('Campaign review', /10:30 AM London time · .*10:30 AM WAT/);
    await grace.submits();
    await grace.seesModal('Scheduled', '10:30 AM London time');
    await grace.sees(/\*Scheduled for/);
    assert.equal(provider.record.length, 0);
    pass(45 * 60_000);
    await restart();
    const summary = await grace.sees(/\*Done:\* 2 recipients[\s\S]*15 minutes late/);
    const ring = await grace.sees('<@U0ADMIN> Your campaign is done: sent to 2 of 2 recipients');
    assert.equal(ring.threadTs, summary.ts);
    assert.equal(provider.record.length, 1);
  });

  it('starts by the clock of a person of whom Slack knows only the offset', async (test) => {
    const { clock } = runningClock(new Date(Date.UTC(2077, 6, 5, 9)));
    const { grace, slack, connect } = await startTestApp(test, { ...fast, clock });
    slack.setTimeZone(grace.id, '+05:30');
    await connect();
    await compose(grace, { pasted: recipients(2).join(' ') });
    await grace.seesModal('Campaign review');
    await grace.fills('Start', 'Schedule');
    await grace.seesModal('Campaign review', 'Your time zone: +05:30');
    await grace.fills('Date', '2077-07-05');
    await grace.fills('Time', '16:30');
    await grace.seesModal('Campaign review', /4:30 PM UTC\+05:30 · .*12:00 PM WAT/);
    await grace.submits();
    await grace.seesModal('Scheduled', '4:30 PM UTC+05:30');
  });

  for (const where of ['in a channel', 'in a message']) {
    it(`notifies its creator when it is paused as soon as it starts: shown ${where}`, async (test) => {
      const { clock, pass } = runningClock(new Date(Date.UTC(2077, 6, 5, 9)));
      const { grace, provider, connect, stopApp, startApp } = await startTestApp(test, { ...fast, clock });
      await connect();
      await compose(grace, { pasted: recipients(2).join(' ') });
      await grace.seesModal('Campaign review');
      await grace.fills('Start', 'Schedule');
      await grace.fills('Date', '2077-07-05');
      await grace.fills('Time', '10:30');
      if (where === 'in a channel') {
        await grace.fills('Post progress to', 'A channel');
        await grace.fills('Channel', support);
      }
      await grace.submits();
      const { ts } = await grace.sees('*Scheduled for');
      provider.setBalance(0);
      await stopApp();
      pass(45 * 60_000);
      await startApp();
      const ring = await grace.sees('<@U0ADMIN> Your campaign is paused');
      assert.equal(ring.threadTs, ts);
      await grace.sees(/\*Paused:\*[\s\S]*The balance is too low/);
    });
  }

  it('is not sent when it would start later than the user allows', async (test) => {
    const { clock, pass } = runningClock(new Date(Date.UTC(2077, 6, 5, 9)));
    const { grace, provider, connect, stopApp, startApp } = await startTestApp(test, { ...fast, clock });
    await connect();
    await compose(grace, { pasted: recipients(2).join(' ') });
    await grace.seesModal('Campaign review');
    await grace.fills('Start', 'Schedule');
    await grace.fills('Date', '2077-07-05');
    await grace.fills('Time', '10:30');
    await grace.submits();
    await grace.seesModal('Scheduled');
    await stopApp();
    pass(3 * 60 * 60_000);
    await startApp();
    const missed = await grace.sees(/\*Missed:\* 2 recipients\. Nothing was sent\.[\s\S]*Scheduled for/);
    const ring = await grace.sees('<@U0ADMIN> Your campaign missed its start. Nothing was sent.');
    assert.equal(ring.threadTs, missed.ts);
    assert.equal(provider.record.length, 0);
    await grace.closes();
    await grace.presses('Start now');
    await grace.seesModal('Start now', '2 recipients get it now.');
    await Promise.all([grace.submits(), grace.submits()]);
    const summary = await grace.sees('*Done:* 2 recipients');
    assert.equal(summary.ts, missed.ts);
    assert.deepEqual(reached(provider.record), recipients(2).sort());
  });

  it('is moved, edited and started now, and never starts with its former text', async (test) => {
    const { clock, pass } = runningClock(new Date(Date.UTC(2077, 6, 5, 9)));
    const { ada, grace, provider, connect } = await startTestApp(test, { ...fast, clock });
    await connect();
    await compose(ada, { file: 'Name,Phone\nAda,08050000010\n,08050000020', text: 'Hello {{name}}' });
    await ada.seesModal('Campaign review');
    await ada.fills('Start', 'Schedule');
    await ada.fills('Date', '2077-07-05');
    await ada.fills('Time', '11:00');
    await ada.fills('Post progress to', 'A channel');
    await ada.fills('Channel', support);
    await ada.submits();
    const scheduled = await ada.sees('*Scheduled for');
    assert.doesNotMatch(wordsOf(scheduled), /Lagos|WAT/, 'once, for somebody in Lagos');
    await ada.closes();

    await grace.presses('Change time');
    await grace.seesModal('Start time', /Your time zone: Europe\/London/);
    await grace.fills('Time', '09:00');
    await grace.submits();
    assert.match(grace.errorBeside('Time') ?? '', /has passed/);
    await grace.fills('Time', '12:00');
    await grace.submits();
    await grace.seesModal('Campaign', /Scheduled for[\s\S]*WAT/);
    await grace.closes();

    await grace.presses('Edit');
    await grace.sees('Only its creator can edit a campaign.');
    await ada.presses('Edit');
    await ada.seesModal('Edit campaign', 'Nothing has been sent yet.');
    await ada.submits();
    await ada.seesModal('New campaign', '1 recipient of customers.csv');
    const earlier = await ada.sees('*No longer scheduled.* It’s a draft. Nothing was sent.');
    assert.equal(earlier.ts, scheduled.ts);
    pass(4 * 60 * 60_000);
    await ada.fills('Message', 'Dear {{name|friend}}');
    await ada.submits();
    await ada.seesModal('Campaign review', /\*2 recipients[\s\S]*Dear Ada/);
    assert.equal(provider.record.length, 0);
    await ada.submits();
    await ada.sees('*Done:* 2 recipients');
    assert.deepEqual(provider.record.map(({ text }) => text).sort(), ['Dear Ada', 'Dear friend']);
    await ada.closes();
    await ada.types('/sms', 'bulk list');
    const { view } = await ada.seesModal('Campaigns', 'Recent');
    assert.doesNotMatch(wordsOf(view), /Drafts|Active/);
  });

  it('keeps what was typed when nobody of its list can be sent the edited text', async (test) => {
    const { clock } = runningClock(new Date(Date.UTC(2077, 6, 5, 9)));
    const { ada, provider, connect } = await startTestApp(test, { ...fast, clock });
    await connect();
    await compose(ada, { file: 'Name,City,Phone\n₦Ada,,08050000010', text: 'Hello there' });
    await ada.seesModal('Campaign review');
    await ada.fills('Start', 'Schedule');
    await ada.fills('Date', '2077-07-06');
    await ada.fills('Time', '11:00');
    await ada.submits();
    await ada.sees('*Scheduled for');
    await ada.closes();

    await ada.presses('Edit');
    await ada.seesModal('Edit campaign');
    await ada.submits();
    await ada.seesModal('New campaign', '1 recipient of customers.csv');
    await ada.fills('Message', 'Hello {{city}}');
    await ada.submits();
    assert.match(ada.errorBeside('Message') ?? '', /No recipients left.*has no city/);
    await ada.fills('Message', 'Hello {{name}}');
    await ada.submits();
    await ada.seesModal('Import failed', 'has characters that can’t be sent: ₦');
    await ada.presses('Edit');
    await ada.seesModal('New campaign', /1 recipient of customers\.csv[\s\S]*Hello \{\{name\}\}/);
    await ada.fills('Message', 'Hello all');
    await ada.submits();
    await ada.seesModal('Campaign review', /\*1 recipient[\s\S]*Hello all[\s\S]*tomorrow, 11:00 AM WAT/);
    await ada.presses('Edit');
    await ada.seesModal('New campaign');
    await ada.submits();
    await ada.seesModal('Campaign review');
    await ada.submits();
    await ada.seesModal('Scheduled', 'tomorrow, 11:00 AM WAT');
    assert.equal(provider.record.length, 0);
  });

  it('gives files that can be uploaded again, with every column', async (test) => {
    const { ada, slack, connect } = await joinTestApp(test, fast);
    await connect();
    const file =
      'Name;Phone;Note\nAda;+2348050000010;=1+1\n-Bola;0803 000 9422;"a;b"\nChidi;0803;\nDayo;+2348030009601;';
    await compose(ada, { file, text: 'Hello {{name}}' });
    await ada.seesModal('Campaign review', '3 recipients');
    await start(ada);
    await ada.sees('*Done:* 3 recipients');
    await ada.closes();
    const download = async (button: string, name: string) => {
      await downloads(ada, button);
      const written = await ada.sees(`customers.csv* · ${name}`);
      await ada.closes();
      return resultOf(slack, written);
    };
    assert.deepEqual(
      (await download('Download skipped rows (1)', 'Skipped rows')).map((row) => row.replace(/,[^,]+$/, '')),
      ['\uFEFFline,Name,Phone,Note', '4,Chidi,0803,'],
    );
    const all = await download('Download all (3)', 'All results');
    assert.equal(
      all[0],
      '\uFEFFnumber,Name,Phone,Note,state,provider_id,reason,pages,delivery,provider_status,delivery_known_from,delivery_known_at,cost',
    );
    assert.match(all[1] ?? '', /^\+2348050000010,Ada,\+2348050000010,'=1\+1,Sent,[^,]+,,1,,,,,$/);
    assert.match(all[2] ?? '', /^\+2348030009422,'-Bola,0803 000 9422,"a;b",Rejected,,[^,]+.*,1,,,,,$/);
    assert.match(all[3] ?? '', /^\+2348030009601,Dayo,\+2348030009601,,Unconfirmed,/);

    const rejected = await download('Download rejected (1)', 'Rejected by the provider');
    await compose(ada, { file: rejected.join('\r\n'), text: 'Hello {{name}}, {{note}}' });
    await ada.seesModal('Campaign review', /\*1 recipient[\s\S]*Hello -Bola, a;b/);
  });

  it('waits for 08:00 in Lagos when quiet hours would hold it back', async (test) => {
    const { ada, provider, connect } = await startTestApp(test, { ...fast, clock: lagosAt(21) });
    await connect();
    await compose(ada, { pasted: '08031234568 08050000010', route: 'Promotional (generic)' });
    const { view } = await ada.seesModal('Campaign review', /, 8:00 AM WAT/);
    assert.match(wordsOf(view), /Schedule for 2\n/);
    await ada.fills('Start', 'Now');
    await ada.seesModal('Campaign review', /Quiet hours until 8:00 AM WAT\.\* \*1 of 2 recipients \(50%\)/);
    assert.match(wordsOf(ada.modal()?.view), /Send anyway/);
    await ada.fills('Start', 'Schedule');
    await ada.seesModal('Campaign review', /Schedule for 2\n[\s\S]*tomorrow, 8:00 AM WAT/);
    await ada.fills('Start', 'At 8:00 AM WAT');
    await ada.seesModal('Campaign review', /8:00 AM WAT/);
    await ada.submits();
    await ada.seesModal('Scheduled', '8:00 AM WAT');
    await ada.sees('*Scheduled for');
    await ada.closes();
    await ada.types('/sms', 'bulk list');
    await ada.seesModal('Campaigns', /“[^”]+”[\s\S]*Scheduled for/);
    await ada.presses('Open');
    await ada.seesModal('Campaign', 'Scheduled');
    await ada.presses('Cancel campaign');
    await ada.seesModal('Cancel campaign');
    await ada.submits();
    await ada.seesModal('Campaign', 'Cancelled by <@U0AGENT>');
    assert.equal(provider.record.length, 0);
  });
});
