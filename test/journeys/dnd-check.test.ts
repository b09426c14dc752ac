import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testedInstances } from '../support/app/instances.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { heldResponses } from '../support/provider/held-responses.ts';
import { manyNumbers, resultOf } from '../support/slack/number-files.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { lagosAt } from '../support/slack/sms-steps.ts';

describe('/dnd-check', () => {
  it('shows state, network and route of five numbers, and opens a message to them', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/dnd-check', '+2348031234567 08051234568, 08021234567\n08091234568 0803 765 4321');
    const report = await ada.sees('2 of 5 on Do-Not-Disturb');
    const words = JSON.stringify(report.blocks);
    assert.match(words, /\+234\s803\s123\s4567` · MTN[^·]* · on Do-Not-Disturb: use Transactional \(DND\)/);
    assert.equal(provider.arrivals.filter(({ path }) => path === '/api/check/dnd').length, 5);

    await ada.presses('Send SMS');
    const form = await ada.seesModal('New message');
    const filled = JSON.stringify(form.values);
    assert.match(filled, /2348031234567/);
    assert.match(filled, /"value":"dnd"/);
  });

  it('checks each number of a file once, names rejected rows by line, and sends the result as a file', async (test) => {
    const { ada, slack, provider, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/dnd-check');
    const rows = [
      'Name;Mobile',
      ...manyNumbers(120).map((number) => `Ada;${number}`),
      'Ben;080312',
      `Ada again;${manyNumbers(1)[0]}`,
    ];
    await ada.drops('Or a CSV file', 'customers.csv', `\uFEFF${rows.join('\r\n')}`);
    await ada.submits();
    const shown = await ada.seesModal('Do-Not-Disturb check', '12 of 120 on Do-Not-Disturb');
    const words = wordsOf(shown.view);
    assert.match(
      words,
      /1 row of customers\.csv skipped[\s\S]*Line 122: “080312” is too short for a number in Nigeria/,
    );
    assert.match(words, /column \*Mobile\* of customers\.csv/);
    assert.match(words, /1 duplicate skipped/);
    assert.equal(provider.arrivals.filter(({ path }) => path === '/api/check/dnd').length, 120);

    const result = await resultOf(slack, await ada.sees('*Do-Not-Disturb check* · 12 of 120'));
    assert.equal(result.length, 1 + 120 + 1);
    assert.equal(result[0], '\uFEFFPhone number,Network,Do-Not-Disturb,Route,Do-not-contact list,Note');
    assert.equal(result[8], '+2348051230007,Glo Nigeria,yes,Transactional (DND),,');
    assert.equal(result[121], '080312,,not checked,,,Line 122: is too short for a number in Nigeria');
  });

  it('checks the numbers of the form, and posts the masked result to the chosen channel', async (test) => {
    const { ada, grace, connect, channels } = await joinTestApp(test);
    await connect();
    await ada.types('/dnd-check');
    await ada.fills('Phone numbers', '+2348031234567');
    await ada.fills('Who sees the result', 'In a channel');
    await ada.fills('Channel', channels.support);
    await ada.submits();
    await ada.seesModal('Do-Not-Disturb check', '+234 803 123 4567');
    const post = await grace.sees('Checked by');
    assert.ok(!JSON.stringify(post).includes('1234567'));
  });

  it('shows numbers in full in a channel when that is ticked, and not after another choice', async (test) => {
    const { ada, grace, slack, connect } = await joinTestApp(test);
    const offersNumbers = () => wordsOf(ada.modal()?.view ?? {}).includes('Numbers in the channel');
    await connect();
    await ada.types('/dnd-check');
    await ada.fills('Phone numbers', '+2348031234567');
    await ada.fills('Who sees the result', 'In a channel');
    await ada.fills('Numbers in the channel', 'Show phone numbers');
    await ada.submits();
    await grace.sees(/\+234 803 123 4567[\s\S]*Checked by/);

    await ada.closes();
    await ada.types('/dnd-check');
    await ada.fills('Phone numbers', '+2348051234567');
    await ada.fills('Who sees the result', 'In a channel');
    await ada.fills('Numbers in the channel', 'Show phone numbers');
    await ada.fills('Who sees the result', 'Only me');
    await slack.until(() => !offersNumbers(), 'the form without a channel');
    await ada.fills('Who sees the result', 'In a channel');
    await slack.until(offersNumbers, 'the form with a channel');
    await ada.submits();
    await grace.sees(/\+234805•••4567[\s\S]*Checked by/);
  });

  it('checks the valid numbers, and names the others with their reasons', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/dnd-check', '+2348031234567, 08051234568, 12345, 08021234567, 08091234568');
    const report = wordsOf(await ada.sees('2 of 4 on Do-Not-Disturb'));
    assert.match(report, /\*1 entry skipped:\*\n• “12345” is too short for a number in Nigeria/);
    assert.equal(provider.arrivals.filter(({ operation }) => operation === 'insight.checkDnd').length, 4);
    await ada.types('/dnd-check');
    await ada.fills('Phone numbers', '12345\n0803 123 4567');
    await ada.submits();
    await ada.seesModal('Do-Not-Disturb check', / of 1 on [\s\S]*“12345” is too short/);
  });

  it('without a valid number, says so beside the field, or privately with what was typed kept', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/dnd-check', '12345 and 678');
    await ada.sees('“12345” and “678”: too short for a number in Nigeria.');
    await ada.presses('Edit');
    await ada.seesModal('Do-Not-Disturb check', '12345 and 678');
    await ada.submits();
    assert.match(ada.errorBeside('Phone numbers') ?? '', /“12345”/);
    assert.ok(provider.arrivals.every(({ path }) => path !== '/api/check/dnd'));
  });

  it('says which numbers are on the do-not-contact list, since when and by whom', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/sms', 'do-not-contact 0805 123 4568');
    await ada.presses('Add');
    await ada.seesModal('Do-not-contact list', 'added');
    await ada.closes();
    await ada.types('/dnd-check');
    await ada.fills('Phone numbers', '08051234568 08021234568');
    await ada.fills('Who sees the result', 'In a channel');
    await ada.submits();
    const shown = wordsOf((await ada.seesModal('Do-Not-Disturb check', '0 of 2 on')).view);
    assert.match(
      shown,
      /805 123 4568`.*\n\s*:no_entry_sign: On the do-not-contact list since .*, added by <@U0AGENT\w*>/,
    );
    assert.equal(shown.match(/do-not-contact/g)?.length, 1);
    const post = wordsOf(await grace.sees('Checked by'));
    assert.match(post, /4568`.* · :no_entry_sign: On the do-not-contact list\n/);
  });

  it('gives no advice on Nigerian routes for a foreign number', async (test) => {
    const { ada, connect } = await joinTestApp(test);
    await connect();
    await ada.types('/dnd-check', '+447400123456 08051234568');
    const report = wordsOf(await ada.sees('0 of 2 on Do-Not-Disturb, 1 not Nigerian'));
    assert.match(report, /\+44 7400 123456`[^\n]* · Do-Not-Disturb doesn’t apply\n/);
    await ada.types('/number', '+447400123456');
    const card = wordsOf(await ada.sees('United Kingdom'));
    assert.doesNotMatch(card, /Do-Not-Disturb|Route to use|DND/);
  });

  for (const hour of [0, 12]) {
    it(`gives the advice of /number at ${hour}:00, in Lagos`, async (test) => {
      const { ada, connect } = await startTestApp(test, { clock: lagosAt(hour) });
      await connect();
      for (const number of ['+2348031234568', '+2348031234567', '+2348051234561']) {
        await ada.types('/number', number);
        const card = wordsOf(await ada.sees(new RegExp(`${number.slice(-4)}[\\s\\S]*Route to use`)));
        const route = /\*Route to use\*\n(.*)/.exec(card)?.[1] ?? 'none';
        await ada.types('/dnd-check', number);
        const report = wordsOf(await ada.sees(new RegExp(` of 1 on [\\s\\S]*${number.slice(-4)}`)));
        assert.ok(report.includes(route), `${report} does not say ${route}`);
        assert.equal(report.includes('quiet hours'), hour === 0 && number === '+2348031234568');
      }
    });
  }

  it('opens a message on the workspace’s route where that reaches everybody, and otherwise on DND', async (test) => {
    const { ada, grace, connect } = await startTestApp(test, { clock: lagosAt(0) });
    await connect();
    const opens = async (numbers: string, route: string) => {
      await ada.types('/dnd-check', numbers);
      await ada.sees(`${numbers.slice(-4)}\` ·`);
      await ada.presses('Send SMS');
      const form = await ada.seesModal('New message', numbers.slice(-4));
      assert.match(JSON.stringify(form.values), new RegExp(`"value":"${route}"`));
      await ada.closes();
    };
    await opens('+2348051234568', 'dnd');
    await grace.types('/switchboard');
    await grace.presses('Change defaults');
    await grace.fills('Route', 'Promotional (generic)');
    await grace.submits();
    await grace.closes();
    await opens('+2348051234561', 'generic');
    await opens('+2348031234562', 'dnd');
    await opens('+2348051234563 +2348051234567', 'dnd');
  });

  it('keeps a number that could not be checked in the result, with the reason', async (test) => {
    const { ada, connect } = await joinTestApp(test, { providerLimits: { totalTimeout: 2_000 } });
    await connect();
    await ada.types('/dnd-check', '+2348030009400 +2348051234568');
    await ada.sees('0 of 2 on Do-Not-Disturb, 1 unknown');
  });

  it('stops asking once the provider refuses the key, and says so', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test);
    await connect();
    const fault = { kind: 'status', status: 401 } as const;
    provider.orderFault({ operation: 'insight.checkDnd', fault, times: Infinity });
    await ada.types('/dnd-check', manyNumbers(30).join(' '));
    await ada.sees('0 of 30 on Do-Not-Disturb, 30 unknown');
    const requests = provider.arrivals.filter(({ operation }) => operation === 'insight.checkDnd').length;
    assert.ok(requests <= 5, `${requests} requests`);
  });

  it('lists those on Do-Not-Disturb first and folds the others, in the given order whichever response comes first', async (test) => {
    const responses = heldResponses(test);
    const { ada, slack, provider, connect } = await startTestApp(test, { wait: responses.wait });
    await connect();
    const numbers = manyNumbers(12);
    provider.orderFault({ operation: 'insight.checkDnd', fault: { kind: 'slow_headers' } });
    await ada.types('/dnd-check', numbers.join(' '));
    await slack.until(() => provider.arrivals.length > numbers.length, 'every number asked about');
    responses.release();
    const report = wordsOf(await ada.sees(/\d+ of 12 on/));
    assert.match(
      report,
      /^[^\n]*\n:no_bell: `[^`]*007` · .*use Transactional.*\n:bell: \*11 numbers\* · .*: `[^`]*000`, `[^`]*001`/m,
    );
    const others = numbers.filter((number) => !number.endsWith('7'));
    const positions = others.map((number) => report.indexOf(`${number.slice(-3)}\``));
    assert.deepEqual(
      positions,
      positions.toSorted((one, other) => one - other),
    );
    assert.ok(
      positions.every((position) => position > 0),
      report,
    );
  });

  it('runs the changed form when it came back after a fault', async (test) => {
    const { ada, slack, provider, connect, channels } = await joinTestApp(test);
    await connect();
    const posts = () => ada.messages().filter((message) => wordsOf(message).includes('Checked by')).length;
    const checks = () => provider.arrivals.filter(({ operation }) => operation === 'insight.checkDnd').length;
    const submits = async () => {
      slack.fault('views.update', { error: 'ratelimited' });
      await ada.submits();
      await ada.seesModal('Do-Not-Disturb check', 'Slack is limiting');
    };
    await ada.types('/dnd-check');
    await ada.fills('Phone numbers', '+2348031234567');
    await submits();
    await ada.fills('Phone numbers', '+2348051234568');
    await submits();
    await ada.fills('Who sees the result', 'In a channel');
    await ada.fills('Channel', channels.support);
    await submits();
    assert.equal(posts(), 1);
    const before = checks();
    await ada.submits();
    await ada.seesModal('Do-Not-Disturb check', '+234 805 123 4568');
    // Another instance has no report to show again, so it checks again: it posts nothing again.
    const most = testedInstances === 1 ? before : before + 1;
    assert.ok(checks() <= most);
    assert.equal(posts(), 1);
    await ada.presses('Send SMS');
    const form = await ada.seesModal('New message');
    assert.match(JSON.stringify(form.values), /2348051234568/);
  });
});
