import { join } from 'node:path';
import { after, before, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { freePort, startSandbox } from '../../../sandbox/sandbox.ts';
import { openStateFolder } from '../../../sandbox/state-folder.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { openPage } from '../../support/browser/page-user.ts';
import { profileEnv } from '../../support/provider/profile-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

let browser: Browser;
before(async () => {
  browser = await openBrowser();
});
after(() => browser.close());

// Removed after the sandbox has stopped, which saves what it knows.
const folder = temporaryFolder({ after });
const header = 'X-Provider-Signature';
const phone = '2348051234500';

it('an agent sends, sees that it was delivered, gets a reply and answers it', async (t) => {
  const app = await freePort(0, '127.0.0.1');
  const sandbox = await startSandbox({
    folder: await openStateFolder(join(folder, 'state')),
    transport: 'http',
    ports: { page: 0, provider: 0, app },
    settings: profileEnv({ reportSignature: { header }, currency: 'NGN' }),
  });
  t.after(() => sandbox.stop());
  const { provider } = sandbox;
  const user = await openPage(browser, sandbox.url);
  t.after(() => user.page.context().close());
  const inMessages = (words: string | RegExp) => user.page.getByRole('log').getByText(words).last().waitFor();

  await user.be('Grace Bello');
  await user.types('/switchboard ');
  await user.fills('API key', provider.account.key);
  await user.presses('Connect');
  await user.sees('Connected');
  await user.presses('Change defaults');
  await user.picks('Sender ID', 'PalmMarket');
  await user.presses('Save');
  await user.sees('Saved.');
  await user.presses('Open reports');
  await user.presses('Create webhook URL');
  const address = user.page.getByText(/\/provider\/reports\/[\w-]{43}/).last();
  const [path = ''] = /\/provider\/reports\/[\w-]{43}/.exec((await address.textContent()) ?? '') ?? [];
  provider.webhook.set({ url: `http://127.0.0.1:${app}${path}`, header, delayMs: 100 });
  await user.leaves('Close this window');
  await user.types('/switchboard ');
  await user.presses('Change replies');
  await user.page.getByRole('checkbox', { name: 'Post to a channel' }).check();
  await user.picks('Channel', 'support');
  await user.presses('Save');
  await user.sees('Saved.');
  await user.leaves('Close this window');

  await user.be('Ada Obi');
  await user.types(`/sms +${phone} Your order is ready`);
  await user.presses('Send');
  // On a slow machine the report comes before the outcome is shown.
  await inMessages(/You’ll get a message if|Delivered to/);
  await provider.webhook.settled();
  await user.types('/sms history');
  await user
    .modal('History')
    .getByText(/· Delivered/)
    .first()
    .waitFor();
  await user.leaves('Close');
  await provider.receive({ from: phone, to: '55019', text: 'Until when?' });
  await inMessages('Message from +234805•••4500');
  await user.presses('Reply');
  await user.fills('Message', 'Until six.');
  await user.presses('Review');
  await user.presses('Send');
  await inMessages('Until six.');
  await inMessages(/last message from/);
  const texts = () =>
    provider.phones()[0]?.conversations.flatMap((each) => each.texts.map(({ text }) => text));
  for (const text of ['Your order is ready', 'Until when?', 'Until six.']) {
    if (!texts()?.includes(text)) {
      throw new Error(`The phone has no “${text}”`);
    }
  }
});
