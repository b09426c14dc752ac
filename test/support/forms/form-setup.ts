import { commands } from '../../../src/slack/app/manifest.ts';
import { disconnectAction } from '../../../src/slack/features/settings/connection.ts';
import type { TestApp } from '../app/test-app.ts';
import { compose, provided, start } from '../campaigns.ts';
import { patientTimers } from '../hurried-timers.ts';
import { unlimited } from '../limits.ts';
import { replyEnv, switchesOnReplies } from '../reports/reply-steps.ts';
import { switchOnApprovals } from '../slack/approval-steps.ts';
import { openSettings } from '../slack/open-settings.ts';
import { sendCode } from '../slack/otp-steps.ts';
import { addPhonebook } from '../slack/phonebook-steps.ts';
import { send, startFrom } from '../slack/sms-steps.ts';
import { createTemplate } from '../slack/template-steps.ts';
import { pressEverything } from './open-forms.ts';

const first = '+2348051234500';

/** What an app needs for `showForms`. */
export const formSettings = {
  timers: patientTimers,
  env: replyEnv,
  limits: { numbers: unlimited('messages', 'codes', 'lookups', 'purchases') },
};

/** Forms that nothing leads to in `showForms`, with why. */
export const notShown: Readonly<Record<string, string>> = {
  campaign_runs: 'asked only after a restore, see test/journeys/restored-runs.test.ts',
  report_secret: 'shown only where the provider signs reports with a secret of their own',
};

/** Has an admin see every form. `most`: how often they press a button, see `pressEverything`. */
export async function showForms(testApp: TestApp, most: number): Promise<void> {
  await createForms(testApp);
  await pressEverything(testApp, testApp.grace, {
    commands: [
      ...commands.map(({ name }) => [`/${name}`, ''] as const),
      ...['template', 'bulk list', 'bulk', 'history', 'do-not-contact'].map(
        (text) => ['/sms', text] as const,
      ),
      ...['plans Kenya local', 'status'].map((text) => ['/esim', text] as const),
      ...['add', 'upload'].map((text) => ['/contacts', text] as const),
      ['/sender-id', 'request'],
    ],
    except: [disconnectAction],
    most,
  });
}

/** Does as an admin what has to be done before there is a button to some forms, and opens those that none leads to. */
async function createForms(testApp: TestApp): Promise<void> {
  const { ada, grace, provider, channels, app } = testApp;
  await addPhonebook(testApp);
  await startFrom(grace, 'PalmMarket');
  await createTemplate(grace);
  await switchesOnReplies({ ...testApp, connect: async () => {} });
  await provider.receive({ from: '2348051234599', to: '55019', text: 'Are they ripe?' });
  await grace.sees(/Message from/);

  await openSettings(grace);
  await grace.presses('Open personal data');
  await grace.fills('Phone number', '+2348099999990');
  await grace.submits();
  await grace.seesModal('Personal data', /\+234 809 999 9990/);
  await openSettings(grace);
  await grace.presses('Open reports');
  await grace.seesModal('Delivery reports');
  for (const subject of ['message', 'code', 'lookup', 'eSIM']) {
    await openSettings(grace);
    await grace.presses('Change limits');
    await grace.presses(`Change ${subject} limits`);
    await grace.seesModal(`Limits on ${subject}s`);
  }

  await send(grace, { to: '+2348031234567' });
  await grace.seesModal('Message sent');
  await grace.types('/sms');
  const later = { To: '+2348031234567', Message: 'Our shop opens at nine', When: 'Later' };
  for (const [label, value] of Object.entries(later)) {
    await grace.fills(label, value);
  }
  await grace.submits();
  await grace.seesModal('Message review');
  await grace.fills('Date', '2100-01-01');
  await grace.submits();
  await grace.seesModal('Scheduled');
  await grace.types('/sms', 'scheduled');
  await grace.presses('Open');
  await grace.seesModal('Scheduled message');
  await sendCode(grace, 'SMS', { 'Phone number': first });
  await grace.seesModal('Code sent');
  await sendCode(grace, 'In-app token', { 'Phone number': first });
  await grace.seesModal('In-app token');
  await grace.types('/contacts', 'upload');
  await grace.drops('File', 'new.csv', `phone,name\n${first},Ngozi`);
  await grace.submits();
  await grace.seesModal('Upload review');

  await compose(grace, { pasted: first, name: 'Harvest' });
  await start(grace);
  await provided(provider, 1);
  await grace.sees(/\*Done:\*/);
  const refusal = { kind: 'status', status: 400, message: 'Invalid Sender Id' } as const;
  provider.orderFault({ path: '/api/sms/send', fault: refusal });
  await compose(grace, { pasted: first, name: 'Late harvest' });
  await start(grace);
  await grace.sees(/\*Paused:\*/);
  await grace.closes();
  await grace.presses('Change sender ID');
  await grace.seesModal('Sender ID');
  for (const [kind, name] of [
    ['Schedule', 'Third harvest'],
    ['Repeat', 'Weekly harvest'],
  ] as const) {
    await compose(grace, { pasted: `${first} +2348051234520`, name });
    await grace.seesModal('Campaign review');
    await grace.fills('Start', kind);
    await grace.fills('Date', '2100-01-01');
    if (kind === 'Repeat') {
      await grace.fills('Until', '2100-02-01');
    }
    await grace.submits();
    await grace.seesModal('Scheduled');
  }
  await switchOnApprovals(grace, { recipients: '2', channel: channels.support });
  await compose(ada, { pasted: `${first} +2348051234520 +2348051234530`, name: 'Great harvest' });
  await start(ada);
  await ada.seesModal('Approval', 'Waiting for approval');
  await app().settled();
  await compose(grace, { pasted: `${first} +2348051234520`, name: 'Fourth harvest' });
  await grace.seesModal('Campaign review');
}
