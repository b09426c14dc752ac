import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createMetrics } from '../../../src/lib/metrics.ts';
import { version } from '../../../src/version.ts';
import { startTestApp } from '../../support/app/test-app.ts';
import { compose, recipients, start } from '../../support/campaigns.ts';
import { send } from '../../support/slack/sms-steps.ts';

async function scrape(url: string): Promise<(series: string) => number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = new Map(
    text.split('\n').map((line): [string, number] => {
      const space = line.lastIndexOf(' ');
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
  return (series) => lines.get(`switchboard_${series}`);
}

describe('/metrics', () => {
  it('counts what was acknowledged, called, sent and refused, and says what there is to do', async (test) => {
    const { ada, slack, connect, url } = await startTestApp(test, {
      limits: { numbers: { 'messages.minute.person': 1 } },
    });
    await connect();
    await send(ada, { to: '+2348051234568' });
    await ada.seesModal('Message sent');
    await ada.closes();
    await send(ada, { to: '+2348051234568' });
    await ada.seesModal(/./, 'limit');
    await ada.closes();
    await compose(ada, { pasted: recipients(20).join('\n') });
    await start(ada);
    slack.fault('chat.postMessage', { status: 429, retryAfter: 0 });
    await ada.sees(/\*Done:\* 20 recipients/);

    const value = await scrape(url());
    assert.ok((value('acknowledgement_seconds_count{kind="command"}') ?? 0) >= 4);
    assert.equal(value('provider_calls_total{operation="messages.send",outcome="accepted"}'), 1);
    assert.equal(value('provider_call_seconds_count{operation="messages.sendBulk"}'), 1);
    assert.ok((value('slack_calls_total{method="views.open",outcome="ok"}') ?? 0) >= 4);
    assert.equal(value('slack_calls_total{method="chat.postMessage",outcome="rate_limited"}'), 1);
    assert.equal(value('campaign_recipients_total{state="accepted"}'), 20);
    assert.equal(value('limits_reached_total{rule="rate"}'), 1);
    assert.equal(value('campaigns{state="running"}'), 0);
    assert.equal(value('campaign_backlog_recipients'), 0);
    assert.equal(value('outbox_retried_notices'), 0);
    assert.ok((value('database_statement_seconds_count') ?? 0) > 20);
    assert.equal(value('database_errors_total'), 0);
    assert.equal(value(`info{version="${version}"}`), 1);
  });
});

describe('a gauge', () => {
  it('is missing from a scrape that could not read it, and the rest is there', async () => {
    const metrics = createMetrics();
    let works = true;
    metrics.gauges({ one: { help: 'First' }, each: { help: 'Second', label: 'state' } }, async () => {
      if (!works) {
        throw new Error('away');
      }
      return { one: 3, each: { on: 4 } };
    });
    metrics.shed('command');
    assert.match((await metrics.read()).text, /switchboard_one 3\n[\s\S]*switchboard_each\{state="on"\} 4\n/);
    works = false;
    const { text } = await metrics.read();
    assert.doesNotMatch(text, /switchboard_(?:one|each\{.*) \d/);
    assert.match(text, /switchboard_shed_requests_total\{kind="command"\} 1/);
  });
});
