import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { exampleToken } from '../../src/domain/messages/opt-out-link.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { compose, provided, reached, recipients, start } from '../support/campaigns.ts';
import { resultOf } from '../support/slack/number-files.ts';
import { wordsOf } from '../support/slack/slack-user.ts';

const env = { OPT_OUT_ADDRESS: 'https://sms.acme.example', CAMPAIGN_MESSAGES_PER_SECOND: '10000' };
const text = 'Sale on Saturday. Stop: {{opt_out}}';
const example = `https://sms.acme.example/o/${exampleToken}`;
const list = 'Do-not-contact list';

/** What a phone does with a link: its path, at the app. */
function opener({ url }: Pick<TestWorkspace, 'url'>) {
  return async (link: string, method = 'GET') => {
    const response = await fetch(`${url()}${new URL(link).pathname}`, { method });
    return { status: response.status, headers: response.headers, page: await response.text() };
  };
}

/** Sends a campaign to these numbers, and returns the link that each got. */
async function sendTo(
  { ada, provider, connect }: TestWorkspace,
  numbers: readonly string[],
): Promise<string[]> {
  await connect();
  await compose(ada, { pasted: numbers.join(' '), text, name: 'March sale' });
  await start(ada);
  await provided(provider, numbers.length);
  return numbers.map((number) => {
    const sent = provider.record.find(({ to }) => to.includes(number.slice(1)))?.text ?? '';
    return /https:\/\/\S+/.exec(sent)?.[0] ?? assert.fail(`no link in “${sent}”`);
  });
}

describe('an opt-out link', () => {
  it('is counted in the review as long as each recipient’s own, and a test has the example', async (test) => {
    const testApp = await joinTestApp(test, { env });
    const { ada, provider, connect } = testApp;
    await connect();
    await compose(ada, { pasted: recipients(2).join(' '), text });
    const shown = wordsOf(
      (await ada.seesModal('Campaign review', 'The opt-out link shown is an example')).view,
    );
    assert.ok(shown.includes(example), shown);
    assert.match(shown, /2 recipients, 4 pages\*? ?\(2 pages each\)/);
    await ada.presses('Send a test to myself');
    await ada.seesModal('Test message');
    await ada.fills('Your phone number', '+2348051234567');
    await ada.submits();
    await ada.seesModal('Test message', 'Test sent');
    assert.equal(provider.record.at(-1)?.text, `Sale on Saturday. Stop: ${example}`);
    const open = opener(testApp);
    for (const method of ['GET', 'POST']) {
      const { page } = await open(example, method);
      assert.match(page, method === 'GET' ? /This is an example/ : /This link doesn’t work/);
    }
    await ada.closes();
    await ada.submits();
    await provided(provider, 3);
    const sent = provider.record.slice(1);
    assert.equal(new Set(sent.map((message) => message.text)).size, 2);
    assert.ok(
      sent.every((message) => message.text.length === 'Sale on Saturday. Stop: '.length + example.length),
    );
  });

  it('says how many pages it costs and why, and tells admins how to save them', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test, { env });
    await connect();
    const why =
      '*2 pages because of the opt-out link; 1 without it.* The link has 52 characters, and its “//” leaves 70 per page.';
    const remedy =
      'Your operator can make it 1 page: `OPT_OUT_ADDRESS` without `https://` has no special characters.';
    await ada.types('/sms', 'bulk');
    await ada.fills('Message', text);
    await ada.seesModal('New campaign', why);
    await ada.fills('Message', `Stop: {{opt_out}}`);
    await ada.seesModal('New campaign', 'The opt-out link takes 52 characters, and no extra page.');
    await ada.closes();
    for (const person of [ada, grace]) {
      await compose(person, { pasted: recipients(2).join(' '), text });
      const shown = wordsOf((await person.seesModal('Campaign review', why)).view);
      assert.equal(shown.includes(remedy), person === grace);
      assert.doesNotMatch(shown, /makes this 2 pages/);
    }
  });

  it('opts nobody out when it is opened, and its button does, once', async (test) => {
    const testApp = await joinTestApp(test, { env });
    const { grace, slack, provider, log } = testApp;
    const numbers = recipients(3);
    const [link = '', other = ''] = await sendTo(testApp, numbers);
    const open = opener(testApp);

    // Scanners and previews: as often as they like.
    for (const method of ['GET', 'HEAD', 'GET']) {
      const { status, headers, page } = await open(link, method);
      assert.equal(status, 200);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*form-action 'self'/);
      assert.doesNotMatch(page, /<script|\d{10}|T0SWITCH|March/);
      assert.equal(page === '' || page.includes('Stop messages from PalmMarket?'), true);
    }
    await grace.types('/sms', 'do-not-contact');
    await grace.seesModal(list, '*0 numbers*');
    await grace.closes();

    const [first, second] = await Promise.all([open(link, 'POST'), open(link, 'POST')]);
    for (const { status, page } of [first, second, await open(link, 'POST'), await open(link)]) {
      assert.equal(status, 200);
      assert.match(page, /<h1>Messages stopped<\/h1>/);
      assert.doesNotMatch(page, /<button|\d{10}/);
    }
    assert.match((await open(other)).page, /Stop messages from PalmMarket\?/);

    await grace.types('/sms', 'do-not-contact');
    const shown = wordsOf((await grace.seesModal(list, '*1 number*')).view);
    assert.match(shown, /`\+234\s805\s000\s0000`\n[^\n@]* · by the opt-out link of March sale/);
    await grace.fills('Check a number', numbers[0] ?? '');
    await grace.seesModal(list, /has been on the list since [^,]*, by the opt-out link of March sale\./);
    await grace.presses('Export as CSV');
    await grace.seesModal(list, /file is in your messages/);
    const rows = await resultOf(slack, await grace.sees('The do-not-contact list'));
    assert.match(rows.join('\n'), /^\+2348050000000,[^,]*Z,,,by the opt-out link of March sale$/m);

    await compose(grace, { pasted: numbers.join(' '), text: 'Next sale' });
    await start(grace);
    await provided(provider, 5);
    assert.deepEqual(reached(provider.record.slice(3)), numbers.slice(1).toSorted());
    assert.ok(!log().includes(new URL(link).pathname), 'the log has a token');
  });

  it('leads nowhere where it is hostile, unknown or cut off', async (test) => {
    const testApp = await joinTestApp(test, { env });
    const [link = ''] = await sendTo(testApp, recipients(1));
    const ask = (path: string, method: string, body?: string) =>
      fetch(`${testApp.url()}${path}`, { method, ...(body === undefined ? {} : { body }) });
    const token = link.slice(-25);
    for (const path of [
      '',
      'x',
      token.slice(1),
      `${token}0`,
      '0'.repeat(25),
      'a'.repeat(8_000),
      '%00',
      `%20${token}`,
    ]) {
      for (const method of ['GET', 'POST']) {
        const response = await ask(`/o/${path}`, method);
        assert.equal(response.status, 404, path);
        assert.match(await response.text(), /This link doesn’t work/);
      }
    }
    for (const path of ['/o', `/o/${token}/x`, `/${token}`]) {
      assert.equal((await ask(path, 'GET')).status, 404);
    }
    assert.equal((await ask(`/o/${token}`, 'DELETE')).status, 405);
    assert.equal((await ask(`/o/${token}`, 'POST', 'a'.repeat(2_000))).status, 413);
    const { page } = await opener(testApp)(link);
    assert.match(page, /Stop messages from PalmMarket\?/);
  });

  it('is refused beside the text where there is none, or on a call, and a column of that name stays one', async (test) => {
    const testApp = await startTestApp(test, { env: { CAMPAIGN_MESSAGES_PER_SECOND: '10000' } });
    const { ada, provider, connect, stopApp, startApp } = testApp;
    await connect();
    await compose(ada, { pasted: recipients(1).join(' '), text });
    assert.match(ada.errorBeside('Message') ?? '', /Opt-out links are off here, so remove {{opt_out}}\./);
    await ada.closes();
    await compose(ada, { file: `Phone,Opt out\n${recipients(1)[0]},at the till`, text });
    await start(ada);
    await provided(provider, 1);
    assert.equal(provider.record[0]?.text, 'Sale on Saturday. Stop: at the till');
    await stopApp();
    await startApp(env);
    await compose(ada, { pasted: recipients(1).join(' '), text, route: 'Voice' });
    assert.match(ada.errorBeside('Message') ?? '', /A voice call can’t carry a link: remove {{opt_out}}\./);
  });
});
