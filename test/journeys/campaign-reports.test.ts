import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import type { SandboxMessage } from '../../sandbox/slack/protocol.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { compose, downloads, followUp, recipients, start } from '../support/campaigns.ts';
import { makesReportAddress } from '../support/reports/report-address.ts';
import { postReport, reportEnv } from '../support/reports/signed-report.ts';
import { resultOf } from '../support/slack/number-files.ts';
import { support, wordsOf } from '../support/slack/slack-user.ts';

const options = {
  env: { ...reportEnv, CAMPAIGN_MESSAGES_PER_SECOND: '10000' },
};
/**
 * The provider accepts the message and drops the connection. Each test uses its own text, because a report
 * could match another workspace's message with the same text and number.
 */
const cutAfter = '+2348030009003';

/** Returns what reports the last message that the provider has taken to these numbers, each with a status of its own. */
async function createReporter(app: TestWorkspace) {
  const address = await makesReportAddress(app);
  const { provider } = app;
  return async (...reports: [number: string, status: string, cost?: string][]) => {
    const data = reports.map(([number, status, cost]) => {
      const message =
        provider.record.findLast(({ to }) => to.includes(number.slice(1))) ?? assert.fail('nothing was sent');
      return {
        message_id: message.id,
        receiver: number,
        sender: message.from,
        message: message.text,
        sent_at: message.at.slice(0, 19).replace('T', ' '),
        status,
        cost,
      };
    });
    assert.equal(await postReport(address, JSON.stringify({ data }), { key: provider.account.key }), 200);
  };
}

/** The blocks that Slack has not everywhere yet. */
function newBlocksOf({ blocks }: SandboxMessage) {
  return blocks.filter(({ type }) => type === 'data_table');
}

describe('the reports of a campaign', () => {
  it('change its summary in place, and tell once how unconfirmed recipients ended', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada, provider, connect, channels } = app;
    await connect();
    const report = await createReporter(app);
    const [first = '', second = ''] = recipients(2);
    await compose(ada, {
      pasted: [first, second, cutAfter].join(' '),
      text: 'The shop in Jos opens at nine',
    });
    await start(ada, channels.support);
    const told = await ada.sees(/\*Done:\* 3 recipients[\s\S]*all unconfirmed/);
    await ada.closes();
    const isResolved = /was \*sent\* after all|were \*sent\* after all/;

    await report([first, 'DELIVERED'], [second, 'DND Active on Phone Number']);
    const changed = await ada.sees(
      / · 1 delivered · 1 not delivered · 1 unconfirmed\n[\s\S]*Not delivered: 1: the number is on Do-Not-Disturb/,
    );
    assert.equal(changed.ts, told.ts);
    assert.match(wordsOf(changed), /Follow up…/);
    await report([first, 'Message Sent'], [cutAfter, 'Message Sent'], [first, 'DELIVERED']);
    const resolved = wordsOf(await ada.sees(isResolved));
    assert.match(
      resolved,
      /The messages to 3 unconfirmed recipients were \*sent\* after all, according to the provider’s delivery reports[\s\S]*1 delivered · 1 not delivered[\s\S]*No recipients are unconfirmed now\. The campaign’s summary shows later reports/,
    );
    await report([cutAfter, 'DELIVERED']);
    const summary = await ada.sees(/ · 2 delivered · 1 not delivered\n/);
    assert.equal(summary.ts, told.ts);
    assert.doesNotMatch(wordsOf(summary), /unconfirmed|Nothing was reported/);
    assert.equal(ada.messages().filter((message) => isResolved.test(wordsOf(message))).length, 1);
    assert.equal(provider.record.length, 1, 'nobody is sent to again');
  });

  it('are in its file with every column, and in the list; those who are known are not sent to again', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada, slack, provider, connect } = app;
    await connect();
    const report = await createReporter(app);
    const [first = '', second = ''] = recipients(2);
    const file = ['Name,Phone,City', `Ada,${first},Jos`, `Bola,${second},Kano`, `Chidi,${cutAfter},Aba`].join(
      '\n',
    );
    await compose(ada, { file, name: 'Sale', text: 'The shop in Aba opens at nine' });
    await start(ada);
    await ada.sees(/\*Done:\* 3 recipients[\s\S]*all unconfirmed/);
    await ada.closes();
    await report([first, 'DELIVERED', '4.25'], [second, 'Expired|late']);
    await ada.sees(/ · 1 delivered · 1 not delivered · 1 unconfirmed\n/);

    await downloads(ada, 'Download all (3)');
    const [titles, ...rows] = await resultOf(slack, await ada.sees('All results'));
    assert.equal(
      titles,
      '\uFEFFnumber,Name,Phone,City,state,provider_id,reason,pages,delivery,provider_status,delivery_known_from,delivery_known_at,cost',
    );
    const id = provider.record[0]?.id;
    const at = '\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z';
    const has = (pattern: string) =>
      assert.ok(
        rows.some((row) => new RegExp(`^${pattern}$`).test(row)),
        `${pattern}\n${rows.join('\n')}`,
      );
    has(`\\${first},Ada,\\${first},Jos,Sent,${id},,1,Delivered,DELIVERED,report,${at},4.25`);
    has(
      `\\${second},Bola,\\${second},Kano,Sent,${id},the phone wasn’t reached in time,1,Not delivered,"Expired\\|late",report,${at},`,
    );
    has(`\\${cutAfter},Chidi,\\${cutAfter},Aba,Unconfirmed,,.+,1,,,,,`);
    assert.equal(rows.length, 3);

    await ada.closes();
    await followUp(ada, 'Unconfirmed (1)');
    await ada.seesModal('Campaign review', '*1 recipient');
    await ada.closes();
    await ada.types('/sms', 'bulk list');
    await ada.seesModal('Campaigns', /1 delivered · 1 not delivered/);
  });

  it('are a table in its message, and words where Slack takes none', async (test) => {
    const app = await startTestApp(test, options);
    const { ada, slack, connect } = app;
    await connect();
    const report = await createReporter(app);
    const [first = '', second = '', third = ''] = recipients(3);
    await compose(ada, { pasted: [first, second, third].join(' ') });
    await start(ada, support);
    const told = await ada.sees('*Done:* 3 recipients');
    await ada.closes();
    assert.deepEqual(newBlocksOf(told), []);

    await report([first, 'DELIVERED'], [second, 'Expired']);
    const counts = (words: string) => new RegExp(` · ${words}\\n`);
    const tabled = await ada.sees(counts('1 delivered · 1 not delivered · 1 waiting for a report'));
    assert.equal(tabled.ts, told.ts);
    const [table, ...others] = newBlocksOf(tabled);
    assert.deepEqual([table?.type, others], ['data_table', []]);
    const cell = z.object({ type: z.string(), text: z.string(), value: z.number().optional() });
    const rows = z.array(z.array(cell)).parse(table?.rows);
    assert.deepEqual(
      rows.map((row) => row.map(({ text }) => text)),
      [
        ['Outcome', 'Reason', 'Recipients', 'Share'],
        ['Delivered', '–', '1', '34%'],
        ['Not delivered', 'the phone wasn’t reached in time', '1', '33%'],
        ['No report yet', '–', '1', '33%'],
      ],
    );
    // A table sorts numbers by their value: 100% would come before 9% otherwise.
    assert.deepEqual(rows[1]?.at(-1), { type: 'raw_number', text: '34%', value: 1 / 3 });

    slack.forgetBlocks('data_table');
    await report([third, 'DELIVERED']);
    const inWords = await ada.sees(counts('2 delivered · 1 not delivered'));
    assert.equal(inWords.ts, told.ts);
    assert.deepEqual(newBlocksOf(inWords), []);
    assert.match(wordsOf(inWords), /Not delivered: 1: the phone wasn’t reached in time[\s\S]*Download…/);
  });

  it('are counted while it is sent, and stand in its summary', async (test) => {
    const app = await joinTestApp(test, options);
    const { ada, connect } = app;
    await connect();
    const report = await createReporter(app);
    const numbers = recipients(120);
    await compose(ada, { pasted: numbers.join(' ') });
    await start(ada);
    await ada.sees('*Done:* 120 recipients');
    await report(...numbers.slice(0, 100).map((number): [string, string] => [number, 'DELIVERED']));
    await ada.sees(/ · 100 delivered · 20 waiting for a report\n/);
  });
});
