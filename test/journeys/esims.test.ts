import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { esimClient } from '../../sandbox/test/provider/esims/client.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { heldResponses } from '../support/provider/held-responses.ts';
import { arrivalsOf, createEsim, findLocalPlans } from '../support/slack/esim-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { runningClock } from '../support/time/test-clock.ts';

describe('/esim', () => {
  it('finds a plan by country and type, creates an eSIM with it, and shows the outcome', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/esim');
    await ada.seesModal('eSIM plans', /Nigeria 1 GB, 7 days[\s\S]*Page 1 of 2 · 20 total/);
    await ada.fills('Country', 'Kenya');
    await ada.seesModal('eSIM plans', /Kenya 1 GB, 7 days[\s\S]*4 total/);
    await ada.fills('Type', 'Local');
    const plans = wordsOf((await ada.seesModal('eSIM plans', '2 total')).view);
    assert.match(plans, /\*Kenya 1 GB, 7 days\*\n\*₦1,800\*\nLocal · Kenya/);
    assert.doesNotMatch(plans, /Data 1|Time 7|units/);

    await ada.presses('Create');
    await ada.seesModal('New eSIM', /costs \*₦1,800\*/);
    await ada.submits();
    const created = wordsOf((await ada.seesModal('eSIM created', /eSIM 89•••\d{4} created/)).view);
    const [sim] = provider.account.sims;
    assert.ok(sim);
    assert.ok(created.includes(`*ICCID*\n\`${sim.iccid}\``) && created.includes('*State*\n`RELEASED`'));
    assert.ok(!created.includes(sim.activationCode));
    const notice = wordsOf(await ada.sees(/eSIM 89•••\d{4} created/));
    assert.ok(!notice.includes(sim.iccid) && notice.includes(sim.iccid.slice(-4)));
    const { body } = provider.arrivals.findLast(({ operation }) => operation === 'esims.create') ?? {};
    assert.deepEqual(body, { productId: 'ke-1gb-7d', iso3: 'KEN' });

    await ada.presses('Show status');
    await ada.seesModal('eSIM status', sim.iccid);
    await ada.closes();
    await ada.closes();
    await ada.types('/sms', 'history');
    await ada.seesModal('History', /New eSIM · Kenya 1 GB, 7 days · ₦1,800\n.*\*Created\*/);
  });

  it('tops up an eSIM picked from the list, and lists it', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, provider, connect } = testApp;
    await connect();
    const iccid = provider.account.sims[3]?.iccid ?? '';
    await findLocalPlans(ada, 'GHA');
    await ada.presses('Top up');
    await ada.seesModal('eSIM top-up', /costs \*₦1,800\*/);
    await ada.fills('eSIM', iccid);
    await ada.submits();
    await ada.seesModal('eSIM topped up', iccid);
    const { body } = provider.arrivals.findLast(({ operation }) => operation === 'esims.purchase') ?? {};
    assert.deepEqual(body, { iccid, productId: 'gh-1gb-7d', iso3: 'GHA' });
    await ada.sees(`eSIM 89•••${iccid.slice(-4)} topped up`);
    await ada.types('/esim', 'list');
    await ada.seesModal('eSIMs', new RegExp(`${iccid}\`\\nINACTIVE · gh-1gb-7d`));
  });

  it('creates one eSIM when the form is submitted twice and Slack delivers it again', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, slack, provider, connect } = testApp;
    await connect();
    const before = provider.account.sims.length;
    await findLocalPlans(ada, 'Kenya');
    await ada.presses('Create');
    await ada.seesModal('New eSIM');
    await Promise.all([ada.submits(), ada.submits()]);
    await ada.seesModal('eSIM created');
    const iccid = provider.account.sims[0]?.iccid ?? '';
    await ada.seesModal('eSIM created', iccid);
    await slack.redeliver('view_submission');
    await ada.seesModal('eSIM created', iccid);
    await ada.sees(/eSIM .*created/);
    assert.equal(arrivalsOf(testApp, 'esims.create'), 1);
    assert.equal(provider.account.sims.length, before + 1);
    assert.equal(ada.messages().filter(({ text }) => /eSIM .*created/.test(text)).length, 1);
  });

  it('opens one confirmation on a double click', async (test) => {
    const { clock, pass } = runningClock();
    const { ada, slack, connect, stopApp } = await startTestApp(test, { clock });
    await connect();
    await findLocalPlans(ada, 'Kenya');
    await ada.presses('Create');
    await ada.seesModal('New eSIM');
    await ada.closes();
    pass(3_000);
    await Promise.all([ada.presses('Create'), ada.presses('Create')]);
    await ada.seesModal('New eSIM');
    // Stopping waits for every request.
    await stopApp();
    assert.equal(slack.snapshot('U0AGENT').modals.length, 2);
  });

  it('asks for the country of a top-up when the plan names none', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, provider, connect } = testApp;
    await connect();
    const content = [{ productId: 'ke-1gb-7d', name: 'Somewhere 1 GB', price: 1800, currency: 'NGN' }];
    provider.orderFault({
      operation: 'esims.plans',
      fault: { kind: 'answer', body: { status: 'Success', code: 200, data: { content } } },
      times: 4,
    });
    const iccid = provider.account.sims[0]?.iccid ?? '';
    await ada.types('/esim', `top-up ${iccid}`);
    await ada.seesModal('Top-up plans', 'Somewhere 1 GB');
    await ada.presses('Top up');
    await ada.seesModal('eSIM top-up', iccid);
    assert.ok(!(await ada.searches('Country', '')).includes('All countries'));
    await ada.fills('Country', 'Kenya');
    await ada.submits();
    await ada.seesModal('eSIM topped up', iccid);
    const { body } = provider.arrivals.findLast(({ operation }) => operation === 'esims.purchase') ?? {};
    assert.deepEqual(body, { iccid, productId: 'ke-1gb-7d', iso3: 'KEN' });
  });

  it('offers the plans of the eSIM’s country for a top-up, and says of others that they are elsewhere', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, connect } = testApp;
    await connect();
    const iccid = await createEsim(testApp, 'Kenya');
    await ada.closes();
    await ada.closes();
    await ada.types('/esim', `top-up ${iccid}`);
    const { view, values } = await ada.seesModal('Top-up plans', /Kenya 1 GB, 7 days[\s\S]*4 total/);
    assert.match(JSON.stringify(values), /"Kenya/, 'the field says which country’s plans these are');
    const plans = wordsOf(view);
    assert.doesNotMatch(plans, /Not for/);
    await ada.fills('Country', 'Nigeria');
    await ada.seesModal('Top-up plans', /Nigeria 1 GB, 7 days[\s\S]*:warning: Not for Kenya/);
    await ada.presses('Top up');
    await ada.seesModal('eSIM top-up', '*This plan is for Nigeria.* The eSIM’s plan is for Kenya.');
  });

  it('says of an eSIM picked for a plan that its plan is for another country', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, connect } = testApp;
    await connect();
    const iccid = await createEsim(testApp, 'Kenya');
    await ada.closes();
    await ada.closes();
    await findLocalPlans(ada, 'Nigeria');
    await ada.presses('Top up');
    assert.doesNotMatch(wordsOf((await ada.seesModal('eSIM top-up')).view), /This plan is for/);
    await ada.fills('eSIM', iccid);
    await ada.seesModal('eSIM top-up', '*This plan is for Nigeria.* The eSIM’s plan is for Kenya.');
    await ada.submits();
    await ada.seesModal('eSIM topped up', iccid);
  });

  it('lists who created which eSIM, also after a restart, and of others nothing', async (test) => {
    const testApp = await startTestApp(test);
    const { grace, provider, connect, restart } = testApp;
    await connect();
    const iccid = await createEsim(testApp);
    await restart();
    await grace.types('/esim', 'list');
    const list = wordsOf((await grace.seesModal('eSIMs', iccid)).view);
    assert.match(list, new RegExp(`\`${iccid}\`\n[^\n]*\nCreated by <@U0AGENT> <!date`));
    assert.equal(list.match(/Created by/g)?.length, 1);
    const codes = provider.account.sims.map(({ activationCode }) => activationCode);
    assert.ok(codes.every((code) => !list.includes(code)));
  });

  it('tops up once when the form is submitted twice and Slack delivers it again', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, slack, provider, connect } = testApp;
    await connect();
    const iccid = provider.account.sims[0]?.iccid ?? '';
    await ada.types('/esim', `top-up ${iccid.slice(0, 4)} ${iccid.slice(4)}`);
    await ada.seesModal('Top-up plans', 'total');
    await ada.presses('Top up');
    await ada.seesModal('eSIM top-up', iccid);
    await Promise.all([ada.submits(), ada.submits()]);
    await ada.seesModal('eSIM topped up', iccid);
    await slack.redeliver('view_submission');
    assert.equal(arrivalsOf(testApp, 'esims.purchase'), 1);
    assert.equal(provider.account.balance, 25_000 - 1_800);
  });

  it('does not repeat an unconfirmed creation or top-up, and says where to look', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, provider, connect } = testApp;
    await connect();
    const before = provider.account.sims.length;
    provider.orderFault({ operation: 'esims.create', fault: { kind: 'cut_after' } });
    await findLocalPlans(ada, 'Kenya');
    await ada.presses('Create');
    await ada.seesModal('New eSIM');
    await Promise.all([ada.submits(), ada.submits()]);
    await ada.seesModal(
      'eSIM unconfirmed',
      /may or may not have been created\.[\s\S]*Look in the list of eSIMs/,
    );
    await ada.sees('may or may not have been created');
    assert.equal(arrivalsOf(testApp, 'esims.create'), 1);
    assert.equal(provider.account.sims.length, before + 1);
    await ada.presses('See all eSIMs');
    const iccid = provider.account.sims[0]?.iccid ?? '';
    await ada.seesModal('eSIMs', iccid);

    provider.orderFault({ operation: 'esims.purchase', fault: { kind: 'cut_after' } });
    await ada.types('/esim', `top-up ${iccid}`);
    await ada.seesModal('Top-up plans', 'total');
    await ada.presses('Top up');
    await ada.seesModal('eSIM top-up');
    await ada.submits();
    await ada.seesModal('Top-up unconfirmed', /may or may not have been topped up/);
    assert.equal(arrivalsOf(testApp, 'esims.purchase'), 1);
    await ada.presses('Show status');
    await ada.seesModal('eSIM status', iccid);
  });

  it('shows the provider’s reason when nothing was bought', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    provider.setBalance(10);
    const before = provider.account.sims.length;
    await findLocalPlans(ada, 'Kenya');
    await ada.presses('Create');
    await ada.seesModal('New eSIM');
    await ada.submits();
    await ada.seesModal('eSIM rejected', /was not created[\s\S]*balance is too low/);
    assert.equal(provider.account.sims.length, before);
  });

  it('asks for one of the countries of a regional plan, with the searched one chosen', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/esim', 'Rwanda region');
    await ada.seesModal(
      'eSIM plans',
      /Africa 1 GB, 7 days[\s\S]*Egypt, Ghana, Kenya, Nigeria, Rwanda and 2 more/,
    );
    await ada.presses('Create');
    await ada.seesModal(
      'New eSIM',
      /Works in\*\nEgypt, Ghana, Kenya, Nigeria, Rwanda, Senegal, South Africa/,
    );
    await ada.submits();
    await ada.seesModal('eSIM created', 'Rwanda');
    await ada.types('/esim', 'plans region');
    await ada.seesModal('eSIM plans', '4 total');
    await ada.presses('Create');
    await ada.seesModal('New eSIM');
    await ada.fills('Country', 'Senegal');
    await ada.submits();
    await ada.seesModal('eSIM created', 'Senegal');
    const bodies = provider.arrivals.flatMap(({ operation, body }) =>
      operation === 'esims.create' ? [body] : [],
    );
    assert.deepEqual(bodies, [
      { productId: 'africa-1gb-7d', iso3: 'RWA' },
      { productId: 'africa-1gb-7d', iso3: 'SEN' },
    ]);
  });

  it('shows what a top-up lacks beside its field, and accepts an ICCID that is in no list', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/esim', 'top-up');
    await ada.seesModal('Top-up plans', 'Page 1');
    await ada.presses('Top up');
    await ada.seesModal('eSIM top-up');
    await ada.submits();
    assert.match(ada.errorBeside('eSIM') ?? '', /complete this required field|Choose an eSIM/);
    const foreign = '8923400000000000017';
    assert.deepEqual(await ada.searches('eSIM', '8923 4000 0000 0000 017'), [foreign]);
    await ada.fills('eSIM', foreign);
    await ada.submits();
    await ada.seesModal('Top-up rejected', /was not topped up/);
    assert.equal(provider.account.balance, 25_000);
    await ada.types('/esim', 'top-up 1234');
    await ada.sees('An ICCID begins with 89.');
  });

  it('lists the eSIMs a page at a time, each with its state and a button for its status', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    const client = await esimClient(provider);
    for (let made = 0; made < 6; made += 1) {
      await client.post('/create', { productId: 'ng-1gb-7d' });
    }
    const { sims } = provider.account;
    await ada.types('/esim', 'list');
    await ada.seesModal('eSIMs', `Page 1 of 2 · ${sims.length} total`);
    await ada.presses('Next');
    await ada.seesModal(
      'eSIMs',
      new RegExp(`${sims.at(-1)?.iccid}\`\\nRELEASED · europe-5gb-30d[\\s\\S]*Page 2 of 2`),
    );
    const asked = provider.arrivals.filter(
      ({ operation, query }) => operation === 'esims.list' && query.size === '15',
    );
    assert.deepEqual(
      asked.map(({ query }) => query.page),
      ['0', '1'],
    );
    await ada.presses('Show status');
    await ada.seesModal('eSIM status', sims[15]?.iccid);
    await ada.closes();
    await ada.presses('See plans');
    await ada.seesModal('eSIM plans', 'Page 1');
  });

  it('shows 40 eSIMs of a page that has more, and the others by *Next*', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    const content = Array.from({ length: 41 }, (_, index) => ({
      iccid: `${8923490000000421000n + BigInt(index)}`,
    }));
    const fault = { kind: 'answer', body: { status: 'Success', code: 200, data: { content } } } as const;
    provider.orderFault({ operation: 'esims.list', fault, times: 2 });
    await ada.types('/esim', 'list');
    const first = wordsOf((await ada.seesModal('eSIMs', '8923490000000421039')).view);
    assert.ok(!first.includes('8923490000000421040'));
    await ada.presses('Next');
    await ada.seesModal('eSIMs', '8923490000000421040');
  });

  it('authenticates once for all requests, also across a restart', async (test) => {
    const testApp = await startTestApp(test);
    const { ada, provider, connect, restart } = testApp;
    await connect();
    const iccid = provider.account.sims[0]?.iccid ?? '';
    await ada.types('/esim', 'list');
    await ada.seesModal('eSIMs', iccid);
    await ada.types('/esim-status', iccid);
    await ada.seesModal('eSIM status', 'As of');
    await restart();
    await ada.types('/esim');
    await ada.seesModal('eSIM plans', 'Page 1');
    assert.equal(arrivalsOf(testApp, 'esims.authenticate'), 1);
  });

  it('offers an eSIM in the select as soon as it is created', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, connect } = testApp;
    await connect();
    await ada.types('/esim-status');
    await ada.seesModal('eSIM status');
    const before = await ada.searches('Pick an eSIM', '');
    const iccid = await createEsim(testApp);
    await ada.types('/esim-status');
    await ada.seesModal('eSIM status');
    assert.deepEqual(await ada.searches('Pick an eSIM', ''), [iccid, ...before]);
  });

  it('offers no eSIM of the account that was connected before', async (test) => {
    const { ada, grace, provider, connect } = await joinTestApp(test);
    await connect();
    const iccid = provider.account.sims[0]?.iccid ?? '';
    await ada.types('/esim-status');
    await ada.seesModal('eSIM status');
    assert.ok((await ada.searches('Pick an eSIM', '')).includes(iccid));
    await grace.types('/switchboard', 'connect');
    await grace.fills('API key', provider.otherAccount.key);
    await grace.submits();
    await grace.seesModal('Switchboard', 'Connected');
    assert.deepEqual(await ada.searches('Pick an eSIM', ''), []);
  });

  it('shows the result of the latest action in a modal, whatever response comes later', async (test) => {
    const responses = heldResponses(test);
    const { ada, provider, connect, stopApp } = await startTestApp(test, { wait: responses.wait });
    await connect();
    provider.orderFault({ operation: 'esims.plans', fault: { kind: 'slow_headers' } });
    await ada.types('/esim');
    await ada.seesModal('eSIM plans', 'Asking the provider');
    // The view comes before its request, and the next request must not be the held one.
    await responses.arrived;
    await ada.fills('Country', 'Kenya');
    await ada.seesModal('eSIM plans', '4 total');
    responses.release();
    // Stopping waits for every request, the slow one too.
    await stopApp();
    await ada.seesModal('eSIM plans', '4 total');
  });

  it('answers privately, in any channel', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, slack, connect, channels, grace } = testApp;
    await connect();
    await createEsim(testApp);
    await ada.sees(/eSIM .*created/);
    const inChannel = slack.snapshot(grace.id).messages.filter(({ channel }) => channel === channels.support);
    assert.ok(!inChannel.some((message) => wordsOf(message).includes('eSIM')));
  });
});
