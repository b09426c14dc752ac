import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testedInstances } from '../support/app/instances.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { arrivalsOf, findLocalPlans } from '../support/slack/esim-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';

describe('the plans and countries of /esim', () => {
  it('accepts a country by alpha-2, alpha-3, any of its names, or an unambiguous part of one', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    for (const typed of ['GB', 'plans gbr', 'Great Britain', 'united kingdom', 'plans GB local']) {
      await ada.types('/esim', typed);
      await ada.seesModal('eSIM plans', 'United Kingdom 1 GB, 7 days');
      await ada.closes();
    }
    await ada.types('/esim', 'Atlantis');
    await ada.sees('There is no country called “Atlantis”');
    assert.equal(ada.modal(), undefined);
  });

  it('finds countries in the select by code and name, at most 100', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/esim');
    await ada.seesModal('eSIM plans', 'Page 1');
    assert.equal((await ada.searches('Country', 'zaf'))[0], 'South Africa');
    assert.equal((await ada.searches('Country', 'turkey'))[0], 'Türkiye');
    assert.equal((await ada.searches('Country', '')).length, 100);
    assert.deepEqual(await ada.searches('Country', 'Atlantis'), []);
  });

  it('requests the plans of a country by name, and by code when the name has none', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, provider, connect } = testApp;
    await connect();
    const empty = { content: [], totalElements: 0, totalPages: 0, last: true };
    provider.orderFault({
      operation: 'esims.plans',
      fault: { kind: 'answer', body: { status: 'Success', code: 200, data: empty } },
    });
    await findLocalPlans(ada, 'Kenya');
    const asked = provider.arrivals.flatMap(({ operation, query }) =>
      operation === 'esims.plans' ? [query.country] : [],
    );
    assert.deepEqual(asked, ['Kenya', 'KEN']);
  });

  it('pages through the plans', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/esim');
    await ada.seesModal('eSIM plans', 'Page 1 of 2');
    await ada.presses('Next');
    await ada.seesModal('eSIM plans', /Page 2 of 2/);
    await ada.presses('Previous');
    await ada.seesModal('eSIM plans', /Page 1 of 2/);
  });

  it('falls back to the older list of plans, without prices, when the current one is missing', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    provider.orderFault({
      operation: 'esims.plans',
      fault: { kind: 'status', status: 404 },
      times: Infinity,
    });
    await ada.types('/esim', 'plans Kenya');
    const plans = wordsOf((await ada.seesModal('eSIM plans', 'older list')).view);
    assert.match(plans, /\*Kenya 1 GB, 7 days\*\n_price not listed_\nLocal · Kenya/);
    await ada.presses('Create');
    await ada.seesModal('New eSIM', /has no listed price/);
    await ada.submits();
    await ada.seesModal('eSIM created');
    assert.equal(provider.account.sims[0]?.productId, 'ke-1gb-7d');
  });

  it('lists and searches the countries, and opens their plans', async (test) => {
    const testApp = await joinTestApp(test);
    const { ada, connect } = testApp;
    await connect();
    await ada.types('/esim', 'countries');
    await ada.seesModal(
      'Countries with plans',
      /Nigeria\* · NG · NGA · Africa[\s\S]*1 to 15 of 20 countries/,
    );
    await ada.presses('Next');
    await ada.seesModal('Countries with plans', '16 to 20 of 20 countries');
    await ada.fills('Country', 'turkey');
    await ada.seesModal('Countries with plans', /Türkiye[\s\S]*1 to 1 of 1 country/);
    await ada.presses('Show plans');
    await ada.seesModal('eSIM plans', /Europe 1 GB, 7 days[\s\S]*2 total/);
    await ada.presses('See countries');
    await ada.seesModal('Countries with plans', '20 countries');
    await ada.fills('Country', '{"page":1}');
    await ada.seesModal('Countries with plans', 'No results.');
    const asked = arrivalsOf(testApp, 'esims.countries');
    assert.ok(asked > 0 && asked <= testedInstances, `${asked} times: once by each instance`);
  });

  it('says why a list is missing when the provider is unreachable', async (test) => {
    const { ada, provider, connect } = await startTestApp(test, {
      providerLimits: { totalTimeout: 1_000 },
    });
    await connect();
    await provider.goDown();
    for (const [text, title] of [
      ['', 'eSIM plans'],
      ['list', 'eSIMs'],
      ['countries', 'Countries with plans'],
    ] as const) {
      await ada.types('/esim', text);
      const shown = await ada.seesModal(title, /could not be reached|list isn’t available/);
      assert.doesNotMatch(wordsOf(shown.view), /\bNo (?:plans|eSIMs|results)/);
      await ada.closes();
    }
  });
});
