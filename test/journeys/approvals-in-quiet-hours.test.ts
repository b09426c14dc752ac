import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compose, reached } from '../support/campaigns.ts';
import {
  customers,
  deactivatePalmMarket,
  inTheEvening,
  reviewCampaign,
  schedule,
} from '../support/evening.ts';
import { switchOnApprovals } from '../support/slack/approval-steps.ts';
import { support, wordsOf } from '../support/slack/slack-user.ts';
import { forEachDatabase } from '../support/store/databases.ts';

const minute = 60_000;
const hour = 60 * minute;

forEachDatabase(() => {
  it('a campaign that was approved, and paused at its start, is resumed without a second approval', async (test) => {
    const { ada, grace, provider, stopApp, startApp, pass } = await inTheEvening(test);
    await switchOnApprovals(grace, { recipients: '1', channel: support });
    await reviewCampaign(ada);
    await schedule(ada, '19:58', '6 hours');
    await ada.submits();
    await ada.seesModal('Approval', 'Waiting for approval');
    await ada.closes();
    await grace.sees('asks for approval');
    await grace.presses('Approve');
    await ada.sees('*Scheduled for');
    await stopApp();
    pass(10 * minute);
    await startApp();
    await ada.sees(/Sending would have run into quiet hours/);
    await ada.presses('Resume');
    const { view } = await ada.seesModal('Resume campaign', /2 recipients get it now[\s\S]*Quiet hours/);
    assert.doesNotMatch(wordsOf(view), /approval/i);
    assert.match(wordsOf(view), /Send anyway/);
    await ada.submits();
    await ada.sees('*Done:* 2 recipients');
    assert.deepEqual(reached(provider.record), customers.toSorted());
  });

  describe('an approval that is given in quiet hours', () => {
    it('comes back with the warning, and can be given for 8:00 AM', async (test) => {
      const { ada, grace, provider, restart, pass } = await inTheEvening(test);
      await switchOnApprovals(grace, { recipients: '1', channel: support });
      await reviewCampaign(ada);
      await ada.submits();
      await ada.seesModal('Approval', /Waiting for approval/);
      await ada.closes();
      assert.doesNotMatch(wordsOf(await grace.sees(/Waiting for approval\* to start/)), /Quiet hours/);
      pass(95 * minute);
      await grace.presses('Approve');
      await grace.sees(
        /\*Nothing was sent\.\*[\s\S]*Quiet hours, 8:00 PM to 8:00 AM WAT[\s\S]*Approve anyway/,
      );
      assert.equal(provider.record.length, 0);
      await grace.presses('Approve for 8:00 AM WAT');
      await ada.sees(/Approved by[\s\S]*It starts/);
      await ada.sees('*Scheduled for');
      assert.equal(provider.record.length, 0);
      pass(11 * hour);
      await restart();
      await ada.sees('*Done:* 2 recipients');
      assert.deepEqual(reached(provider.record), customers.toSorted());
    });

    it('for 8:00 AM is not one for a later night, nor for a start so late that it meets one', async (test) => {
      const { ada, grace, provider, stopApp, startApp, pass } = await inTheEvening(test);
      await switchOnApprovals(grace, { recipients: '1', channel: support });
      pass(10 * minute);
      await compose(ada, { pasted: customers.join(' '), route: 'Promotional (generic)' });
      await ada.seesModal('Campaign review');
      await ada.fills('Start', 'Now');
      await ada.seesModal('Campaign review', /Quiet hours/);
      await ada.submits();
      await ada.seesModal('Approval', /Waiting for approval/);
      await ada.closes();
      await grace.sees(/Waiting for approval\* to start[\s\S]*Approve for 8:00 AM/);
      pass(24 * hour - 3 * minute);
      await grace.presses('Approve for 8:00 AM WAT');
      await grace.sees(/\*Nothing was sent\.\* Sending now would run into quiet hours/);
      await grace.presses('Approve for 8:00 AM WAT');
      await ada.sees('*Scheduled for');
      await stopApp();
      pass(24 * hour);
      await startApp();
      await ada.sees(/\*Paused:\*[\s\S]*Sending would have run into quiet hours/);
      assert.equal(provider.record.length, 0);
    });

    it('shows the warning at once where the request is opened from Home', async (test) => {
      const { ada, grace, provider, pass } = await inTheEvening(test);
      await switchOnApprovals(grace, { recipients: '1', channel: support });
      await reviewCampaign(ada);
      await ada.submits();
      await ada.seesModal('Approval', /Waiting for approval/);
      pass(95 * minute);
      await grace.seesHome(/needs your decision/);
      await grace.presses('Open');
      const { view } = await grace.seesModal('Approval', 'Quiet hours, 8:00 PM to 8:00 AM WAT');
      assert.doesNotMatch(wordsOf(view), /Nothing was sent/);
      await grace.presses('Approve anyway');
      await grace.seesModal('Approval', 'Approved by');
      await ada.sees('*Done:* 2 recipients');
      assert.equal(provider.record.length, 1);
    });

    it('says what changed also to an approver who has closed the request meanwhile', async (test) => {
      const { ada, grace, provider, slack, pass } = await inTheEvening(test);
      await switchOnApprovals(grace, { recipients: '1', channel: support });
      await reviewCampaign(ada);
      await ada.submits();
      await ada.seesModal('Approval', /Waiting for approval/);
      await grace.seesHome(/needs your decision/);
      await grace.presses('Open');
      await grace.seesModal('Approval', 'Waiting for approval');
      pass(95 * minute);
      const answer = slack.hold('views.update');
      const pressed = grace.presses('Approve');
      await answer.arrived;
      await grace.closes();
      answer.release();
      await pressed;
      await grace.sees(
        /\*Nothing was sent\.\* Sending now would run into quiet hours[\s\S]*The request is still waiting/,
      );
      assert.equal(provider.record.length, 0);
    });

    it('starts at once where it was shown with the request, and is approved anyway', async (test) => {
      const { ada, grace, provider, pass } = await inTheEvening(test);
      await switchOnApprovals(grace, { recipients: '1', channel: support });
      deactivatePalmMarket(provider);
      pass(10 * minute);
      await compose(ada, { pasted: customers.join(' '), route: 'Promotional (generic)' });
      await ada.seesModal('Campaign review');
      await ada.fills('Start', 'Now');
      await ada.seesModal('Campaign review', /Quiet hours/);
      await ada.submits();
      await grace.sees(
        /Waiting for approval\* to start[\s\S]*Quiet hours, 8:00 PM to 8:00 AM WAT[\s\S]*The sender ID isn’t active/,
      );
      await grace.presses('Approve anyway');
      await ada.sees('*Done:* 2 recipients');
      assert.equal(provider.record.length, 1);
    });
  });
});
