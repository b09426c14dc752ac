import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { reasonOf } from '../support/refusals.ts';
import { switchOnApprovals } from '../support/slack/approval-steps.ts';
import { arrivalsOf, createEsim, findLocalPlans } from '../support/slack/esim-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';

/** Switches purchases on or off, as the defaults in `/switchboard` do. */
async function setPurchases({ app, teamId }: TestWorkspace, esimPurchases: boolean): Promise<void> {
  const { workspaces } = app().services;
  await workspaces.saveDefaults(teamId, { ...(await workspaces.defaults(teamId)), esimPurchases });
}

/** Changes a text in the provider's next list of plans. */
function changePlans({ provider }: TestWorkspace, said: string, instead: string): void {
  provider.orderFault({
    operation: 'esims.plans',
    fault: {
      kind: 'reshape',
      body: (answer) => JSON.parse(JSON.stringify(answer).replaceAll(said, instead)),
    },
  });
}

describe('an eSIM whose plan changes after its price was shown', () => {
  it('is not bought at another price, and the confirmation comes back with the new one', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, connect } = testApp;
    await connect();
    await findLocalPlans(ada, 'Kenya');
    await ada.presses('Create');
    await ada.seesModal('New eSIM', /costs \*₦1,800\*/);
    changePlans(testApp, '1800', '18000');
    await ada.submits();
    const confirmation = await ada.seesModal('New eSIM', 'The price is now *₦18,000*, not ₦1,800');
    assert.match(wordsOf(confirmation.view), /Nothing was bought[\s\S]*costs \*₦18,000\*/);
    assert.equal(arrivalsOf(testApp, 'esims.create'), 0);

    // The provider returns to the old price, which differs from the one on this confirmation.
    await ada.submits();
    await ada.seesModal('New eSIM', 'The price is now *₦1,800*, not ₦18,000');
    assert.equal(arrivalsOf(testApp, 'esims.create'), 0);
    await ada.submits();
    await ada.seesModal('eSIM created');
    assert.equal(arrivalsOf(testApp, 'esims.create'), 1);
  });

  it('is not bought with less data for the same price', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, connect } = testApp;
    await connect();
    await findLocalPlans(ada, 'Kenya');
    await ada.presses('Create');
    await ada.seesModal('New eSIM');
    changePlans(testApp, 'Kenya 1 GB', 'Kenya 500 MB');
    await ada.submits();
    const { view } = await ada.seesModal('New eSIM', 'The provider has changed this plan');
    assert.match(wordsOf(view), /Kenya 500 MB, 7 days/);
    assert.equal(arrivalsOf(testApp, 'esims.create'), 0);
  });

  it('is not bought while the provider can’t say its price', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, connect, provider } = testApp;
    await connect();
    await findLocalPlans(ada, 'Kenya');
    await ada.presses('Create');
    await ada.seesModal('New eSIM');
    provider.orderFault({ operation: 'esims.plans', fault: { kind: 'status', status: 403 } });
    await ada.submits();
    await ada.seesTrouble(
      'The price couldn’t be checked, and whether this needs approval depends on it. Nothing was bought',
    );
    assert.equal(arrivalsOf(testApp, 'esims.create'), 0);
  });
});

describe('an eSIM whose need for approval changes after its confirmation was shown', () => {
  it('is neither bought nor asked for, and the confirmation comes back and says so', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, grace, connect, channels, app, teamId } = testApp;
    await connect();
    await findLocalPlans(ada, 'Kenya');
    await ada.presses('Create');
    assert.doesNotMatch(wordsOf((await ada.seesModal('New eSIM', /costs/)).view), /approval/);
    await switchOnApprovals(grace, { price: '1,000', channel: channels.support });
    await ada.submits();
    const needed = await ada.seesModal(
      'New eSIM',
      /Nothing was bought\.\* It now needs approval[\s\S]*Needs approval in <#/,
    );
    assert.match(wordsOf(needed.view), /Ask for approval/);
    assert.deepEqual(await app().services.approvals.waiting({ workspaceId: teamId }), []);

    await app().services.approvals.saveSettings(teamId, {}, grace.id);
    await ada.submits();
    const free = await ada.seesModal(
      'New eSIM',
      'It no longer needs approval, and would be bought right away.',
    );
    assert.doesNotMatch(wordsOf(free.view), /Ask for approval/);
    assert.equal(arrivalsOf(testApp, 'esims.create'), 0);
    await ada.submits();
    await ada.seesModal('eSIM created');
    assert.equal(arrivalsOf(testApp, 'esims.create'), 1);
  });

  it('by its price is asked for once both were seen', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, grace, connect, channels } = testApp;
    await connect();
    await switchOnApprovals(grace, { price: '5,000', channel: channels.support });
    await findLocalPlans(ada, 'Kenya');
    await ada.presses('Create');
    assert.doesNotMatch(wordsOf((await ada.seesModal('New eSIM', /costs/)).view), /approval/);
    changePlans(testApp, '1800', '18000');
    await ada.submits();
    await ada.seesModal(
      'New eSIM',
      /The price is now \*₦18,000\*, not ₦1,800\. It now needs approval[\s\S]*Needs approval in <#/,
    );
    changePlans(testApp, '1800', '18000');
    await ada.submits();
    await ada.seesModal('Approval', /Waiting for approval/);
    assert.equal(arrivalsOf(testApp, 'esims.create'), 0);
  });
});

describe('a workspace without purchases of eSIMs', () => {
  it('hides and refuses each, and keeps the look-ups', async (test) => {
    const testApp = await joinTestApp(test);
    const { app, ada, grace, provider, connect, teamId } = testApp;
    await connect();
    await grace.types('/switchboard');
    await grace.seesModal('Switchboard', 'Defaults');
    await grace.presses('Change defaults');
    await grace.fills('eSIM purchases', []);
    await grace.submits();
    await grace.seesModal('Switchboard', 'Saved');
    const entries = await Array.fromAsync(app().services.audit.all({ workspaceId: teamId }));
    const change = entries.find(({ action }) => action === 'settings.change');
    assert.deepEqual(JSON.parse(change?.details ?? ''), { esimPurchases: ['true', 'false'] });
    const iccid = provider.account.sims[3]?.iccid ?? '';

    const plans = await findLocalPlans(ada, 'Kenya');
    assert.match(plans, /Kenya 1 GB, 7 days/);
    assert.doesNotMatch(plans, /Create|Top up/);
    await ada.closes();
    await ada.types('/esim', 'list');
    await ada.seesModal('eSIMs', iccid);
    await ada.closes();
    await ada.types('/esim-status', iccid);
    assert.doesNotMatch(wordsOf((await ada.seesModal('eSIM status', /QR image/)).view), /Top up/);
    await ada.closes();

    for (const text of ['create Kenya', 'top-up', `top-up ${iccid}`]) {
      await ada.types('/esim', text);
      await ada.sees(/Buying eSIMs is turned off here, so nothing was bought/);
      assert.equal(ada.modal(), undefined, text);
    }
    await grace.presses('Change defaults');
    await grace.fills('eSIM purchases', 'Allow buyers to create and top up eSIMs');
    await grace.submits();
    await grace.seesModal('Switchboard', 'Saved');
    await ada.types('/esim', 'create Kenya');
    await ada.seesModal('eSIM plans', 'Create');
  });

  it('refuses what was open when they were turned off', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, grace, connect } = testApp;
    await connect();
    const iccid = await createEsim(testApp);
    await ada.closes();
    await ada.closes();

    // Three places from which one could buy: a list of plans, the status of an eSIM, and the last step.
    await findLocalPlans(ada, 'Kenya');
    await grace.types('/esim-status', iccid);
    await grace.seesModal('eSIM status', 'QR image');
    await setPurchases(testApp, false);
    await ada.presses('Create');
    await ada.seesModal('eSIM plans', /Buying eSIMs is turned off here/);
    await grace.presses('Top up');
    await grace.seesModal(/./, /Buying eSIMs is turned off here/);

    await setPurchases(testApp, true);
    await ada.presses('Create');
    await ada.seesModal('New eSIM', /costs/);
    await setPurchases(testApp, false);
    await ada.submits();
    await ada.seesModal('Error', /Buying eSIMs is turned off here, so nothing was bought/);
    assert.equal(arrivalsOf(testApp, 'esims.create'), 1);
    assert.equal(arrivalsOf(testApp, 'esims.purchase'), 0);
  });

  it('refuses an approval of an order that waits', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, grace, connect, channels } = testApp;
    await connect();
    await switchOnApprovals(grace, { price: '1,000', channel: channels.support });
    await findLocalPlans(ada, 'Kenya');
    await ada.presses('Create');
    await ada.seesModal('New eSIM');
    await ada.submits();
    await ada.seesModal('Approval', /Waiting for approval/);
    await grace.sees(/Waiting for approval\* to buy an eSIM/);
    await setPurchases(testApp, false);
    await grace.presses('Approve');
    await grace.sees(/eSIM purchases are turned off/);
    assert.equal(arrivalsOf(testApp, 'esims.create'), 0);
  });

  it('knows the outcome of an order that was placed before, and places it no more', async (test) => {
    const testApp = await joinTestApp(test);
    const { app, ada, connect, teamId } = testApp;
    await connect();
    await createEsim(testApp);
    const who = { workspaceId: teamId, userId: ada.id };
    const [placed = assert.fail('nothing was placed')] = await app().services.operations.recent(
      who.workspaceId,
      who.userId,
      1,
    );
    const [, ...key] = placed.key.split('.');
    const plan = { productId: 'ke-1gb-7d', name: 'Kenya 1 GB, 7 days', countries: ['KEN'] };
    await setPurchases(testApp, false);
    const order = (id: string) =>
      app().services.esimOrders.create({ ...who, key: id, plan, seen: {}, iso3: 'KEN' });
    const again = await order(key.join('.'));
    assert.ok(again.kind === 'performed' && !again.first && again.operation.state === 'accepted');
    assert.equal((await reasonOf(order('another'))).kind, 'purchases_off');
    assert.equal(arrivalsOf(testApp, 'esims.create'), 1);
  });
});
