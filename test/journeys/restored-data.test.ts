import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Restorable, startRestorable } from '../support/app/restorable.ts';
import type { TestApp } from '../support/app/test-app.ts';
import { compose, eventually, recipients, start } from '../support/campaigns.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { makesReportAddress } from '../support/reports/report-address.ts';
import { postReport, reportEnv, reportOf } from '../support/reports/signed-report.ts';
import { findLocalPlans } from '../support/slack/esim-steps.ts';
import { codeReceived, number, sendCode, sender, verify } from '../support/slack/otp-steps.ts';
import { addPhonebook, loyal } from '../support/slack/phonebook-steps.ts';
import type { SlackUser } from '../support/slack/slack-user.ts';
import { review, send, startFrom } from '../support/slack/sms-steps.ts';
import { runningClock } from '../support/time/test-clock.ts';

const env = { CAMPAIGN_MESSAGES_PER_SECOND: '10000', ...profileEnv({ contactDeleteBy: 'query:contact_id' }) };

/** An operation that spends money or cannot be undone: the steps before the last, the last, and the result shown. */
interface IrreversibleAction {
  operation: string;
  begin(person: SlackUser, testApp: TestApp): Promise<unknown>;
  finish(person: SlackUser): Promise<unknown>;
  done(person: SlackUser): Promise<unknown>;
}

const wasOpenBefore =
  /was open before Switchboard’s data was restored or copied\. Nothing was sent now, but it may have been sent before\./;

const submits = (person: SlackUser) => person.submits();

const irreversibleActions: Record<string, IrreversibleAction> = {
  'an SMS from its review in a message': {
    operation: 'messages.send',
    begin: async (ada) => {
      await ada.types('/sms', '+2348031234568 Hello');
      await ada.sees('1 recipient, 1 page');
    },
    finish: (ada) => ada.presses('Send'),
    done: (ada) => ada.sees('*Sent* to'),
  },
  'an SMS from its review': {
    operation: 'messages.send',
    begin: async (ada) => {
      await review(ada, { to: '+2348031234567', text: 'Hello' });
      await ada.seesModal('Message review');
    },
    finish: submits,
    done: (ada) => ada.seesModal('Message sent'),
  },
  'a test of a campaign': {
    operation: 'messages.send',
    begin: async (ada) => {
      await compose(ada, { pasted: recipients(2).join('\n') });
      await ada.presses('Send a test to myself');
      await ada.fills('Your phone number', '08055550001');
    },
    finish: submits,
    done: (ada) => ada.seesModal('Test message', 'Test sent'),
  },
  'the start of a campaign': {
    operation: 'messages.sendBulk',
    begin: async (ada) => {
      await compose(ada, { pasted: recipients(2).join('\n') });
      await ada.seesModal('Campaign review');
    },
    finish: submits,
    done: (ada) => ada.sees('*Done:* 2 recipients'),
  },
  'a message for later that is sent now': {
    operation: 'messages.send',
    begin: async (ada) => {
      await ada.types('/sms', '+2348031234568');
      await ada.fills('Message', 'Hello later');
      await ada.fills('When', 'Later');
      await ada.submits();
      await ada.seesModal('Message review', 'Hello later');
      await ada.submits();
      await ada.seesModal('Scheduled');
      await ada.closes();
      await ada.sees('*Scheduled for');
      await ada.presses('Send now');
      await ada.seesModal('Send now');
    },
    finish: submits,
    done: (ada) => ada.sees('*Done:* 1 recipient'),
  },
  'a code': {
    operation: 'tokens.call',
    begin: async (ada) => {
      await ada.types('/otp');
      await ada.fills('Send by', 'Voice call');
      await ada.seesModal('One-time code', 'A call reads the code out');
      await ada.fills('Phone number', '+2348031234568');
    },
    finish: submits,
    done: (ada) => ada.seesModal('Code sent', 'by voice call'),
  },
  'a call in place of a code by SMS': {
    operation: 'tokens.call',
    begin: async (ada) => {
      await sendCode(ada, 'SMS', number);
      await ada.seesModal('Code sent', 'by SMS');
    },
    finish: (ada) => ada.presses('Call instead'),
    done: (ada) => ada.seesModal('Code sent', 'by voice call'),
  },
  'a request for a sender ID': {
    operation: 'senderIds.request',
    begin: async (ada) => {
      await ada.types('/sender-id', 'request');
      await ada.fills('Sender ID', 'PalmFresh');
      await ada.fills('Sample message', 'Fresh mangoes have arrived at our shop');
      await ada.fills('Company', 'Palm Market Ltd');
    },
    finish: submits,
    done: (ada) => ada.seesModal('Sender ID requested'),
  },
  'an eSIM': {
    operation: 'esims.create',
    begin: async (ada) => {
      await findLocalPlans(ada, 'Kenya');
      await ada.presses('Create');
      await ada.seesModal('New eSIM');
    },
    finish: submits,
    done: (ada) => ada.seesModal('eSIM created'),
  },
  'a top-up of an eSIM': {
    operation: 'esims.purchase',
    begin: async (ada, { provider }) => {
      await findLocalPlans(ada, 'GHA');
      await ada.presses('Top up');
      await ada.seesModal('eSIM top-up');
      await ada.fills('eSIM', provider.account.sims[3]?.iccid ?? '');
    },
    finish: submits,
    done: (ada) => ada.seesModal('eSIM topped up'),
  },
  'a contact that is added': {
    operation: 'phonebooks.addContact',
    begin: async (ada) => {
      await ada.types('/contacts', 'add 0803 111 0999');
      await ada.seesModal('New contact');
    },
    finish: submits,
    done: (ada) => ada.seesModal('Added'),
  },
  'a contact that is deleted': {
    operation: 'phonebooks.deleteContact',
    begin: async (ada) => {
      await ada.types('/contacts');
      await ada.fills('Search contacts', '1110117');
      await ada.seesModal('Contacts', /1 found in 1\d contacts/);
      await ada.presses('Open');
      await ada.seesModal('Contact', '+234 803 111 0117');
    },
    finish: (ada) => ada.presses('Delete'),
    done: (ada) => ada.seesModal('Deleted'),
  },
  'a file of contacts': {
    operation: 'phonebooks.upload',
    begin: async (ada) => {
      await ada.types('/contacts', 'upload');
      await ada.drops('File', 'many.csv', ['Phone', ...recipients(3)].join('\n'));
      await ada.submits();
      await ada.seesModal('Upload review', '*3 contacts*');
    },
    finish: submits,
    done: (ada) => ada.seesModal('Uploaded'),
  },
};

describe('after a restore of the data', () => {
  let shared: Restorable;
  const endings: (() => void | Promise<void>)[] = [];
  before(async () => {
    shared = await startRestorable({ after: (end) => void endings.push(end) }, { env });
    await addPhonebook(shared, loyal);
    await startFrom(shared.grace, 'PalmMarket');
  });
  after(async () => {
    for (const end of endings) {
      await end();
    }
  });

  for (const [what, { operation, begin, finish, done }] of Object.entries(irreversibleActions)) {
    it(`does not repeat what the restore has forgotten when the same button is pressed: ${what}`, async () => {
      const { ada, slack, provider } = shared;
      const before = provider.arrivals.length;
      const asked = () =>
        provider.arrivals.slice(before).filter((arrival) => arrival.operation === operation).length;
      await begin(ada, shared);
      await shared.takeSnapshot();
      await finish(ada);
      await done(ada);
      assert.equal(asked(), 1);
      await shared.putBack();

      await slack.redeliver();
      // A started campaign sends later, and stopping the program waits for that.
      await (operation === 'messages.sendBulk' ? shared.restart() : shared.app().settled());
      assert.equal(asked(), 1);
      while (ada.modal() !== undefined) {
        await ada.closes();
      }
    });
  }

  it('looks numbers up from forms opened before and after it, and opens an SMS', async () => {
    const { ada, grace } = shared;
    const forms = { '/number': 'Phone number', '/dnd-check': 'Phone numbers' };
    for (const [command, field] of Object.entries(forms)) {
      await shared.takeSnapshot();
      await ada.types(command);
      await shared.putBack();
      await grace.types(command);
      for (const person of [ada, grace]) {
        await person.fills(field, '+2348031234567');
        await person.submits();
        await person.seesModal(/Number lookup|Do-Not-Disturb check/, '+234 803 123 4567');
        await person.presses(command === '/number' ? 'New message' : 'Send SMS');
        await person.seesModal('New message');
        while (person.modal() !== undefined) {
          await person.closes();
        }
      }
    }
  });

  it('refuses forms opened before it, with the reason, and accepts those opened since', async (test) => {
    const testApp = await startRestorable(test, { env });
    const { ada, grace, provider, connect } = testApp;
    await connect();
    await testApp.backUp();
    await review(ada, { to: '+2348031234567', text: 'Hello' });
    await ada.seesModal('Message review');
    await compose(grace, { pasted: recipients(2).join('\n') });
    await grace.seesModal('Campaign review');
    await testApp.backUp();
    await testApp.putBack();
    const words = wasOpenBefore;
    for (const person of [ada, grace]) {
      await person.submits();
      await person.seesTrouble(words);
      if (person === ada) {
        assert.equal(ada.modal()?.view.submit, undefined);
      }
      await person.closes();
    }
    await ada.types('/sms');
    await ada.fills('To', '+2348031234567');
    await testApp.putBack();
    await ada.fills('Route', 'Transactional (DND)');
    await ada.fills('Sender ID', 'PalmMarket');
    await ada.fills('Message', 'Hello');
    await ada.submits();
    await ada.seesTrouble(words);
    await ada.closes();
    assert.equal(provider.record.length, 0);

    await send(ada, { to: '+2348031234567', text: 'Hello again' });
    await ada.seesModal('Message sent');
    await compose(grace, { pasted: recipients(2).join('\n') });
    await start(grace);
    await grace.sees('*Done:* 2 recipients');
    assert.equal(provider.record.length, 2);
  });

  it('does not claim that nothing was sent on a *Cancel* of a message it may have forgotten', async (test) => {
    const testApp = await startRestorable(test, { env });
    const { ada, connect } = testApp;
    await connect();
    await startFrom(testApp.grace, 'PalmMarket');
    await ada.types('/sms', '+2348031234568 Hello');
    await ada.sees('1 recipient, 1 page');
    await testApp.backUp();
    await testApp.putBack();
    await ada.presses('Cancel');
    await ada.sees(wasOpenBefore);
    assert.ok(!ada.messages().some(({ text }) => text.includes('Cancelled')));
  });

  it('does not verify a code that may have been used, and leaves the message that says it was', async (test) => {
    const { clock, pass } = runningClock();
    const testApp = await startRestorable(test, { env, clock });
    const { ada, app, connect, teamId } = testApp;
    await connect();
    await sendCode(ada, 'Voice call', number);
    await ada.seesModal('Code sent');
    await testApp.backUp();
    const code = codeReceived(testApp, '/api/sms/otp/call');
    await ada.presses('Verify');
    await verify(ada, code);
    await ada.seesModal('Verified');
    await ada.closes();
    await ada.sees('*Verified:* +234 803 123 4568');
    await testApp.putBack();

    await ada.types('/otp', 'verify');
    await ada.seesModal('Verification', 'You have no codes to verify.');
    await ada.closes();
    const { operations, otp } = app().services;
    const find = async () => (await operations.recent(teamId, ada.id, 1))[0] ?? assert.fail('no operation');
    const { verification } = await otp.verify(teamId, (await find()).key, ada.id, code);
    assert.deepEqual(verification, { kind: 'restored' });
    pass(11 * 60_000);
    await eventually(async () => (await find()).codeOutcome !== undefined, 'the end of the code');
    await app().settled();
    await ada.sees('*Verified:* +234 803 123 4568');
    await ada.types('/sms', 'history +2348031234568');
    await ada.seesModal('History');
    await ada.presses('Open');
    await ada.seesModal(
      'One-time code',
      /unknown whether it was verified: the data was restored from a backup/,
    );
  });

  it('leaves the message that says a code was verified as it is, when the code’s delivery is reported late', async (test) => {
    const testApp = await startRestorable(test, { env: reportEnv });
    const { ada, provider, connect, url } = testApp;
    await connect();
    const { pathname } = new URL(await makesReportAddress(testApp));
    await sendCode(ada, 'SMS', { ...number, ...sender });
    await ada.seesModal('Code sent');
    await testApp.backUp();
    await ada.presses('Verify');
    await verify(ada, codeReceived(testApp));
    await ada.seesModal('Verified');
    await ada.closes();
    const { ts } = await ada.sees(/\*Verified:\* \+234\s803\s123\s4568/);
    await testApp.putBack();
    const ofCode = reportOf(testApp);
    await send(ada, { to: '+2348051234567' });
    await ada.seesModal('Message sent');
    const reports = `[${ofCode}, ${reportOf(testApp)}]`;
    assert.equal(await postReport(`${url()}${pathname}`, reports, provider.account), 200);
    await ada.sees(/\*Delivered\* to \+234/);
    // Both messages are changed in one turn.
    await testApp.stopApp();
    assert.equal((await ada.sees(/\*Verified:\* \+234\s803\s123\s4568/)).ts, ts);
  });
});
