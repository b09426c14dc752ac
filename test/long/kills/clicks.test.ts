import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import type { ProviderOperationName } from '../../../sandbox/provider/operation-names.ts';
import { runProgram } from '../../support/app/app-process.ts';
import { bundleProgram } from '../../support/app/program-bundle.ts';
import { startTestApp } from '../../support/app/test-app.ts';
import { heldResponses } from '../../support/provider/held-responses.ts';
import { findLocalPlans } from '../../support/slack/esim-steps.ts';
import { chooseWay, sendCode } from '../../support/slack/otp-steps.ts';
import { type SlackUser, slackUserAt } from '../../support/slack/slack-user.ts';
import { startFrom } from '../../support/slack/sms-steps.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** What costs money: how a person gets to the last step, what it calls, and what it says until its outcome is known. */
interface Spending {
  person: SlackUser;
  fillIn(): Promise<void>;
  submit(): Promise<unknown>;
  operation: ProviderOperationName;
  /** Resolves once it says this. */
  says(words: RegExp): Promise<unknown>;
  inDoubt: RegExp;
}

const whereToLook = /If none comes, look in the history. If it isn’t there, nothing was (?:sent|bought)\./;

test('what a killed program was asked for says where to look, or is told as unconfirmed', async (t) => {
  const responses = heldResponses(t);
  const dataDir = temporaryFolder(t);
  const { slack, provider, env, connect, ada, grace, startApp, stopApp } = await startTestApp(t, {
    transport: 'socket',
    dataDir,
    database: 'sqlite',
    wait: responses.wait,
  });
  await connect();
  await startFrom(grace, 'PalmMarket');
  await grace.closes();
  await stopApp();
  const [nneka, tunde] = [slackUserAt(slack, 'U0APPROVER'), slackUserAt(slack, 'U0MEMBER')];
  const inModals: Spending[] = [
    {
      person: ada,
      async fillIn() {
        await ada.types('/otp');
        await ada.seesModal('One-time code');
        await chooseWay(ada, 'SMS');
        await ada.fills('Phone number', '+2348031234568');
      },
      submit: () => ada.submits(),
      operation: 'messages.send',
      says: (words) => ada.seesModal('One-time code', words),
      inDoubt: /The code for .* may or may not have been sent/,
    },
    {
      person: grace,
      async fillIn() {
        await findLocalPlans(grace, 'Kenya');
        await grace.presses('Create');
        await grace.seesModal('New eSIM');
      },
      submit: () => grace.submits(),
      operation: 'esims.create',
      says: (words) => grace.seesModal('New eSIM', words),
      inDoubt: /The eSIM with .* may or may not have been created/,
    },
    {
      person: nneka,
      async fillIn() {
        await findLocalPlans(nneka, 'GHA');
        await nneka.presses('Top up');
        await nneka.seesModal('eSIM top-up');
        await nneka.fills('eSIM', provider.account.sims[3]?.iccid ?? '');
      },
      submit: () => nneka.submits(),
      operation: 'esims.purchase',
      says: (words) => nneka.seesModal('eSIM top-up', words),
      inDoubt: /The eSIM 89•••\d+ may or may not have been topped up/,
    },
  ];
  const inMessage: Spending = {
    person: tunde,
    async fillIn() {
      await tunde.types('/sms', '+2348051234567 Hello');
      await tunde.sees('Your message is ready');
    },
    submit: () => tunde.presses('Send'),
    operation: 'messages.send',
    says: (words) => tunde.sees(words),
    inDoubt: /The message to .* may or may not have been sent/,
  };
  const guy = slackUserAt(slack, 'U0GUEST');
  slack.setRole(guy.id, 'member');
  const call: Spending = {
    person: guy,
    async fillIn() {
      await sendCode(guy, 'SMS', { 'Phone number': '+2348031234599' });
      await guy.seesModal('Code sent');
    },
    submit: () => guy.presses('Call instead'),
    operation: 'tokens.call',
    says: (words) => guy.seesModal('One-time code', words),
    inDoubt: /The code for .* by voice call may or may not have been sent/,
  };
  const spendings = [call, ...inModals, inMessage];
  const spent = () =>
    provider.arrivals.filter(
      ({ operation, body }) =>
        spendings.some((each) => each.operation === operation) &&
        (operation === 'tokens.call' || !JSON.stringify(body).includes('2348031234599')),
    );

  const before = runProgram(t, env, await bundleProgram());
  await before.ready();
  for (const { fillIn } of inModals) {
    await fillIn();
  }
  // Nothing can be written down.
  const database = new Database(join(dataDir, 'switchboard.db'));
  t.after(() => database.close());
  database.exec('begin immediate');
  for (const { submit, says } of inModals) {
    await submit();
    await says(whereToLook);
  }
  await before.kill();
  database.exec('rollback');

  const after = before.restart();
  await after.ready();
  for (const { person } of inModals) {
    await person.types('/sms', 'history');
    await person.seesModal('History', 'Nothing yet');
    while (person.modal() !== undefined) {
      await person.closes();
    }
  }
  assert.deepEqual(spent(), []);
  for (const { fillIn, submit, operation } of spendings) {
    await fillIn();
    provider.orderFault({ operation, fault: { kind: 'slow_headers' } });
    await submit();
  }
  for (const { says } of [...inModals, call]) {
    await says(whereToLook);
  }
  await inMessage.says(/Sending… If this doesn’t change, you’ll get the outcome as a message\./);
  await responses.held(spendings.length);
  await after.kill();

  await startApp();
  for (const { person, inDoubt } of spendings) {
    await person.sees(inDoubt);
  }
  await stopApp();
  await startApp();
  await stopApp();
  for (const { person, inDoubt } of spendings) {
    assert.equal(person.messages().filter(({ text }) => inDoubt.test(text)).length, 1);
  }
  assert.equal(spent().length, spendings.length);
});
