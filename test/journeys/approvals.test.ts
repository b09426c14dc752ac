import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forOneAndThreeInstances } from '../support/app/instances.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { compose, provided, reached, recipients, start } from '../support/campaigns.ts';
import { heldResponses } from '../support/provider/held-responses.ts';
import { startWithApprovals, switchOnApprovals } from '../support/slack/approval-steps.ts';
import { arrivalsOf, findLocalPlans } from '../support/slack/esim-steps.ts';
import { campaigns, support, wordsOf } from '../support/slack/slack-user.ts';

const three = recipients(3).join(' ');

forOneAndThreeInstances(() => {
  describe('approvals', () => {
    it('of a campaign: asked for in the channel, not by its creator, started once', async (test) => {
      const testApp = await startWithApprovals(test, { recipients: '2' });
      const { ada, grace, provider, channels } = testApp;
      await compose(ada, { pasted: `${three} 0805`, text: 'Our *shop* opens <at> nine', name: 'Opening' });
      await ada.seesModal('Campaign review', /Needs approval in <#C0SUPPORT\w*>/);
      await ada.submits();
      await ada.seesModal('Approval', /Waiting for approval[\s\S]*Approvers decide in <#/);
      await ada.closes();
      const asked = await grace.sees(/Opening[\s\S]*Waiting for approval/);
      const words = wordsOf(asked);
      assert.equal(asked.channel, channels.support);
      assert.match(words, /\*Recipients\*\n3/);
      assert.match(words, /\*Pages\*\n3 \(1 each\)/);
      assert.match(words, /\*From\*\nPalmMarket/);
      assert.match(words, /\*Route\*\nTransactional \(DND\)/);
      assert.match(words, /\*Start\*\nwhen approved/);
      assert.match(words, /\*Cost\*\nunknown: admins can set a price under Costs/);
      assert.match(words, /Our \*shop\* opens <at> nine/);
      assert.match(words, /Skipped: 1 invalid/);
      assert.match(words, /Requested by <@U0AGENT\w*>/);
      assert.ok(
        recipients(3).every((number) => !words.includes(number.slice(1))),
        'no number',
      );
      await ada.seesHome(/Opening\* is waiting for approval until/);
      await grace.seesHome(/Opening\* needs your decision: <@U0AGENT\w*> wants to start a campaign/);

      await grace.presses('Approve');
      await grace.sees(/Opening[\s\S]*Approved by <@U0ADMIN\w*>/);
      await ada.sees(/Opening[\s\S]*Approved by <@U0ADMIN\w*>[\s\S]*Sending has started/);
      await provided(provider, 3);
      await ada.sees('*Done:* 3 recipients');
      assert.deepEqual(reached(provider.record), recipients(3));
      await grace.seesHome(/^(?![\s\S]*needs your decision)/);
    });

    it('of an eSIM: bought once, with the outcome for the person who asked', async (test) => {
      const testApp = await startWithApprovals(test, { price: '1,000' });
      const { ada, grace } = testApp;
      await findLocalPlans(ada, 'Kenya');
      await ada.presses('Create');
      await ada.seesModal('New eSIM');
      await ada.submits();
      await ada.seesModal('Approval', /Kenya 1 GB, 7 days[\s\S]*Waiting for approval\* to buy an eSIM/);
      assert.equal(arrivalsOf(testApp, 'esims.create'), 0);
      const words = wordsOf(await grace.sees(/Waiting for approval\* to buy an eSIM/));
      assert.match(words, /\*Price\*\n\*₦1,800\*/);
      await grace.presses('Approve');
      await ada.sees(/eSIM 89•••\d{4} created/);
      await grace.sees(/Kenya 1 GB, 7 days[\s\S]*Approved by <@U0ADMIN\w*>/);
      assert.equal(arrivalsOf(testApp, 'esims.create'), 1);
    });

    it('are off until an admin says what needs one, with errors beside the fields', async (test) => {
      const { ada, grace, provider, connect, channels } = await joinTestApp(test);
      await connect();
      await compose(ada, { pasted: three });
      await start(ada);
      await provided(provider, 3);
      await ada.closes();

      await grace.types('/switchboard');
      await grace.presses('Change approvals');
      await grace.seesModal('Approvals', 'Leave empty for 24 hours. At most');
      await grace.fills('Needs approval', 'Large campaigns');
      assert.match(wordsOf((await grace.seesModal('Approvals', 'more recipients than')).view), /1,000/);
      await grace.fills('Campaigns with more recipients than', 'many');
      await grace.fills('Channel', channels.campaigns);
      await grace.seesModal('Approvals', 'Approvers see them on Home only.');
      await grace.submits();
      assert.equal(
        grace.errorBeside('Campaigns with more recipients than'),
        'Enter a whole number from 0 to 10,000,000.',
      );
      await grace.presses('Invite');
      await grace.seesModal('Approvals', /Switchboard is in <#C0CAMPAIGNS\w*> now./);
      await grace.fills('Campaigns with more recipients than', '5,000');
      await grace.submits();
      await grace.seesModal('Approvals', 'Saved.');
    });

    it('expire after the hours that an admin chose', async (test) => {
      const { app, ada, grace, teamId } = await startWithApprovals(test, { recipients: '2' });
      await grace.types('/switchboard');
      await grace.presses('Change approvals');
      await grace.seesModal('Approvals', 'Leave empty for 24 hours');
      await grace.fills('Hours until a request expires', 'soon');
      await grace.submits();
      assert.equal(grace.errorBeside('Hours until a request expires'), 'Enter a whole number from 1 to 720.');
      await grace.fills('Hours until a request expires', '2');
      await grace.submits();
      await grace.seesModal('Approvals', 'Saved.');
      const { approvals, audit } = app().services;
      const entries = await Array.fromAsync(audit.all({ workspaceId: teamId }));
      const changes = entries.filter(({ subject }) => subject === 'approvals');
      assert.deepEqual(JSON.parse(changes.at(-1)?.details ?? ''), { hours: ['24', '2'] });
      await compose(ada, { pasted: three });
      await start(ada);
      await ada.seesModal('Approval', 'Waiting for approval');
      const [waiting] = await approvals.waiting({ workspaceId: teamId });
      assert.ok(waiting);
      const minutes = (waiting.expiresAt.getTime() - waiting.createdAt.getTime()) / 60_000;
      assert.equal(Math.round(minutes), 120);
    });

    it('are not for one’s own, and a rejection says why to the person who asked', async (test) => {
      const { ada, guy, grace, provider, slack, channels } = await startWithApprovals(test, {
        recipients: '2',
      });
      slack.setRole(guy.id, 'admin');
      await compose(grace, { pasted: three, name: 'Own' });
      await start(grace);
      await grace.seesModal('Approval', 'Waiting for approval');
      await grace.closes();
      await grace.presses('Approve');
      await grace.sees('Somebody else has to decide this');
      await grace.presses('Reject');
      await grace.sees('Somebody else has to decide this');
      await ada.presses('Approve');
      await ada.sees('Only approvers can do this');
      await ada.presses('Withdraw');
      await ada.sees('Only the person who asked can withdraw it');

      await guy.presses('Reject');
      await guy.seesModal('Rejection', /Own[\s\S]*This ends the request to start a campaign/);
      await guy.fills('Reason', 'Not before <noon>');
      await guy.submits();
      await guy.seesModal('Approval', /Rejected by <@U0GUEST\w*>[\s\S]*Not before <noon>/);
      await guy.closes();
      const asked = await guy.sees(/Own[\s\S]*Rejected by <@U0GUEST\w*>[\s\S]*Nothing was started/);
      assert.doesNotMatch(wordsOf(asked), /\nApprove\n/);
      const told = await grace.sees(/Rejected by <@U0GUEST\w*>[\s\S]*Not before <noon>[\s\S]*\nOpen/);
      assert.notEqual(told.channel, channels.support);

      await grace.presses('Open');
      await grace.seesModal('Campaign review', 'Needs approval');
      await grace.submits();
      await grace.seesModal('Approval', 'Waiting for approval');
      await grace.presses('Withdraw');
      await grace.seesModal('Approval', /Withdrawn by <@U0ADMIN\w*>/);
      await guy.sees(/Own[\s\S]*Withdrawn by <@U0ADMIN\w*>/);
      assert.deepEqual(provider.record, []);
    });

    it('are of a time, shown in the list and the status, and asked for again for another one', async (test) => {
      const { ada, grace } = await startWithApprovals(test, { recipients: '2' });
      await compose(ada, { pasted: three, name: 'Later' });
      await ada.seesModal('Campaign review');
      await ada.fills('Start', 'Schedule');
      await ada.fills('Date', '2100-01-01');
      await ada.submits();
      await ada.seesModal('Approval', /Waiting for approval\* to schedule a campaign/);
      await ada.closes();
      await ada.types('/sms', 'bulk list');
      await ada.seesModal('Campaigns', 'Waiting for approval');
      await ada.presses('Open');
      await ada.seesModal('Approval', 'Waiting for approval');
      await ada.closes();
      await grace.presses('Approve');
      await ada.sees(/Approved by <@U0ADMIN\w*>[\s\S]*It starts/);
      await ada.sees('*Scheduled');
      await ada.presses('Start now');
      await ada.seesModal('Start now', /Needs approval in <#C0SUPPORT\w*>/);
      await ada.submits();
      await ada.seesModal('Approval', /Waiting for approval\* to start a campaign/);
      await ada.closes();
      await ada.types('/sms', 'bulk list');
      await ada.seesModal('Campaigns');
      await ada.presses('Open');
      await ada.seesModal('Campaign', /Scheduled[\s\S]*Waiting for approval\* in <#C0SUPPORT\w*>/);
      await ada.presses('Change time');
      await ada.seesModal('Start time', /Needs approval in <#C0SUPPORT\w*>/);
      await ada.closes();
      await grace.presses('Reject');
      await grace.fills('Reason', 'As agreed');
      await grace.submits();
      await grace.seesModal('Approval', 'Rejected');
      await ada.sees(/Later\*\n:x: \*Rejected/);
    });

    it('outlast an opt-out, and start the campaign without that person', async (test) => {
      const { ada, grace, provider } = await startWithApprovals(test, { recipients: '1' });
      await compose(ada, { pasted: three, name: 'Opening' });
      await start(ada);
      await ada.seesModal('Approval');
      await ada.closes();
      await grace.types('/sms', 'do-not-contact');
      await grace.presses('Add numbers');
      await grace.fills('Numbers to add', recipients(1).join());
      await grace.submits();
      await grace.seesModal('Do-not-contact list', '1 number added');
      await grace.closes();
      await grace.presses('Approve');
      await provided(provider, 2);
      assert.deepEqual(reached(provider.record), recipients(3).slice(1));
    });

    it('are told to the person where the channel cannot be posted to, and decided on Home, over a restart', async (test) => {
      const { ada, grace, provider, connect, restart } = await startTestApp(test);
      await connect();
      await switchOnApprovals(grace, { recipients: '2', channel: campaigns });
      await compose(ada, { pasted: three, name: 'Opening' });
      await start(ada);
      await ada.seesModal('Approval');
      await ada.closes();
      const told = await ada.sees(/Switchboard isn’t in <#C0CAMPAIGNS>[\s\S]*is waiting for approval/);
      assert.notEqual(told.channel, campaigns);
      await restart();
      await grace.seesHome(/Opening\* needs your decision/);
      await grace.presses('Open');
      await grace.seesModal('Approval', 'PalmMarket');
      await grace.presses('Approve');
      await grace.seesModal('Approval', 'Approved by <@U0ADMIN>');
      await provided(provider, 3);
      await ada.sees(/Opening\*\n:white_check_mark: \*Approved/);
      const decided = await ada.sees(/Opening[\s\S]*Approved by <@U0ADMIN>[\s\S]*Requested by/);
      assert.equal(decided.ts, told.ts, 'nothing waits any more');

      await compose(ada, { pasted: three, name: 'Closing' });
      await start(ada);
      await ada.seesModal('Approval');
      await ada.closes();
      await ada.sees(/Closing[\s\S]*is waiting for approval/);
      await ada.presses('Withdraw');
      await ada.sees(/Closing\*\n[\s\S]*Withdrawn by <@U0AGENT>[\s\S]*Nothing was started/);
    });

    it('of an eSIM that can no longer be bought end as that, also where they are being shown as approved', async (test) => {
      const responses = heldResponses(test);
      const { app, ada, grace, teamId, slack, provider, connect } = await startTestApp(test, {
        wait: responses.wait,
      });
      await connect();
      await switchOnApprovals(grace, { price: '1,000', channel: support });
      await findLocalPlans(ada, 'Kenya');
      await ada.presses('Create');
      await ada.seesModal('New eSIM');
      await ada.submits();
      await ada.seesModal('Approval', 'Waiting for approval');
      await grace.seesHome(/Kenya 1 GB[\s\S]*needs your decision/);
      await grace.presses('Open');
      await grace.seesModal('Approval', 'Waiting for approval');
      const { approvals } = app().services;
      const [asked] = await approvals.waiting({ workspaceId: teamId });
      provider.orderFault({ operation: 'esims.plans', fault: { kind: 'slow_headers' } });
      await grace.presses('Approve');
      await responses.arrived;
      await grace.types('/switchboard');
      await grace.presses('Disconnect');
      await grace.seesModal('Switchboard', 'Not connected');
      const update = slack.hold('chat.update');
      responses.release();
      await update.arrived;
      while ((await approvals.find(teamId, asked?.id ?? ''))?.state !== 'void') {}
      update.release();
      const ended =
        /Kenya 1 GB[\s\S]*No longer valid:\* Switchboard isn’t connected to the provider. Nothing was bought/;
      await grace.sees(ended);
      await slack.until(
        () => ada.messages().some((each) => each.channel !== support && ended.test(wordsOf(each))),
        'the end, for the person who asked',
      );
    });

    it('of a top-up show the eSIM masked, and one with another price is not asked for', async (test) => {
      const testApp = await startWithApprovals(test, { price: '1,000' });
      const { ada, grace, provider } = testApp;
      const iccid = provider.account.sims[3]?.iccid ?? '';
      await findLocalPlans(ada, 'GHA');
      await ada.presses('Top up');
      await ada.seesModal('eSIM top-up');
      await ada.fills('eSIM', iccid);
      await ada.submits();
      await ada.seesModal('Approval', 'to top up an eSIM');
      await ada.closes();
      await ada.closes();
      const asked = wordsOf(await grace.sees('to top up an eSIM'));
      assert.ok(!asked.includes(iccid) && asked.includes(`89•••${iccid.slice(-4)}`));
      await grace.presses('Approve');
      await ada.sees(`eSIM 89•••${iccid.slice(-4)} topped up`);
      assert.equal(arrivalsOf(testApp, 'esims.purchase'), 1);

      await findLocalPlans(ada, 'Kenya');
      await ada.presses('Create');
      await ada.seesModal('New eSIM');
      const content = [
        { productId: 'ke-1gb-7d', planName: 'Kenya 1 GB, 7 days', price: 2_000, currency: 'NGN' },
      ];
      provider.orderFault({
        operation: 'esims.plans',
        fault: {
          kind: 'answer',
          body: {
            status: 'Success',
            code: 200,
            data: { content, totalElements: 1, totalPages: 1, last: true },
          },
        },
      });
      await ada.submits();
      await ada.seesModal('New eSIM', 'The price is now *₦2,000*, not ₦1,800');
      assert.equal(arrivalsOf(testApp, 'esims.create'), 0);
    });
  });
});
