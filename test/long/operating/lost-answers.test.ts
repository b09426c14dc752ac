import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startTestApp } from '../../support/app/test-app.ts';
import { compose, eventually, reached, recipients, start } from '../../support/campaigns.ts';
import { slackUserAt, wordsOf } from '../../support/slack/slack-user.ts';
import { review } from '../../support/slack/sms-steps.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';
import { startLossyWay } from '../../support/store/lossy-way.ts';

async function begin(test: TestContext) {
  const database = await createPostgresDatabase();
  const way = await startLossyWay(test, database.url.reveal());
  const app = await startTestApp(test, {
    database: 'sqlite',
    env: { DATABASE_URL: way.url, CAMPAIGN_MESSAGES_PER_SECOND: '100' },
  });
  test.after(() => database.drop());
  app.provider.setBalance(1_000_000);
  await app.connect();
  return { ...app, way };
}

describe('where PostgreSQL’s answers are lost, and what was asked is done', () => {
  it('nobody gets a campaign twice, and everyone has one outcome', async (test) => {
    const { ada, slack, provider, way } = await begin(test);
    await compose(ada, { file: ['Phone', ...recipients(900)].join('\n') });
    await ada.seesModal('Campaign review');
    await start(ada);
    await ada.seesModal('Started');
    way.lose(['campaign_chunk'], 3);
    // Not for good: what releases chunks takes several statements, which would never all be answered.
    await eventually(() => way.lost() >= 4, 'lost answers');
    way.lose([], 1);
    // After each lost answer the worker rests for two seconds.
    const patient = slackUserAt(slack, ada.id, { patience: 60_000 });
    const summary = wordsOf(await patient.sees(/\*(?:Done|Ended)[\s\S]*900 recipients/));
    const [, accepted = '900', unconfirmed = '0'] =
      /([\d,]+) (?:sent|delivered)(?: · ([\d,]+) unconfirmed)?|all (?:sent|delivered)/.exec(summary) ??
      assert.fail(summary);
    const got = reached(provider.record);
    assert.deepEqual(got, [...new Set(got)], 'somebody got it twice');
    assert.equal(Number(accepted) + Number(unconfirmed), 900);
    assert.ok(got.length >= Number(accepted));
  });

  it('nobody gets a message twice, and none stays in progress', async (test) => {
    const { ada, provider, way, app, restart } = await begin(test);
    way.lose(['insert into "operation"', 'update "operation"'], 3);
    const numbers = recipients(9);
    for (const to of numbers) {
      await review(ada, { to, text: 'Good morning' });
      await ada.seesModal('Message review');
      await ada.submits();
      await ada.seesModal(
        /Message sent|Message review|Message not sent/,
        /waiting for delivery|reached|not sent/i,
      );
      while (ada.modal() !== undefined) {
        await ada.closes();
      }
    }
    assert.ok(way.lost() > 2);
    const got = reached(provider.record);
    assert.deepEqual(got, [...new Set(got)], 'somebody got it twice');
    way.lose([], 1);
    const recent = () =>
      app()
        .services.operations.recent('T0SWITCH', ada.id, 50)
        .then((operations) => operations.map(({ state }) => state));
    let states = await recent();
    await eventually(() => {
      void recent().then((now) => {
        states = now;
      });
      return !states.includes('underway');
    }, 'the end of all operations');
    assert.equal(states.filter((state) => state === 'accepted').length, got.length);
    assert.deepEqual(
      [...new Set(states)].filter((state) => state !== 'accepted' && state !== 'not_sent'),
      [],
    );
    await restart();
  });
});
