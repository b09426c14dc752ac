import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { openStateFolder } from '../../../sandbox/state-folder.ts';
import { openBrowser } from '../../support/browser/chromium.ts';
import { openPage, type PageUser } from '../../support/browser/page-user.ts';
import { reached, recipients } from '../../support/campaigns.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

describe('templates, audiences and repeats in the sandbox page', () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let pageUser: PageUser;
  before(async () => {
    browser = await openBrowser();
    sandbox = await startSandbox({
      folder: await openStateFolder(join(folder, 'state')),
      transport: 'http',
      settings: { CAMPAIGN_MESSAGES_PER_SECOND: '1000' },
    });
    pageUser = await openPage(browser, sandbox.url);
    await pageUser.be('Grace Bello');
    await pageUser.types('/switchboard ');
    await pageUser.fills('API key', sandbox.provider.account.key);
    await pageUser.presses('Connect');
    await pageUser.sees('Connected');
    await pageUser.leaves('Close');
  });
  after(async () => {
    await browser.close();
    await sandbox.stop();
  });
  const folder = temporaryFolder({ after });

  const numbers = recipients(4);
  /** Rejected by the sandbox's provider. */
  const rejected = '+2348030009422';

  it('makes a template, uses it by its name, and changes it', async () => {
    await pageUser.types('/sms template');
    await pageUser.presses('New template');
    // The list has a field whose label has this one's in it.
    await pageUser.modal('New template').waitFor();
    await pageUser.fills('Name', 'Opening');
    await pageUser.fills('Message', 'Hello {{first_name|there}}, we open at nine');
    await pageUser.picks('Route', 'Transactional (DND)');
    await pageUser.picks('Sender ID', 'PalmMarket');
    await pageUser.presses('Save');
    await pageUser.modal('Template').getByText('Saved.').waitFor();
    await pageUser.presses('Change');
    await pageUser.modal('Template').getByRole('textbox', { name: 'Message' }).waitFor();
    await pageUser.fills('Message', 'Hello {{first_name|there}}, we open at ten');
    await pageUser.presses('Save');
    await pageUser.modal('Template').getByText('we open at ten').waitFor();
    await pageUser.presses('See version history');
    await pageUser.modal('Version history').getByText('we open at nine').waitFor();
    await pageUser.leaves('Close this window');
    await pageUser.types(`/sms template opening ${numbers[0]}`);
    await pageUser.sees('Hello there, we open at ten');
    await pageUser.presses('Send');
    await pageUser.sees('You’ll get a message if');
    const sent = sandbox.provider.record.map(({ to, text }) => ({ to, text }));
    assert.deepEqual(sent, [{ to: [numbers[0]?.slice(1)], text: 'Hello there, we open at ten' }]);
  });

  it('sends a campaign by the template, and follows up to those who did not get it', async () => {
    const form = pageUser.modal('New campaign');
    await pageUser.types('/sms bulk');
    const list = ['First name,Phone', ...[...numbers, rejected].map((number) => `Ada,${number}`)].join('\n');
    await pageUser.uploads('customers.csv', list);
    await pageUser.picks('Template', 'Opening');
    await form.getByText('27 characters').waitFor();
    const message = form.getByRole('textbox', { name: 'Message' });
    assert.equal(await message.inputValue(), 'Hello {{first_name|there}}, we open at ten');
    assert.equal(await form.getByRole('combobox', { name: 'Route' }).inputValue(), 'Transactional (DND)');
    await pageUser.presses('Review');
    await pageUser.modal('Campaign review').getByText('Hello Ada, we open at ten').first().waitFor();
    await pageUser.marks('A channel');
    await pageUser.presses('Send to 5');
    await pageUser.modal('Started').waitFor();
    await pageUser.leaves('Close');
    await pageUser.sees('Done:');
    assert.deepEqual(reached(sandbox.provider.record.slice(1)), numbers);
    await pageUser.presses('Follow up…');
    await pageUser.marks('Rejected (1)');
    await pageUser.marks('Edited text');
    await pageUser.modal('Follow-up').getByRole('textbox', { name: 'Message' }).waitFor();
    await pageUser.fills('Message', 'Hello {{first_name|there}}, sorry: we open at ten');
    await pageUser.presses('Review');
    const review = pageUser.modal('Campaign review');
    await review.getByText('1 recipient, 1 page').waitFor();
    await review.getByText('Hello Ada, sorry: we open at ten').first().waitFor();
    await pageUser.leaves('Close');
  });

  it('repeats a campaign every week, and skips one', async () => {
    const sent = reached(sandbox.provider.record).length;
    await pageUser.types('/sms bulk');
    await pageUser.uploads('members.csv', ['Phone', ...numbers].join('\n'));
    await pageUser.fills('Message', 'The market is open on Saturday');
    await pageUser.picks('Sender ID', 'PalmMarket');
    await pageUser.presses('Review');
    await pageUser.modal('Campaign review').waitFor();
    await pageUser.marks('Repeat');
    const review = pageUser.modal('Campaign review');
    await review.getByLabel('Date', { exact: true }).fill('2031-03-03');
    await review.getByLabel('Until', { exact: true }).fill('2031-03-24');
    await review.getByText('4 runs, the first one 3 Mar 2031').waitFor();
    await pageUser.marks('A channel');
    await pageUser.presses('Schedule for 4');
    await pageUser.modal('Scheduled').waitFor();
    await pageUser.leaves('Close');
    await pageUser.sees('Repeats every week until 24 Mar 2031');
    await pageUser.presses('Skip next run');
    await pageUser.modal('Skip next run').getByText('won’t be sent').waitFor();
    await pageUser.presses('Skip this run');
    await pageUser.modal('Campaign').getByText('10 Mar 2031').waitFor();
    await pageUser.leaves('Close');
    assert.equal(reached(sandbox.provider.record).length, sent);
  });
});
