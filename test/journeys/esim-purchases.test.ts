import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestApp } from '../support/app/test-app.ts';
import { arrivalsOf, createEsim, findLocalPlans } from '../support/slack/esim-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';

describe('an installation without purchases of eSIMs', () => {
  it('hides and refuses each, and keeps the look-ups', async (test) => {
    const testApp = await startTestApp(test, { env: { ESIM_PURCHASES: 'off' } });
    const { ada, grace, provider, connect } = testApp;
    await connect();
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
      await ada.sees(/Buying eSIMs is switched off here, so nothing was bought/);
      assert.equal(ada.modal(), undefined, text);
    }
    await ada.types('/esim', 'help');
    assert.doesNotMatch(wordsOf(await ada.sees('How to get eSIMs')), /create|top-up|Top up/);
    await ada.types('/esim-status', 'help');
    assert.doesNotMatch(wordsOf(await ada.sees('How to check an eSIM')), /Top up/);
    await grace.types('/switchboard');
    await grace.seesModal('Switchboard', /\*Buying eSIMs\*: off\. Set `ESIM_PURCHASES` to on/);
  });

  it('refuses what was open when they were switched off, and tells the outcome of what was bought before', async (test) => {
    const testApp = await startTestApp(test);
    const { ada, grace, stopApp, startApp, connect, provider } = testApp;
    await connect();
    const iccid = await createEsim(testApp);
    await ada.closes();
    await ada.closes();

    // Three places from which one could buy: a list of plans, the status of an eSIM, and the last step.
    await findLocalPlans(ada, 'Kenya');
    await grace.types('/esim-status', iccid);
    await grace.seesModal('eSIM status', 'QR image');
    await stopApp();
    await startApp({ ESIM_PURCHASES: 'off' });
    await ada.presses('Create');
    await ada.seesModal('Error', /Buying eSIMs is switched off here/);
    await grace.presses('Top up');
    await grace.seesModal(/./, /Buying eSIMs is switched off here/);

    await stopApp();
    await startApp();
    await ada.closes();
    await ada.presses('Create');
    await ada.seesModal('New eSIM', /costs/);
    const before = ada.modal();
    await stopApp();
    await startApp({ ESIM_PURCHASES: 'off' });
    await ada.submits();
    await ada.seesModal('Error', /Buying eSIMs is switched off here, so nothing was bought/);
    assert.ok(before);
    assert.equal(arrivalsOf(testApp, 'esims.create'), 1);
    assert.equal(arrivalsOf(testApp, 'esims.purchase'), 0);
    assert.equal(provider.account.sims.filter((sim) => sim.iccid === iccid).length, 1);
  });
});
