import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startRestorable } from '../support/app/restorable.ts';
import { compose, recipients } from '../support/campaigns.ts';
import type { SlackUser } from '../support/slack/slack-user.ts';
import { runningClock } from '../support/time/test-clock.ts';

const env = { CAMPAIGN_MESSAGES_PER_SECOND: '10000' };

describe('a campaign that repeats, after a restore of the data,', () => {
  it('asks of each run that was left as repeating was stopped whether it was sent, and does as it is told', async (test) => {
    const { clock, pass } = runningClock(new Date(Date.UTC(2077, 6, 5, 4)));
    const testApp = await startRestorable(test, { env, clock });
    const { ada, provider, connect } = testApp;
    await connect();
    for (const name of ['Monday news', 'Market news']) {
      await repeatOnMondays(ada, name);
      await ada.presses('Stop repeating');
      await ada.seesModal('Stop repeating', /No new runs\./);
      await ada.submits();
      await ada.seesModal('Campaign', /Stopped repeating/);
      await ada.closes();
    }
    await testApp.backUp();
    pass(8 * 60 * 60_000);
    await testApp.putBack();
    for (const [answer, outcome] of [
      ['Send the latest', /news \(5 Jul 2077\)[\s\S]*\*Done:\* 3 recipients/],
      [
        'These runs were sent',
        /news \(5 Jul 2077\)[\s\S]*\*Cancelled[^*]*:\* 3 recipients\. It may have been sent before/,
      ],
    ] as const) {
      await ada.types('/sms', 'bulk list');
      await ada.seesModal('Campaigns', /\(5 Jul 2077\)[\s\S]*Paused/);
      await ada.presses('Open');
      await ada.presses('Resume');
      await ada.seesModal('Resume campaign', /news[\s\S]*whether this run was sent[\s\S]*5 Jul 2077/);
      await ada.fills('These runs', answer);
      await ada.submits();
      await ada.seesModal('Campaign', /news/);
      await ada.closes();
      await ada.sees(outcome);
    }
    assert.equal(provider.record.length, 1);
  });

  it('asks which runs of a campaign that repeats were sent, before it sends any', async (test) => {
    const { clock, pass } = runningClock(new Date(Date.UTC(2077, 6, 5, 4)));
    const testApp = await startRestorable(test, { env, clock });
    const { ada, provider, connect } = testApp;
    await connect();
    await repeatOnMondays(ada, 'Monday news');
    await testApp.backUp();
    pass(8 * 60 * 60_000);
    await testApp.restart();
    await ada.sees(/\(5 Jul 2077\)[\s\S]*\*Done:\* 3 recipients/);
    await testApp.putBack();

    // One question for both the run and its repeating campaign.
    await ada.types('/sms', 'bulk list');
    await ada.seesModal('Campaigns', /5 Jul 2077[\s\S]*Paused/);
    await ada.presses('Open');
    await ada.presses('Resume');
    await ada.seesModal(
      'Resume repeating',
      /Monday news[\s\S]*doesn’t show whether this run was sent[\s\S]*5 Jul 2077/,
    );
    await ada.submits();
    await ada.seesModal('Campaign', /Repeats every week[\s\S]*12 Jul 2077/);
    await testApp.restart();
    assert.equal(provider.record.length, 1);
    pass(7 * 24 * 60 * 60_000);
    await testApp.restart();
    await ada.sees(/\(12 Jul 2077\)[\s\S]*\*Done:\* 3 recipients/);
    assert.equal(provider.record.length, 2);
  });
});

/** Schedules a campaign for every Monday at 10:30 in London, with any delay, on the first Monday. */
async function repeatOnMondays(person: SlackUser, name: string): Promise<void> {
  await compose(person, { pasted: recipients(3).join('\n'), name });
  await person.seesModal('Campaign review');
  await person.fills('Start', 'Repeat');
  await person.fills('Date', '2077-07-05');
  await person.fills('Time', '10:30');
  await person.fills('If delayed, still start within', 'Any time');
  await person.fills('Until', '2077-07-26');
  await person.submits();
  await person.seesModal(/Scheduled|Campaign/, /Repeats every week/);
  await person.closes();
  await person.sees(new RegExp(`${name} \\(5 Jul 2077\\)[\\s\\S]*Scheduled for`));
}
