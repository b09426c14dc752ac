import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestApp, transports } from '../support/app/test-app.ts';
import { compose, provided, reached, recipients, start } from '../support/campaigns.ts';
import { switchOnApprovals } from '../support/slack/approval-steps.ts';
import { arrivalsOf, findLocalPlans } from '../support/slack/esim-steps.ts';
import { support, wordsOf } from '../support/slack/slack-user.ts';

const three = recipients(3).join(' ');

for (const transport of transports) {
  describe(`approvals, over ${transport}`, () => {
    it('of a campaign: asked for in the channel, not by its creator, started once', async (test) => {
      const testApp = await startTestApp(test, { transport });
      const { ada, grace, provider, connect } = testApp;
      await connect();
      await switchOnApprovals(grace, { recipients: '2' });
      await compose(ada, { pasted: `${three} 0805`, text: 'Our *shop* opens <at> nine', name: 'Opening' });
      await ada.seesModal('Campaign review', 'Needs approval in <#C0SUPPORT>');
      await ada.submits();
      await ada.seesModal('Approval', 'Waiting for approval');
      await ada.closes();
      const asked = await grace.sees(/Opening[\s\S]*Waiting for approval/);
      const words = wordsOf(asked);
      assert.equal(asked.channel, support);
      assert.match(words, /\*Recipients\*\n3/);
      assert.match(words, /\*Pages\*\n3 \(1 each\)/);
      assert.match(words, /\*From\*\nPalmMarket/);
      assert.match(words, /\*Route\*\nDND/);
      assert.match(words, /\*Start\*\nas soon as it is approved/);
      assert.match(words, /\*Cost\*\nnot known yet/);
      assert.match(words, /Our \*shop\* opens <at> nine/);
      assert.match(words, /Skipped: 1 invalid/);
      assert.match(words, /Asked for by <@U0AGENT>/);
      assert.ok(
        recipients(3).every((number) => !words.includes(number.slice(1))),
        'no number',
      );
      await ada.seesHome(/Opening\* waits for approval until/);
      await grace.seesHome(/Opening\* needs your decision: <@U0AGENT> asks to start a campaign/);

      await grace.presses('Approve');
      await grace.sees(/Opening[\s\S]*Approved by <@U0ADMIN>/);
      await ada.sees(/Opening[\s\S]*Approved by <@U0ADMIN>[\s\S]*Sending has begun/);
      await provided(provider, 3);
      await ada.sees('*Done:* 3 recipients');
      assert.deepEqual(reached(provider.record), recipients(3));
      assert.ok(!wordsOf(await grace.seesHome('Opening')).includes('needs your decision'));
    });

    it('of an eSIM: bought once, with the outcome for the person who asked', async (test) => {
      const testApp = await startTestApp(test, { transport });
      const { ada, grace, connect } = testApp;
      await connect();
      await switchOnApprovals(grace, { price: '1,000' });
      await findLocalPlans(ada, 'Kenya');
      await ada.presses('Create');
      await ada.seesModal('New eSIM');
      await ada.submits();
      await ada.seesModal('Approval', /Kenya 1 GB, 7 days[\s\S]*Waiting for approval\* to buy an eSIM/);
      assert.equal(arrivalsOf(testApp, 'esims.create'), 0);
      const words = wordsOf(await grace.sees(/Waiting for approval\* to buy an eSIM/));
      assert.match(words, /\*Price\*\n\*₦1,800\*/);
      await grace.presses('Approve');
      await ada.sees(/The eSIM 89•••\d{4} is created/);
      await grace.sees(/Kenya 1 GB, 7 days[\s\S]*Approved by <@U0ADMIN>/);
      assert.equal(arrivalsOf(testApp, 'esims.create'), 1);
    });
  });
}

describe('approvals', () => {
  it('are off until an admin says what needs one, with errors beside the fields', async (test) => {
    const { ada, grace, provider, connect } = await startTestApp(test);
    await connect();
    await compose(ada, { pasted: three });
    await start(ada);
    await provided(provider, 3);
    await ada.closes();

    await grace.types('/switchboard');
    await grace.presses('Approvals');
    await grace.seesModal('Approvals', 'expires after 24 hours');
    await grace.fills('Needs approval', 'Large campaigns');
    await grace.fills('Campaigns with more recipients than', 'many');
    await grace.fills('Channel', 'C0CAMPAIGNS');
    await grace.seesModal('Approvals', 'Approvers see them on Home only.');
    await grace.submits();
    assert.equal(
      grace.errorBeside('Campaigns with more recipients than'),
      'Type a whole number from 0 to 10,000,000.',
    );
  });
});
