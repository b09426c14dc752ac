import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forOneAndThreeInstances } from '../support/app/instances.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { compose, reached, recipients } from '../support/campaigns.ts';
import type { SlackUser } from '../support/slack/slack-user.ts';
import { runningClock } from '../support/time/test-clock.ts';

const fast = { env: { CAMPAIGN_MESSAGES_PER_SECOND: '10000' } };
const hour = 60 * 60_000;
const day = 24 * hour;

/** In the future: requests with a signature from the past are refused. A Monday, 09:00 in London. */
const monday = new Date(Date.UTC(2077, 6, 5, 8));

/** Schedules the campaign of the review that is open every week, from Monday at 10:30 in London on. */
async function repeatWeekly(person: SlackUser, until: string, late = '1 hour'): Promise<void> {
  await person.seesModal('Campaign review');
  await person.fills('Start', 'Repeat');
  await person.fills('Date', '2077-07-05');
  await person.fills('Time', '10:30');
  await person.fills('If delayed, still start within', late);
  await person.fills('Until', until);
  await person.submits();
}

forOneAndThreeInstances(() => {
  describe('a campaign that repeats', () => {
    it('sends each week to those who are left, but for the run that is skipped', async (test) => {
      const { clock, pass } = runningClock(monday);
      const { grace, provider, connect, restart } = await startTestApp(test, { ...fast, clock });
      await connect();
      await compose(grace, { pasted: recipients(3).join(' ') });
      await repeatWeekly(grace, '2077-07-01');
      assert.match(grace.errorBeside('Until') ?? '', /after the first/);
      await grace.fills('Until', '2077-07-26');
      await grace.seesModal('Campaign review', /4 runs, the first one .*10:30 AM London time/);
      await Promise.all([grace.submits(), grace.submits()]);
      await grace.seesModal(/Scheduled|Campaign/, /Repeats every week until 26 Jul 2077/);
      await grace.closes();
      await grace.sees(/\*Repeats every week until 26 Jul 2077:\* 3 recipients/);
      await grace.sees(/\(5 Jul 2077\)[\s\S]*Scheduled for/);
      pass(2 * hour);
      await restart();
      await grace.sees(/\(5 Jul 2077\)[\s\S]*\*Done:\* 3 recipients/);
      assert.deepEqual(reached(provider.record), recipients(3).sort());

      await grace.presses('Skip next run');
      await grace.seesModal('Skip next run', /\(3 recipients\) won’t be sent\. Later runs stay/);
      await Promise.all([grace.submits(), grace.submits()]);
      await grace.seesModal('Campaign', /Next to appear:/);
      await grace.closes();
      pass(7 * day);
      await restart();
      pass(7 * day);
      await restart();
      await grace.sees(/\(19 Jul 2077\)[\s\S]*\*Done:\* 3 recipients/);
      assert.equal(provider.record.length, 2, 'the one of 12 July was skipped');

      await grace.presses('Stop repeating');
      await grace.seesModal('Stop repeating', /No new runs\./);
      await grace.submits();
      await grace.seesModal('Campaign', /Stopped repeating/);
      pass(14 * day);
      await restart();
      await grace.closes();
      await grace.types('/sms', 'bulk list');
      await grace.seesModal('Campaigns', /19 Jul 2077/);
      assert.equal(provider.record.length, 2);
    });

    it('says which run still goes out when it is stopped, and leads to that run, to cancel it', async (test) => {
      const { clock, pass } = runningClock(monday);
      const { grace, provider, connect, restart } = await startTestApp(test, { ...fast, clock });
      await connect();
      await compose(grace, { pasted: recipients(3).join(' ') });
      await repeatWeekly(grace, '2077-07-26');
      await grace.seesModal(/Scheduled|Campaign/, /Repeats every week/);
      await grace.closes();
      await grace.sees(/\(5 Jul 2077\)[\s\S]*Scheduled for/);
      await grace.sees(/\*Repeats every week[\s\S]*Next to appear: the run /);
      await grace.presses('Stop repeating');
      await grace.seesModal(
        'Stop repeating',
        /No new runs\.\nThe run .*10:30 AM.* \(3 recipients\) still goes out unless you cancel it/,
      );
      await grace.submits();
      await grace.seesModal(
        'Campaign',
        /Stopped repeating[\s\S]*The run .*10:30 AM.* \(3 recipients\) still goes out unless you cancel it/,
      );
      await grace.presses('Open run');
      await grace.seesModal('Campaign', /\(5 Jul 2077\)[\s\S]*Scheduled for/);
      await grace.presses('Cancel campaign');
      await grace.seesModal('Cancel campaign', 'Nothing has been sent yet');
      await grace.submits();
      await grace.seesModal('Campaign', 'Cancelled');
      await grace.closes();
      pass(2 * hour);
      await restart();
      assert.equal(provider.record.length, 0);
    });

    it('sends one late run after three weeks without Switchboard, and tells its creator once which were missed', async (test) => {
      const { clock, pass } = runningClock(monday);
      const { grace, provider, connect, restart } = await startTestApp(test, { ...fast, clock });
      await connect();
      await compose(grace, { pasted: recipients(3).join(' ') });
      await repeatWeekly(grace, '2077-08-30', 'Any time');
      await grace.seesModal(/Scheduled|Campaign/, /Repeats every week/);
      await grace.closes();
      await grace.sees(/\(5 Jul 2077\)[\s\S]*Scheduled for/);
      pass(21 * day + 4 * hour);
      await restart();
      await grace.sees(/\(26 Jul 2077\)[\s\S]*\*Done:\* 3 recipients/);
      await grace.sees(/3 runs missed[\s\S]*5 Jul 2077[\s\S]*12 Jul 2077[\s\S]*19 Jul 2077/);
      await grace.sees(/\(5 Jul 2077\)[\s\S]*\*Missed:\* 3 recipients/);
      await restart();
      assert.equal(provider.record.length, 1);
      assert.equal(grace.messages().filter(({ text }) => /runs missed/.test(text ?? '')).length, 1);
      await grace.types('/sms', 'bulk list');
      await grace.seesModal('Campaigns', /19 Jul 2077[\s\S]*Missed/);
    });
  });
});
