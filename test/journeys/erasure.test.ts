import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSettings } from '../../src/config/settings.ts';
import { phoneNumberSchema } from '../../src/domain/phone/phone-number.ts';
import { Secret } from '../../src/lib/secret.ts';
import { openStore } from '../../src/store/store.ts';
import { runCommand, type TestHooks } from '../support/app/app-process.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { encryptedMentions, foundInFiles } from '../support/privacy/mentions-at-rest.ts';
import { review } from '../support/slack/sms-steps.ts';
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
  await review(ada, { to: number, text: 'Your parcel is here' });
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
  await ada.fills('Phone number', number);
  await ada.fills('Sender ID', 'PalmMarket');
  await ada.submits();
  await ada.sees(/\+234803•••4567/);
  await ada.closes();
  await grace.types('/sms', 'do-not-contact');
  await grace.presses('Add numbers');
  await grace.fills('Numbers to add', number);
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
    assert.equal(before.length, 6, JSON.stringify(before.map(({ where }) => where)));
    await app.startApp();

    await grace.types('/switchboard');
    await grace.presses('Erase…');
    await grace.fills('Phone number', '0803');
    await grace.submits();
    assert.match(grace.errorBeside('Phone number') ?? '', /too short/);
    await grace.fills('Phone number', '0803 123 4567');
    await grace.submits();
    const asked = await grace.seesModal('Erase a person', /\+234 803 123 4567/);
    assert.match(JSON.stringify(asked.view), /2 messages and other entries.*do-not-contact list/);
    await grace.submits();
    await grace.seesModal('Erase a person', 'The number is erased');
    await grace.closes();

    await grace.types('/sms', 'do-not-contact');
    await grace.seesModal('Do-not-contact list', 'An erased number');
    await grace.closes();
    await review(ada, { to: number, text: 'Again' });
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
});

forEachDatabase((database) => {
  it('npm run erase says what was removed and what stays, on SQLite once the program is stopped', async (test) => {
    const app = await startTestApp(test, { database });
    await leaveTraces(app);
    const env = { ...app.env, DATA_DIR: app.dataDir };
    if (database === 'sqlite') {
      const refused = await erase(test, env, number);
      assert.equal(refused.code, 1);
      assert.match(refused.said, new RegExp(`is in use by process ${process.pid} on`));
      await app.stopApp();
    }
    const { said, code } = await erase(test, env, number);
    assert.equal(code, 0, said);
    assert.match(said, /^Searching 1 workspace …\nRemoved: 2 entries of the history; 1 message text; /);
    assert.match(said, /do-not-contact list a hash stays.*\n.*Slack keeps/);
    assert.doesNotMatch(said, /803\D?\d{3}\D?\d{4}/);
    const again = await erase(test, env, number, '--workspace', 'T0SWITCH');
    assert.match(again.said, /Removed: 0 entries of the history/);
    const unknown = await erase(test, env, number, '--workspace', 'T0NOBODY');
    assert.deepEqual(
      [unknown.code, /Nothing is stored of a workspace T0NOBODY/.test(unknown.said)],
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
