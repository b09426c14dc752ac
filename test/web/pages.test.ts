import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import fc from 'fast-check';
import type { PublicContacts } from '../../src/config/settings.ts';
import { createLog } from '../../src/lib/log.ts';
import { systemTimers } from '../../src/lib/time/timers.ts';
import { installedPage, notInstalledPage } from '../../src/slack/app/installations/install-routes.ts';
import { html } from '../../src/web/html.ts';
import { pageRoutes } from '../../src/web/pages.ts';
import { createHttpServer } from '../../src/web/server.ts';

const now = new Date('2026-11-22T10:00:00Z');
const fixed = { commandPrefix: 'acme-', retentionDays: 30, publicAddress: 'https://sms.acme.example' };

async function serve(contacts: PublicContacts, install?: string) {
  const server = createHttpServer({
    routes: pageRoutes({ settings: { ...fixed, contacts }, time: { now: () => now } }, install),
    log: createLog('silent'),
    timers: systemTimers,
  });
  after(() => server.close());
  const port = await server.listen('127.0.0.1', 0);
  return (path: string, options: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...options });
}

/** Asserts that a page loads nothing, runs nothing, and is allowed to style itself. */
function assertSelfContained(text: string, policy: string | null): void {
  assert.doesNotMatch(text, /<(?:script|iframe|object|embed|form|base)\b/i);
  assert.doesNotMatch(text, /\son\w+=|\sstyle=|javascript:|@import|url\(/i);
  // What is loaded, not where a link leads.
  const loaded = [...text.matchAll(/<(?:img|link|source|use|image)\b[^>]*?(?:src|href)="([^"]*)"/g)];
  assert.deepEqual([...new Set(loaded.map(([, address]) => address))], ['/icon.svg']);
  const [, styled = ''] = /<style>([\s\S]*?)<\/style>/.exec(text) ?? [];
  const hash = createHash('sha256').update(styled).digest('base64');
  assert.ok(policy?.includes(`style-src 'sha256-${hash}'`), `${policy} does not allow the style`);
  assert.match(policy ?? '', /^default-src 'none'; .*frame-ancestors 'none'/);
}

const parts = [
  /^<!doctype html>\n<html lang="en">/,
  /<meta name="viewport" content="width=device-width, initial-scale=1">/,
  /<title>[^<]+ · Switchboard<\/title>/,
  /<main\b[\s\S]*<h1>[^<]+<\/h1>/,
  /<a href="\/privacy">Privacy<\/a>/,
  /<a href="\/support">Support<\/a>/,
];

describe('the public pages', () => {
  const securityContact = new URL('mailto:security@switchboard.example');

  it('are whole without a script or anything from elsewhere', async () => {
    const get = await serve({ securityContact }, '/slack/install');
    for (const path of ['/', '/privacy', '/support']) {
      const answer = await get(path);
      const text = await answer.text();
      assert.equal(answer.status, 200, path);
      assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=300');
      assert.equal(answer.headers.get('set-cookie'), null);
      assertSelfContained(text, answer.headers.get('content-security-policy'));
      for (const part of parts) {
        assert.match(text, part, path);
      }
      assert.ok(text.length < 32_000, `${path} has ${text.length} characters`);
      assert.equal([...text.matchAll(/<h1>/g)].length, 1);
    }
  });

  it('say what the app does, with a picture, and lead to Slack only where it can be installed', async () => {
    const open = await (await (await serve({}, '/slack/install'))('/')).text();
    assert.match(open, /<a class="button slack" href="\/slack\/install">.*Add to Slack<\/a>/s);
    assert.match(open, /<svg class="picture"[^>]+role="img" aria-labelledby="picture-title">/);
    const closed = await (await (await serve({}))('/')).text();
    assert.doesNotMatch(closed, /Add to Slack|slack\/install/);
    for (const text of [open, closed]) {
      for (const words of ['SMS', 'One-time codes', 'Number checks', 'eSIMs', '/acme-switchboard']) {
        assert.ok(text.includes(words), words);
      }
    }
  });

  it('name the retention time, and the contact where there is one', async () => {
    const privacy = await (await (await serve({ securityContact }))('/privacy')).text();
    assert.match(privacy, /30 days after they were sent/);
    assert.match(
      privacy,
      /<a href="mailto:security@switchboard\.example">security@switchboard\.example<\/a>/,
    );
    const support = await (await (await serve({}))('/support')).text();
    assert.doesNotMatch(support, /mailto:/);
    assert.match(support, /<code>\/acme-sms help<\/code>/);
  });

  it('lead to the pages of the settings', async () => {
    const get = await serve({
      supportUrl: new URL('https://acme.example/help?app=1'),
      privacyUrl: new URL('https://acme.example/privacy'),
    });
    for (const [path, target] of [
      ['/support', 'https://acme.example/help?app=1'],
      ['/privacy', 'https://acme.example/privacy'],
    ]) {
      const answer = await get(path ?? '');
      assert.deepEqual([answer.status, answer.headers.get('location')], [302, target]);
    }
  });

  it('have a security.txt that expires, where there is a contact', async () => {
    const get = await serve({ securityContact });
    const answer = await get('/.well-known/security.txt');
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.deepEqual((await answer.text()).split('\n'), [
      'Contact: mailto:security@switchboard.example',
      'Expires: 2027-05-21T10:00:00.000Z',
      'Preferred-Languages: en',
      'Canonical: https://sms.acme.example/.well-known/security.txt',
      '',
    ]);
    assert.equal((await (await serve({}))('/.well-known/security.txt')).status, 404);
  });

  it('answer HEAD without a body, and other methods with 405', async () => {
    const get = await serve({ securityContact }, '/slack/install');
    for (const path of ['/', '/privacy', '/support', '/icon.svg', '/.well-known/security.txt']) {
      const head = await get(path, { method: 'HEAD' });
      assert.deepEqual([head.status, await head.text()], [200, ''], path);
      assert.ok(Number(head.headers.get('content-length')) > 0, path);
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        const answer = await get(path, { method });
        assert.deepEqual(
          [answer.status, answer.headers.get('allow')],
          [405, 'GET, HEAD'],
          `${method} ${path}`,
        );
      }
    }
    assert.equal((await get('/', { method: 'POST' })).headers.get('x-content-type-options'), 'nosniff');
  });
});

describe('the pages of an installation', () => {
  it('show names and reasons literally', () => {
    const hostile = '<script>alert("1")</script>&amp;\'';
    const escaped = '&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#38;amp;&#39;';
    const installed = installedPage({
      workspace: hostile,
      address: 'slack://app?team=T1&id=A1',
      webAddress: 'https://slack.com/app_redirect?app=A1&team=T1',
      commandPrefix: 'acme-',
    });
    assert.ok(installed.includes(escaped));
    assert.ok(installed.includes('href="slack://app?team=T1&#38;id=A1"'));
    assert.ok(installed.includes('href="https://slack.com/app_redirect?app=A1&#38;team=T1"'));
    assert.ok(installed.includes('<code>/acme-switchboard</code>'));
    assert.ok(notInstalledPage({ reason: hostile, install: '/slack/install' }).includes(escaped));
  });
});

describe('the template of HTML', () => {
  it('lets no text out of an element or an attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('<', '>', '"', "'", '&', 'a', '`', '\n') }), (text) => {
        const { source } = html`<a title="${text}" href='${text}'>${text}</a>`;
        const [, title, href, content] =
          /^<a title="([^"<>']*)" href='([^"<>']*)'>([^"<>']*)<\/a>$/.exec(source) ?? [];
        const read = (escaped = '') =>
          escaped.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
        assert.deepEqual([title, href, content].map(read), [text, text, text]);
      }),
    );
  });
});

describe('the page on privacy', () => {
  it('says the same as docs/privacy.md of what is kept, and for how long', async () => {
    const shown = await (await (await serve({}))('/privacy')).text();
    const kept = [...shown.matchAll(/<dt>(.+?)<\/dt><dd>(.+?)<\/dd>/g)].map(([, what = '', time = '']) => [
      what,
      time.replace('30 days', '`RETENTION_DAYS`'),
    ]);
    const page = readFileSync(new URL('../../docs/privacy.md', import.meta.url), 'utf8');
    const [, rows = ''] = /^\| kept \| for how long \|\n.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
    const written = rows.trim().split('\n');
    assert.ok(kept.length > 5);
    assert.deepEqual(
      kept.map(([what, time]) => `| ${what} | ${time} |`),
      written,
    );
  });
});
