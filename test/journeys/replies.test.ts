import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { phoneNumberSchema, toE164 } from '../../src/domain/phone/phone-number.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { compose, provided, reached, recipients, start } from '../support/campaigns.ts';
import { opensReplies } from '../support/reports/reply-steps.ts';
import { makesReportAddress } from '../support/reports/report-address.ts';
import { postReport, reportEnv } from '../support/reports/signed-report.ts';

const env = { ...reportEnv, CAMPAIGN_MESSAGES_PER_SECOND: '4000' };
const number = phoneNumberSchema.parse('+2348051234500');

/** Connects the provider, and returns what posts a reply of a phone to the app, as the provider does. */
async function answering(app: TestWorkspace) {
  await app.connect();
  const address = await makesReportAddress(app);
  return (
    text: string,
    {
      from = toE164(number),
      at = minute(0),
      key = app.provider.account.key,
    }: Partial<Record<'from' | 'at' | 'key', string>> = {},
  ) => {
    const reply = {
      type: 'inbound',
      message_id: '71',
      sender: from.slice(1),
      message: text,
      received_at: at,
    };
    return postReport(address, JSON.stringify({ ...reply, status: 'Received' }), { key });
  };
}

/** A time within the last hour, as the provider writes it. */
const minute = (minutes: number) => new Date(Date.now() + (minutes - 60) * 60_000).toISOString();

describe('a reply', () => {
  it('that says stop keeps a running campaign from the number, from the next claim on', async (test) => {
    const app = await joinTestApp(test, { env });
    const { ada, provider } = app;
    const answers = await answering(app);
    provider.setBalance(1_000_000);
    const numbers = recipients(10_000);
    await compose(ada, { file: ['Phone', ...numbers].join('\n') });
    await start(ada);
    await provided(provider, 500);
    const last = numbers.at(-1) ?? assert.fail();
    assert.equal(await answers('STOP.', { from: last }), 200);
    await ada.sees(/\*Done:\* 9,999 recipients/);
    assert.deepEqual(reached(provider.record), numbers.slice(0, -1).sort());
  });

  it('stops and starts, in its order, whatever comes late, twice or forged', async (test) => {
    const app = await joinTestApp(test, { env });
    const answers = await answering(app);
    await opensReplies(app);
    await app.grace.fills('Extra opt-out keywords', 'leave me, please');
    await app.grace.submits();
    assert.match(app.grace.errorBeside('Extra opt-out keywords') ?? '', /^“please” has only filler/);
    await app.grace.fills('Extra opt-out keywords', 'leave me');
    await app.grace.submits();
    await app.grace.seesModal('Replies', 'Saved');
    await app.grace.closes();
    await app.grace.closes();
    const isListed = async () =>
      (await app.app().services.suppressionList.filterListed(app.teamId, [number])).length === 1;
    const steps = [
      ['Stop by our shop tomorrow?', 0, false],
      ['Abeg stop', 10, true],
      ['start', 5, true],
      ['Start', 20, false],
      ['Leave me!', 30, true],
      ['Start', 20, true],
    ] as const;
    for (const [text, minutes, listed] of steps) {
      assert.equal(await answers(text, { at: minute(minutes) }), 200);
      assert.equal(await isListed(), listed, `${text} after ${minutes} minutes`);
    }
    assert.equal(await answers('Start', { at: minute(40), key: 'another-key' }), 401);
    assert.equal(await isListed(), true);
    await app.ada.types('/number', toE164(number));
    await app.ada.sees(/On the do-not-contact list since [^\n]*, by a reply/);
  });
});
