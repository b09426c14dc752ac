import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commands } from '../../src/slack/app/manifest.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { addPhonebook } from '../support/slack/phonebook-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';

const env = {
  SUPPORT_URL: 'https://acme.example/support?app=a|b&c=d',
  PRIVACY_URL: 'https://acme.example/privacy',
  SECURITY_CONTACT: 'security@acme.example',
  METRICS_PORT: '0',
};
const links =
  '<https://acme.example/support?app=a%7Cb&amp;c=d|Support> · <https://acme.example/privacy|Privacy>';

describe('the public pages', () => {
  it('are open to strangers, and metrics are not', async (test) => {
    const { app, ada, connect } = await startTestApp(test, { env });
    await connect();
    await ada.types('/dnd-check', '+2348031234567');
    await ada.sees('1 of 1 on Do-Not-Disturb');
    const { port, metricsPort = assert.fail('metrics have no port of their own') } = app();
    const ask = (path: string, at = port) => fetch(`http://127.0.0.1:${at}${path}`, { redirect: 'manual' });
    const landing = await ask('/');
    assert.equal(landing.status, 200);
    assert.doesNotMatch(await landing.text(), /Add to Slack/);
    assert.equal((await ask('/privacy')).headers.get('location'), env.PRIVACY_URL);
    assert.match(
      await (await ask('/.well-known/security.txt')).text(),
      /^Contact: mailto:security@acme.example$/m,
    );

    assert.equal((await ask('/metrics')).status, 404);
    for (const path of ['/', '/healthz', '/readyz', '/slack/events']) {
      assert.equal((await ask(path, metricsPort)).status, 404, path);
    }
    const figures = await (await ask('/metrics', metricsPort)).text();
    assert.match(figures, /^switchboard_slack_requests_total\{kind="command"\} \d+$/m);
    assert.doesNotMatch(figures, /T0SWITCH|U0AGENT|U0ADMIN|\+?234803|PalmMarket/);
    const labels = [...figures.matchAll(/^switchboard_\w+\{(.*)\}/gm)].flatMap(([, text = '']) =>
      [...text.matchAll(/(\w+)="/g)].map(([, name]) => name),
    );
    const named = ['kind', 'le', 'method', 'operation', 'outcome', 'state', 'version'];
    assert.deepEqual(
      labels.filter((label) => label === undefined || !named.includes(label)),
      [],
    );
  });
});

describe('an address that there is not', () => {
  it('has a page that leads to the others, with the headers of all pages and nothing of what was asked', async (test) => {
    const { app } = await joinTestApp(test, { env });
    const { port, metricsPort = assert.fail('metrics have no port of their own') } = app();
    const ask = (path: string, method = 'GET', at = port) =>
      fetch(`http://127.0.0.1:${at}${path}`, { method, redirect: 'manual' });
    const found = await ask('/');
    const missing = await ask('/<script>?name=Ada');
    assert.equal(missing.status, 404);
    for (const header of ['content-type', 'content-security-policy', 'x-content-type-options']) {
      assert.equal(missing.headers.get(header), found.headers.get(header), header);
    }
    assert.equal(missing.headers.get('cache-control'), 'no-store');
    const page = await missing.text();
    assert.match(page, /Page not found/);
    assert.match(page, /href="\/support"/);
    assert.doesNotMatch(page, /script|Ada/);
    for (const method of ['POST', 'PUT', 'DELETE']) {
      const plain = await ask('/nothing', method);
      assert.equal(plain.status, 404);
      assert.equal(await plain.text(), '', method);
    }
    assert.equal(await (await ask('/nothing', 'HEAD')).text(), '');
    assert.equal(await (await ask('/nothing', 'GET', metricsPort)).text(), '', 'on the port of the metrics');
  });
});

describe('support and privacy', () => {
  it('stand at the end of every help and of Home, for everyone', async (test) => {
    const { ada, grace } = await joinTestApp(test, { env });
    for (const { name } of commands) {
      await ada.types(`/${name}`, 'help');
      const help = wordsOf(await ada.sees(new RegExp(`How to .*/${name}\\b`)));
      assert.ok(help.endsWith(links), help);
    }
    for (const person of [ada, grace]) {
      assert.ok((await person.seesHome('See all activity')).includes(links));
    }
  });

  it('are left out where the people who run the app have named no page', async (test) => {
    const { ada } = await joinTestApp(test);
    await ada.types('/sms', 'help');
    assert.doesNotMatch(wordsOf(await ada.sees('How to')), /Support|Privacy/);
    assert.doesNotMatch(await ada.seesHome('See all activity'), /Support|Privacy/);
  });
});

describe('a command that isn’t understood', () => {
  it('says where help is, whichever it is', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await addPhonebook({ grace, connect });
    for (const { name } of commands) {
      const person = name === 'switchboard' ? grace : ada;
      // A few words may be a sender ID to look for.
      const words = name === 'sender-id' ? 'which of them may I use for this' : 'qqqqqq zzzzzz';
      await person.types(`/${name}`, words);
      await person.sees(new RegExp(`ype \`/${name} help\``));
      assert.equal(person.modal(), undefined, name);
    }
  });
});
