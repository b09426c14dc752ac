import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSettings } from '../../src/config/settings.ts';
import { phoneNumberSchema, toE164 } from '../../src/domain/phone/phone-number.ts';
import { Secret } from '../../src/lib/secret.ts';
import { openStore } from '../../src/store/store.ts';
import { runCommand, type TestHooks } from '../support/app/app-process.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { encryptedMentions, foundInFiles } from '../support/privacy/mentions-at-rest.ts';
import { makesReportAddress } from '../support/reports/report-address.ts';
import { postReport, reportEnv, reportOf } from '../support/reports/signed-report.ts';
import { resultOf } from '../support/slack/number-files.ts';
import { type SlackUser, wordsOf } from '../support/slack/slack-user.ts';
import { review, send } from '../support/slack/sms-steps.ts';
import { forEachDatabase } from '../support/store/databases.ts';

const number = phoneNumberSchema.parse('+2348031234567');
const other = '+2348051234567';

async function erase(test: TestHooks, env: Record<string, string>, ...argv: string[]) {
  const { code, stdout, stderr } = await runCommand(test, 'erase', env, ...argv);
  return { said: stdout + stderr, code };
}

/** Leaves the number in a sent message, a draft, a code, the preferences and a campaign that is not started. */
async function leaveTraces({ ada, grace, connect }: TestApp): Promise<void> {
  await connect();
  await review(ada, { to: toE164(number), text: 'Your parcel is here' });
  await ada.seesModal('Message review');
  await ada.submits();
  await ada.seesModal('Message sent');
  await ada.closes();
  await review(ada, { to: `${number} ${other}`, text: 'A draft' });
  await ada.closes();
  await ada.types('/otp');
  await ada.seesModal('One-time code');
  await ada.fills('Send by', 'SMS');
  await ada.seesModal('One-time code');
  await ada.fills('Phone number', toE164(number));
  await ada.fills('Sender ID', 'PalmMarket');
  await ada.submits();
  await ada.sees(/\+234\s803\s123\s4567/);
  await ada.closes();
  await grace.types('/sms', 'do-not-contact');
  await grace.presses('Add numbers');
  await grace.fills('Numbers to add', toE164(number));
  await grace.submits();
  await grace.closes();
}

async function mentionsAtRest({ env }: TestApp) {
  const keys = [new Secret(env.ENCRYPTION_KEYS ?? '')];
  const store = await openStore(await readSettings(env));
  const found = await encryptedMentions(store, keys, number);
  await store.close();
  return found;
}

async function erases(admin: SlackUser, erased: string): Promise<void> {
  await admin.types('/switchboard');
  await admin.presses('Open personal data');
  await admin.fills('Phone number', erased);
  await admin.submits();
  await admin.submits();
  await admin.seesModal('Personal data', 'The number is erased');
}

/** The entries of the audit about erasures. */
async function erasuresIn({ env }: TestApp) {
  const store = await openStore(await readSettings(env));
  const rows = await store.db
    .selectFrom('auditEntry')
    .select(['userId', 'subject', 'outcome', 'surface', 'details'])
    .where('action', '=', 'person.erase')
    .execute();
  await store.close();
  return rows;
}

describe('erasing a person', () => {
  it('removes what is stored of a number, for an admin who confirms it', async (test) => {
    const app = await startTestApp(test);
    const { ada, grace, env, stopApp } = app;
    await leaveTraces(app);
    await stopApp();
    const before = await mentionsAtRest(app);
    assert.equal(before.length, 7, JSON.stringify(before.map(({ where }) => where)));
    await app.startApp();

    await grace.types('/switchboard');
    await grace.presses('Open personal data');
    await grace.fills('Phone number', '0803');
    await grace.submits();
    assert.match(grace.errorBeside('Phone number') ?? '', /too short/);
    await grace.fills('Phone number', '0803 123 4567');
    await grace.submits();
    await grace.seesModal('Personal data', /\+234 803 123 4567/);
    await grace.presses('Export');
    await grace.seesModal('Personal data', 'file is in your messages');
    await grace.closes();
    const file = await grace.sees('Everything that Switchboard stores about the person');
    assert.ok(!ada.messages().some(({ channel }) => channel === file.channel));
    const held = (await resultOf(app.slack, file)).join('\n');
    assert.match(held, /^Message,.*,Sent,Your parcel is here/m);
    assert.match(held, /^One-time code,.*,Sent/m);
    assert.match(held, /Do-not-contact list,/);
    assert.match(held, /Audit,.*,sms\.send/);
    assert.doesNotMatch(held, /5123?4567|805 ?123/);
    const asked = await grace.seesModal('Personal data', /\+234 803 123 4567/);
    assert.match(JSON.stringify(asked.view), /2 messages and other entries.*do-not-contact list/);
    await grace.submits();
    await grace.seesModal('Personal data', 'The number is erased');
    await grace.closes();

    await grace.types('/sms', 'do-not-contact');
    await grace.seesModal('Do-not-contact list', 'An erased number');
    await grace.closes();
    await review(ada, { to: toE164(number), text: 'Again' });
    await ada.seesModal('Message review', /do-not-contact list/);
    await ada.closes();

    await stopApp();
    const audit = await erasuresIn(app);
    assert.equal(audit.length, 1);
    assert.deepEqual([audit[0]?.userId, audit[0]?.outcome, audit[0]?.surface], ['U0ADMIN', 'done', 'modal']);
    assert.doesNotMatch(JSON.stringify(audit), /803\D?\d{3}\D?\d{4}/);
    const ciphertexts = before.map(({ ciphertext }) => ciphertext);
    assert.deepEqual(foundInFiles(env.DATA_DIR ?? '', number, ciphertexts), []);
  });

  it('lets the other recipients of a message be reached again, and says nothing of the person', async (test) => {
    const app = await joinTestApp(test, { env: reportEnv });
    const { ada, grace, provider, connect } = app;
    await connect();
    const address = await makesReportAddress(app);
    await send(ada, { to: `${number} ${other}` });
    await ada.seesModal('Message sent');
    await ada.closes();
    await erases(grace, toE164(number));
    const failed = reportOf(app, { receiver: other, status: 'Expired' });
    assert.equal(await postReport(address, failed, provider.account), 200);
    const told = wordsOf(
      await ada.sees(/\*Not delivered\* to \+234\s805\s123\s4567: the phone wasn’t reached/),
    );
    await ada.types('/sms', 'history');
    await ada.seesModal('History');
    await ada.presses('Open');
    const entry = wordsOf((await ada.seesModal('Message', 'Not delivered')).view);
    assert.doesNotMatch(told + entry, /803 ?123|•••(?!4567)|waiting for/);
    await ada.closes();
    await ada.presses('Send again');
    await ada.seesModal('New message');
    await ada.submits();
    await ada.seesModal('Message review');
    await ada.submits();
    await ada.seesModal('Message sent');
    assert.deepEqual(provider.record.at(-1)?.to, [other.slice(1)]);
  });

  it('leaves nothing to send again where it is no longer known whom the message went to the second time', async (test) => {
    const app = await joinTestApp(test, { env: reportEnv });
    const { ada, grace, provider, connect } = app;
    await connect();
    const address = await makesReportAddress(app);
    await send(ada, { to: other });
    await ada.seesModal('Message sent');
    await ada.closes();
    const failed = reportOf(app, { status: 'Expired' });
    assert.equal(await postReport(address, failed, provider.account), 200);
    await ada.sees(/\*Not delivered\* to/);
    await ada.presses('Send again');
    await ada.fills('To', toE164(number));
    await ada.submits();
    await ada.seesModal('Message review');
    await ada.submits();
    await ada.seesModal('Message sent');
    await ada.closes();
    await erases(grace, toE164(number));
    await ada.presses('Send again');
    const { view } = await ada.seesModal('Already sent again', 'Text and numbers have been deleted.');
    assert.doesNotMatch(wordsOf(view), /803.?123|803•••|Send again/);
    assert.equal(provider.record.length, 2);
  });
});

forEachDatabase((database) => {
  it('npm run erase says what was removed and what stays, on SQLite once the program is stopped', async (test) => {
    const app = await startTestApp(test, { database });
    await leaveTraces(app);
    const env = { ...app.env, DATA_DIR: app.dataDir };
    if (database === 'sqlite') {
      const refused = await erase(test, env, toE164(number));
      assert.equal(refused.code, 1);
      assert.match(refused.said, new RegExp(`is in use by process ${process.pid} on`));
      await app.stopApp();
    }
    const { said, code } = await erase(test, env, toE164(number));
    assert.equal(code, 0, said);
    assert.match(said, /^Searching 1 workspace …\nRemoved: 2 entries of the history; 2 message texts; /);
    assert.match(said, /do-not-contact list a hash stays.*\n.*Slack keeps/);
    assert.doesNotMatch(said, /803\D?\d{3}\D?\d{4}/);
    const again = await erase(test, env, toE164(number), '--workspace', 'T0SWITCH');
    assert.match(again.said, /Removed: 0 entries of the history/);
    const unknown = await erase(test, env, toE164(number), '--workspace', 'T0NOBODY');
    assert.deepEqual(
      [unknown.code, /Nothing is stored about a workspace T0NOBODY/.test(unknown.said)],
      [1, true],
    );
    await app.stopApp();
    assert.deepEqual(await mentionsAtRest(app), []);
    const records = await erasuresIn(app);
    assert.deepEqual(
      records.map(({ userId, outcome, surface }) => [userId, outcome, surface]),
      [
        [undefined, 'done', 'terminal'],
        [undefined, 'done', 'terminal'],
      ],
    );
  });
});
