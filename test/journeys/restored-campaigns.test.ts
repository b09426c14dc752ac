import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startRestorable } from '../support/app/restorable.ts';
import { startTestApp } from '../support/app/test-app.ts';
import {
  compose,
  eventually,
  followUp,
  personal,
  provided,
  reached,
  recipients,
  start,
} from '../support/campaigns.ts';
import { customers } from '../support/evening.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { lagosAt, review, startFrom } from '../support/slack/sms-steps.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runningClock } from '../support/time/test-clock.ts';

const env = { CAMPAIGN_MESSAGES_PER_SECOND: '10000' };

describe('campaigns after a restore of the data', () => {
  it('does not retry rejected recipients whose retry it has forgotten', async (test) => {
    const testApp = await startRestorable(test, { env });
    const { ada, provider, connect } = testApp;
    await connect();
    await compose(ada, {
      file: `Name,Phone\nAda,${recipients(1)}\nBola,+2348030009422`,
      text: 'Hello {{name}}',
    });
    await start(ada);
    await ada.sees('*Done:* 2 recipients');
    await ada.closes();
    await testApp.backUp();
    await followUp(ada, 'Rejected (1)');
    await start(ada);
    await ada.sees('*Done:* 1 recipient');
    await ada.closes();
    const asked = provider.arrivals.length;
    await testApp.putBack();
    await ada.types('/sms', 'bulk list');
    await ada.seesModal('Campaigns');
    await ada.presses('Open');
    await ada.seesModal('Campaign');
    await followUp(ada, 'Rejected (1)');
    await ada.seesTrouble('was open before Switchboard’s data was restored');
    assert.equal(provider.arrivals.length, asked);
  });

  it('sends nothing once the data was removed while it runs, and says so', async (test) => {
    const folder = join(temporaryFolder(test), 'data');
    const testApp = await startTestApp(test, {
      env: { CAMPAIGN_MESSAGES_PER_SECOND: '20' },
      dataDir: folder,
    });
    const { ada, grace, provider, connect, log } = testApp;
    await connect();
    await startFrom(grace, 'PalmMarket');
    await compose(ada, { file: personal(recipients(900)), text: 'Hello {{name}}' });
    await start(ada);
    await provided(provider, 5);
    await review(grace, { to: '+2348031234567', text: 'Hello' });
    await grace.seesModal('Message review');
    renameSync(join(folder, 'switchboard.db'), join(folder, 'away.db'));
    await eventually(() => log().includes('was removed or replaced while Switchboard runs'), 'the next turn');
    const words = /data was removed or replaced, and nothing more is sent until that is fixed/;
    await grace.submits();
    await grace.seesTrouble(words);
    await grace.closes();
    // Requests that had left when the data went have arrived by now.
    const asked = provider.arrivals.length;
    await grace.types('/sms', '+2348031234568 Hello');
    await grace.sees(words);
    await compose(grace, { pasted: recipients(2).join('\n') });
    await grace.seesTrouble(words);
    assert.equal(provider.arrivals.length, asked);
    assert.ok(provider.record.every(({ text }) => text !== 'Hello'));
  });

  it('pauses campaigns until somebody resumes them, and tells an admin, their creators, and everyone at Home', async (test) => {
    const clock = lagosAt(9);
    const testApp = await startRestorable(test, { env: { CAMPAIGN_MESSAGES_PER_SECOND: '2' }, clock });
    const { ada, grace, provider, connect, log } = testApp;
    await connect();
    await compose(ada, { pasted: recipients(3).join('\n'), name: 'Evening' });
    await ada.seesModal('Campaign review');
    await ada.fills('Start', 'Schedule');
    await ada.fills('Date', clock.now().toISOString().slice(0, 10));
    await ada.fills('Time', '20:00');
    await ada.submits();
    await ada.sees('*Scheduled for');
    await ada.closes();
    await compose(ada, { file: personal(recipients(30)), text: 'Hello {{name}}', name: 'Opening' });
    await start(ada);
    await provided(provider, 5);
    await testApp.backUp();
    await provided(provider, 30);
    await testApp.putBack();

    for (const person of [ada, grace]) {
      const notice = wordsOf(await person.sees('data was restored from a backup or copied'));
      assert.match(notice, /Paused: 2 campaigns or scheduled messages\./);
      assert.match(
        await person.seesHome('data was restored'),
        /check the provider’s dashboard before you resume/,
      );
    }
    await grace.types('/switchboard');
    await grace.seesModal('Switchboard', 'data was restored');
    await ada.sees(/\*Opening\*[\s\S]*\*Paused:\*[\s\S]*may have the message already/);
    assert.match(log(), /"noticed":"other_files","campaigns":2/);
    await testApp.restart();
    assert.equal(reached(provider.record).length, 30);
    const notices = ada.messages().filter(({ text }) => text.includes('data was restored'));
    assert.equal(notices.length, 1);

    const resumes = async () => {
      await ada.presses('Resume');
      await ada.seesModal('Resume campaign', 'may have got the message already');
      await ada.submits();
    };
    await resumes();
    await ada.sees('*Done:* 30 recipients');
    await ada.closes();
    await resumes();
    await ada.sees('*Scheduled for');
  });

  it('asks about the start time of a campaign that was held before it, not about the night in which it is resumed', async (test) => {
    const { clock, pass } = runningClock(new Date('2030-03-05T19:05:00Z'));
    const testApp = await startRestorable(test, { env, clock });
    const { ada, provider, connect } = testApp;
    await connect();
    await compose(ada, { pasted: customers.join(' '), route: 'Promotional (generic)' });
    await ada.seesModal('Campaign review');
    await ada.fills('Start', 'Schedule');
    await ada.fills('Date', '2030-03-06');
    await ada.fills('Time', '09:00');
    await ada.fills('If delayed, still start within', 'Any time');
    await ada.submits();
    await ada.sees('*Scheduled for');
    await ada.closes();
    await testApp.backUp();
    await testApp.putBack();
    await ada.sees(/\*Paused/);
    await ada.presses('Resume');
    const { view } = await ada.seesModal('Resume campaign', 'may have got the message already');
    assert.doesNotMatch(wordsOf(view), /Quiet hours|Send anyway/);
    await ada.submits();
    await ada.sees('*Scheduled for');
    await testApp.stopApp();
    pass(24 * 60 * 60_000);
    await testApp.startApp();
    await ada.sees(/\*Paused:\*[\s\S]*Sending would have run into quiet hours/);
    assert.equal(provider.record.length, 0);
  });
});
