import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../../../test/support/browser/chromium.ts';
import { everySeed } from '../../../../test/support/sizes.ts';
import type { FakeServer } from './fake-server.ts';
import { gallery } from './gallery.ts';
import { openPage } from './open-page.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

test('draws every block, and shows text that looks like markup as text', async () => {
  await using opened = await openPage(browser);
  const { page, faults } = opened;
  const log = page.getByRole('log', { name: 'Messages' });
  const message = log.getByRole('article', { name: /^Switchboard, 10:10 AM/ });
  await message.getByRole('heading', { name: 'Message to 3 numbers' }).waitFor();
  await message.getByRole('link', { name: 'the report' }).waitFor();
  assert.equal(
    await message.getByRole('link', { name: 'the report' }).getAttribute('href'),
    'https://example.com/a?b=1&c=2',
  );
  await message.getByText('today at 10:25 AM').waitFor();
  await message.getByText('A quotation').waitFor();
  assert.equal(await page.getByText('cannot draw').count(), 0);
  await log.getByText('And again, <script>alert(1)</script> & ok').waitFor();
  assert.deepEqual(faults, []);
});

test('marks an ephemeral message as visible to this person only', async () => {
  await using opened = await openPage(browser);
  const article = opened.page.getByRole('article', { name: /only visible to you/ });
  await article.getByText('Only visible to you').waitFor();
  await article.getByText('Sent to 3 numbers.').waitFor();
});

test('shows times in the time zone of the selected person', async () => {
  await using opened = await openPage(browser, {
    prepare: ({ snapshot }) => {
      snapshot.me = { ...snapshot.me, timeZone: 'America/New_York' };
    },
  });
  await opened.page.getByRole('article', { name: /^Switchboard, 4:10 AM/ }).waitFor();
});

test('shows a new message as it arrives, and counts one in another channel as unread', async () => {
  await using opened = await openPage(browser);
  const { page, feed } = opened;
  await page.getByRole('button', { name: 'Switchboard 1 unread' }).waitFor();
  const base = { from: 'U0ADMIN', blocks: [] };
  feed.snapshot.messages.push({ ...base, channel: 'C0SUPPORT', ts: '1772443900.000001', text: 'Just now' });
  feed.snapshot.messages.push({
    ...base,
    channel: 'C0CAMPAIGNS',
    ts: '1772443900.000002',
    text: 'Elsewhere',
  });
  feed.changed();
  await page.getByRole('log').getByText('Just now').waitFor();
  await page.getByRole('button', { name: 'campaigns 1 unread' }).click();
  await page.getByRole('log').getByText('Elsewhere').waitFor();
  await page.reload();
  await page.getByRole('main', { name: '#campaigns' }).getByText('Elsewhere').waitFor();
});

test('names a public channel that the person has not joined, and no private one', async () => {
  const prepare = ({ snapshot }: FakeServer) => {
    const [message] = snapshot.messages.splice(2, 1);
    assert.ok(message);
    snapshot.messages.push({ ...message, text: 'Replies go to <#C0NEWS>, alerts to <#C0SECRET>' });
  };
  await using opened = await openPage(browser, { prepare });
  await opened.page.getByText('Replies go to #news, alerts to private channel').waitFor();
});

test('never turns the text of a message into markup', async () => {
  const piece = fc.constantFrom(
    '<img src=x onerror=alert(1)>',
    '<script>document.title="got"</script>',
    '<https://a.example|"><b>x</b>>',
    '<javascript:alert(1)|x>',
    '*',
    '_',
    '~',
    '`',
    '```',
    '\n',
    '>',
    '&lt;',
    '&amp;',
    ':tada:',
    '<!date^1^{date}|<i>>',
    '<@U0AGENT>',
    'onclick="x"',
    '{x}',
    '<!---->',
    'a ',
  );
  const texts = fc.sample(
    fc.array(piece, { maxLength: 12 }).map((parts) => parts.join('')),
    { numRuns: 120, seed: everySeed },
  );
  await using opened = await openPage(browser, {
    prepare: ({ snapshot }) => {
      snapshot.messages = texts.flatMap((text, at) => [
        { ts: `1772443800.${at}1`, channel: 'C0SUPPORT', from: 'app', text, blocks: [] },
        {
          ts: `1772443800.${at}2`,
          channel: 'C0SUPPORT',
          from: 'app',
          text: '',
          blocks: [{ type: 'section', text: { type: 'mrkdwn', text } }],
        },
      ]);
    },
  });
  const { page } = opened;
  await page.getByRole('article').nth(texts.length).waitFor();
  const seen = await page.evaluate(() => ({
    tags: [...new Set([...document.querySelectorAll('.rich *')].map(({ localName }) => localName))],
    addresses: [...document.querySelectorAll<HTMLAnchorElement>('.rich a')].map(({ protocol }) => protocol),
    title: document.title,
  }));
  const allowed = new Set(
    'p strong em s code pre a span blockquote br time ul ol li hr svg path circle rect ellipse'.split(' '),
  );
  assert.deepEqual(
    seen.tags.filter((tag) => !allowed.has(tag)),
    [],
  );
  assert.ok(seen.addresses.every((protocol) => protocol === 'https:' || protocol === 'http:'));
  assert.equal(seen.title, 'Switchboard sandbox');
});

test('turns the channels into a drawer on a narrow window, and fits the window', async () => {
  await using opened = await openPage(browser, { width: 390 });
  const { page } = opened;
  await page.getByRole('article').first().waitFor();
  assert.equal(await page.getByRole('navigation', { name: 'Channels' }).isVisible(), false);
  await page.getByRole('button', { name: 'Channels' }).click();
  await page.getByRole('button', { name: 'campaigns' }).click();
  await page.getByRole('main', { name: '#campaigns' }).waitFor();
  await page.getByRole('navigation', { name: 'Channels' }).waitFor({ state: 'hidden' });
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
});

test('shows the workspace of another person after switching to them', async () => {
  await using opened = await openPage(browser);
  const { page, feed } = opened;
  await page.getByRole('button', { name: /^You are Ada Obi/ }).click();
  const grace = gallery().people[1];
  assert.ok(grace);
  feed.snapshot.me = grace;
  await page.getByRole('button', { name: /^Grace Bello.*admin/ }).click();
  await page.getByRole('button', { name: /^You are Grace Bello \(admin\)/ }).waitFor();
  assert.match(page.url(), /as=U0ADMIN/);
});

test('filters the request log by content and shows both sides of a request', async () => {
  const exchange = {
    at: '2026-03-02T09:00:00Z',
    from: 'app',
    to: 'slack',
    status: 200,
    milliseconds: 3.2,
  } as const;
  await using opened = await openPage(browser, {
    hash: '#panel=requests',
    prepare: (feed) => {
      feed.exchanges = [
        {
          ...exchange,
          id: '1',
          what: 'views.open',
          request: { a: 1 },
          answer: { ok: false, error: 'invalid_arguments' },
        },
        {
          ...exchange,
          id: '2',
          to: 'provider',
          what: 'POST /api/sms/send',
          request: { to: ['2348031234567'] },
          answer: 'not JSON',
        },
      ];
    },
  });
  const panel = opened.page.getByRole('complementary', { name: 'Sandbox' });
  const requests = panel.getByRole('list', { name: 'Requests' }).getByRole('listitem');
  await requests.nth(1).waitFor();
  await panel.getByRole('searchbox', { name: 'Filter requests' }).fill('2348031234567');
  await panel.getByText('views.open').waitFor({ state: 'detached' });
  await panel.getByText('POST /api/sms/send').click();
  await panel.getByText('not JSON').waitFor();
  await panel.getByRole('searchbox').fill('');
  await panel.getByRole('button', { name: 'Failed' }).click();
  await panel.getByText('POST /api/sms/send').waitFor({ state: 'detached' });
  assert.equal(await requests.count(), 1);
});

test('shows the provider key and the magic numbers in the guide', async () => {
  await using opened = await openPage(browser, { hash: '#panel=guide' });
  const panel = opened.page.getByRole('complementary', { name: 'Sandbox' });
  await panel.getByText('sandbox-key-palm-market').waitFor();
  await panel.getByRole('row', { name: /\+2348030009001.*No answer at all/ }).waitFor();
  await panel.getByText('10:30 AM in Lagos (WAT), shifted').waitFor();
});
