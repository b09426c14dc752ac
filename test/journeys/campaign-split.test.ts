import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { asSeen } from '../support/campaign-harness.ts';
import { compose, reached, recipients, start } from '../support/campaigns.ts';
import { switchOnApprovals } from '../support/slack/approval-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { lagosAt } from '../support/slack/sms-steps.ts';

describe('a draft is split', () => {
  it('by Do-Not-Disturb: those on it over DND, the others over Generic, each with its cost', async (test) => {
    const { ada, provider, connect } = await startTestApp(test);
    await connect();
    const onDnd = ['+2348050000007', '+2348050000017'];
    const others = recipients(3);
    await compose(ada, {
      pasted: [...others, ...onDnd].join(' '),
      route: 'Promotional (generic)',
      name: 'Harvest',
    });
    await ada.seesModal('Campaign review', '5 recipients');
    await Promise.all([ada.presses('Split by Do-Not-Disturb'), ada.presses('Split by Do-Not-Disturb')]);
    const { view } = await ada.seesModal('Campaign split', /Split into two drafts/);
    assert.match(
      wordsOf(view),
      /Harvest \(Do-Not-Disturb\)\*\s*2 recipients, 2 pages on the \*Transactional \(DND\)\*[\s\S]*Cost[\s\S]*Harvest \(others\)\*\s*3 recipients, 3 pages on the \*Promotional \(generic\)\*[\s\S]*Cost/,
    );
    await ada.types('/sms', 'bulk list');
    const { view: list } = await ada.seesModal('Campaigns', 'Harvest (others)');
    assert.doesNotMatch(wordsOf(list), /\*Harvest\*/);
    await ada.presses('Open');
    await start(ada);
    await ada.sees('*Done:*');
    await ada.closes();
    await ada.closes();
    await ada.types('/sms', 'bulk list');
    await ada.seesModal('Campaigns', /Draft:[\s\S]*2 recipients/);
    await ada.presses('Open');
    await start(ada);
    await ada.seesModal('Started');
    await ada.sees(/Harvest \(Do-Not-Disturb\)[\s\S]*\*Done:\* 2/);
    assert.deepEqual(reached(provider.record), [...onDnd, ...others].sort());
  });

  it('into parts that need approval as the whole draft did', async (test) => {
    const { ada, provider, channels, grace, connect } = await joinTestApp(test);
    await connect();
    await switchOnApprovals(grace, { recipients: '3', channel: channels.support });
    const onDnd = ['+2348050000007', '+2348050000017'];
    await compose(ada, {
      pasted: [...recipients(2), ...onDnd].join(' '),
      route: 'Promotional (generic)',
      name: 'Harvest',
    });
    await ada.seesModal('Campaign review', 'Needs approval');
    await ada.presses('Split by Do-Not-Disturb');
    await ada.seesModal('Campaign split', /Split into two drafts/);
    await ada.presses('Review');
    await ada.seesModal('Campaign review', /2 recipients[\s\S]*Needs approval/);
    await ada.submits();
    await ada.seesModal('Approval', /Recipients\*\n2/);
    await grace.presses('Approve');
    await ada.sees('*Done:* 2 recipients');
    assert.deepEqual(reached(provider.record), onDnd);
  });

  it('by quiet hours: one network at 08:00, the others now', async (test) => {
    const { ada, provider, connect } = await startTestApp(test, { clock: lagosAt(22) });
    await connect();
    const quiet = '+2348031234567';
    const other = '+2348051234500';
    await compose(ada, { pasted: `${quiet} ${other}`, route: 'Promotional (generic)', name: 'Late' });
    await ada.seesModal('Campaign review', '2 recipients');
    await ada.presses('Split by quiet hours');
    await ada.seesModal('Campaign split', /Late \(at 8:00 AM\)[\s\S]*Late \(now\)/);
    await ada.presses('Review');
    const { view } = await ada.seesModal('Campaign review', '1 recipient');
    assert.match(wordsOf(view), /8:00 AM WAT/);
    await ada.submits();
    await ada.seesModal('Scheduled');
    await ada.types('/sms', 'bulk list');
    await ada.seesModal('Campaigns', /Late \(at 8:00 AM\)[\s\S]*Scheduled for[\s\S]*Late \(now\)/);
    assert.equal(provider.record.length, 0);
  });

  it('not where all are in one part, which is said', async (test) => {
    const { ada, connect } = await startTestApp(test);
    await connect();
    await compose(ada, { pasted: recipients(3).join(' '), route: 'Promotional (generic)', name: 'Harvest' });
    await ada.seesModal('Campaign review', '3 recipients');
    await ada.presses('Split by Do-Not-Disturb');
    await ada.seesModal('Campaign split', 'Nothing to split.');
    await ada.presses('Review');
    await ada.seesModal('Campaign review', '3 recipients');
  });

  it('not where it is gone, which is said', async (test) => {
    const { app, ada, teamId, connect } = await startTestApp(test);
    await connect();
    await compose(ada, { pasted: recipients(3).join(' '), route: 'Promotional (generic)', name: 'Harvest' });
    await ada.seesModal('Campaign review', '3 recipients');
    const { campaigns } = app().services;
    const [{ id } = assert.fail('no draft')] = await campaigns.listRecent({
      workspaceId: teamId,
      states: ['ready'],
      limit: 1,
    });
    const user = { workspaceId: teamId, userId: ada.id, isAdmin: false };
    assert.ok(await campaigns.discard(await asSeen(campaigns, { ...user, id })));
    await ada.presses('Split by Do-Not-Disturb');
    await ada.seesTrouble(/This review is gone: the campaign was started or discarded/);
  });

  it('not while the provider is down, which is said, and can be tried again', async (test) => {
    const { ada, provider, connect } = await startTestApp(test);
    await connect();
    const pasted = `+2348031234567 +2348051234500`;
    await compose(ada, { pasted, route: 'Promotional (generic)', name: 'Harvest' });
    await ada.seesModal('Campaign review', '2 recipients');
    const down = provider.orderFault({
      operation: 'insight.checkDnd',
      fault: { kind: 'bad_gateway' },
      times: Infinity,
    });
    await ada.presses('Split by Do-Not-Disturb');
    await ada.seesModal(
      'Campaign split',
      /Not split[\s\S]*whether 2 numbers are on Do-Not-Disturb[\s\S]*Nothing was changed or sent/,
    );
    down.cancel();
    await ada.presses('Try again');
    await ada.seesModal('Campaign split', 'Split into two drafts');
  });
});
