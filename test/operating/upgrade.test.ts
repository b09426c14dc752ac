import assert from 'node:assert/strict';
import { it } from 'node:test';
import { released } from '../../src/store/migrations/migrate.ts';
import { previousProgram, previousRelease } from '../support/app/previous-release.ts';
import { bundleProgram } from '../support/app/program-bundle.ts';
import { compose, eventually, reached, recipients, start } from '../support/campaigns.ts';
import { codeReceived, sendCode, sender, verify } from '../support/slack/otp-steps.ts';
import { giveRole } from '../support/slack/role-steps.ts';
import { type SlackUser, slackUserAt, wordsOf } from '../support/slack/slack-user.ts';
import { review } from '../support/slack/sms-steps.ts';
import { type RunningVersion, startVersions, type Versions } from './versions.ts';

/** The campaigns that run all the time: at their pace they take minutes, until the last version sends as fast as it can. */
const size = 10_000;
const numbers = recipients(2 * size);
const opening = { name: 'Opening', text: 'Our shop opens at nine', numbers: numbers.slice(0, size) };
const sale = { name: 'Sale', text: 'Everything is half the price', numbers: numbers.slice(size) };
const slow = { CAMPAIGN_MESSAGES_PER_SECOND: '100' };
const fast = { CAMPAIGN_MESSAGES_PER_SECOND: '20000' };

it('an upgrade: the previous release, the new one beside it, back to the old one, and then only the new one', async (test) => {
  const previous = previousProgram(test);
  if (previous === undefined) {
    test.skip(`the history has no commit ${previousRelease.commit}, the previous release`);
    return;
  }
  const current = await bundleProgram();
  const versions = await startVersions(test);
  const { slack, provider } = versions;
  provider.setBalance(1_000_000);
  const ada = slackUserAt(slack, 'U0AGENT');
  const grace = slackUserAt(slack, 'U0ADMIN');
  const people = peopleAtWork(versions, ada);
  const sentOf = ({ text }: Bulk) => provider.record.filter((message) => message.text === text);
  const goesOn = async (bulk: Bulk) => {
    const { length } = sentOf(bulk);
    await eventually(() => sentOf(bulk).length > length, `more of ${bulk.name}`);
  };

  const old = await versions.start(previous, slow);
  assert.equal((await versions.migrations()).at(-1), previousRelease.migration);
  versions.serveBy(old);
  await connect(grace, provider.account.key);
  await giveRole(grace, 'Sender');
  await startBulk(ada, opening);
  await goesOn(opening);

  // The code was sent, and the message is being reviewed, before the tables are those of the new version.
  const code = await people.requestCode();
  await review(grace, { to: '+2348051234562', text: 'Good evening' });
  await grace.seesModal('Message review');
  const beside = await versions.start(current, slow);
  assert.deepEqual(await versions.migrations(), Object.keys(released));
  await goesOn(opening);
  versions.serveBy(beside);
  await people.verify(code);
  await grace.submits();
  await grace.seesModal('Message accepted');
  await grace.closes();
  await startBulk(grace, sale);

  for (const [one, other] of [
    [old, beside],
    [beside, old],
  ] as const) {
    await people.codeAcross(one, other);
    await people.messageAcross(one, other);
    for (const [user, bulk] of [
      [ada, opening],
      [grace, sale],
    ] as const) {
      versions.serveBy(one);
      await user.presses('Pause');
      await user.sees(new RegExp(`${bulk.name}[^]*Paused by <@${user.id}>`));
      versions.serveBy(other);
      await user.presses('Resume');
      await user.sees(new RegExp(`${bulk.name}[^]*Sending:[^]*Resumed by <@${user.id}>`));
      await goesOn(bulk);
    }
  }

  await beside.stop();
  versions.serveBy(old);
  await people.codeAcross(old, old);
  await goesOn(opening);
  await goesOn(sale);

  const last = await versions.start(current, fast);
  await people.messageAcross(old, last);
  await old.stop();
  await people.codeAcross(last, last);
  for (const [user, bulk] of [
    [ada, opening],
    [grace, sale],
  ] as const) {
    await user.sees(new RegExp(`${bulk.name}[^]*\\*Done:\\* 10,000 recipients`));
    assert.deepEqual(reached(sentOf(bulk)), bulk.numbers.toSorted());
    const told = user.messages().map(wordsOf);
    assert.equal(told.filter((words) => words.includes(bulk.name)).length, 1, bulk.name);
    assert.doesNotMatch(told.join(), /may or may not|may have this message already/);
  }
  people.assertOnce();
  await last.stop();
});

async function connect(admin: SlackUser, key: string): Promise<void> {
  await admin.types('/switchboard', 'connect');
  await admin.fills('API key', key);
  await admin.submits();
  await admin.seesModal('Switchboard', 'Connected');
  await admin.closes();
}

type Bulk = typeof opening;

async function startBulk(user: SlackUser, { name, text, numbers }: Bulk): Promise<void> {
  await compose(user, { file: ['Phone', ...numbers].join('\n'), text, name });
  await start(user);
  await user.seesModal('Started');
  await user.closes();
}

/** What a person does across two programs, to a number of its own each time. */
function peopleAtWork({ provider, serveBy }: Versions, user: SlackUser) {
  let numbers = 0;
  const texts: string[] = [];
  /** The numbers of messages. */
  const messaged: string[] = [];
  const nextNumber = () => {
    numbers += 1;
    return `+234805999${String(numbers * 10).padStart(4, '0')}`;
  };

  /** Leaves the form of the code open. */
  async function requestCode(): Promise<string> {
    await sendCode(user, 'SMS', { 'Phone number': nextNumber(), ...sender });
    await user.seesModal('Code accepted');
    await user.presses('Verify');
    const code = codeReceived({ provider });
    texts.push(`Your code is ${code}. It expires in 10 minutes.`);
    return code;
  }

  async function verifyCode(code: string): Promise<void> {
    await verify(user, code);
    await user.seesModal('Verified');
    await user.closes();
  }

  return {
    requestCode,
    verify: verifyCode,
    async codeAcross(one: RunningVersion, other: RunningVersion) {
      serveBy(one);
      const code = await requestCode();
      serveBy(other);
      await verifyCode(code);
    },
    async messageAcross(one: RunningVersion, other: RunningVersion) {
      serveBy(one);
      const to = nextNumber();
      const text = `Order ${to} is on its way`;
      texts.push(text);
      messaged.push(to);
      await review(user, { to, text });
      await user.seesModal('Message review');
      serveBy(other);
      await user.submits();
      await user.seesModal('Message accepted');
      await user.closes();
    },
    assertOnce() {
      for (const text of texts) {
        assert.equal(provider.record.filter((message) => message.text === text).length, 1, text);
      }
      const told = user.messages().map(wordsOf);
      for (const number of messaged) {
        const shown = number.replace(/^(.{4})(.{3})(.{3})/, '$1 $2 $3 ');
        assert.equal(told.filter((words) => words.includes(shown)).length, 1, shown);
      }
    },
  };
}
