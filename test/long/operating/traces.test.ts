import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { startHarness } from '../../support/app/program-harness.ts';
import { type CollectedSpan, startCollector } from '../../support/otlp-collector.ts';
import { review } from '../../support/slack/sms-steps.ts';
import { createPostgresDatabase, type DatabaseName, forEachDatabase } from '../../support/store/databases.ts';

const to = '2348031234567';
const text = 'Your parcel is at the door';

forEachDatabase((database) => {
  it('a send is one trace, from the submission to the provider, without anything personal in it', (test) =>
    sendTraced(test, database));
});

async function sendTraced(test: TestContext, database: DatabaseName): Promise<void> {
  const collector = await startCollector(test);
  const postgres = database === 'postgres' ? await createPostgresDatabase() : undefined;
  test.after(() => postgres?.drop());
  const headers: string[] = [];
  const { ada, connect, provider, program, secrets } = await startHarness(test, {
    env: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      ...(postgres && { DATABASE_URL: postgres.url.reveal() }),
    },
  });
  await connect();
  await review(ada, { to, text });
  await ada.seesModal('Message review');
  await ada.submits();
  await ada.seesModal('Message sent');
  // Its key and number are in the query.
  await ada.types('/number', to);
  await ada.sees('+234 803 123 4567');
  headers.push(...provider.arrivals.flatMap(({ headers: sent }) => Object.keys(sent ?? {})));
  const { code, output } = await program().stop();
  assert.equal(code, 0, output);

  const { spans } = collector;
  const call = find(spans, 'provider messages.send');
  assert.equal(call.attributes['provider.outcome'], 'accepted');
  const submission = ancestors(spans, call).at(-1);
  assert.equal(submission?.name.split(' ')[0], 'submission');
  assert.equal(submission?.parentId, '');
  const request = spans.find(({ parentId, name }) => parentId === call.spanId && name === 'POST');
  assert.equal(request?.attributes['http.response.status_code'], '200');
  assert.ok(spans.some(({ name }) => name === 'command /sms'));
  assert.ok(spans.some(({ name, parentId }) => name === 'slack views.open' && parentId !== ''));
  // The lines of the log name the same trace.
  assert.match(output, new RegExp(`"trace":"${call.traceId}"[^\\n]*the provider was called`));

  const wire = collector.received().toString('latin1');
  for (const secret of [...secrets, to, to.slice(3), text, 'api_key', 'phone_number']) {
    assert.ok(!wire.includes(secret), `the trace has ${secret}`);
  }
  assert.deepEqual(
    headers.filter((name) => /^(?:traceparent|tracestate|baggage)$/.test(name)),
    [],
  );
  if (postgres !== undefined) {
    const statements = spans.filter(({ attributes }) => attributes['db.query.text'] !== undefined);
    const intent = statements.find(({ attributes }) =>
      attributes['db.query.text']?.includes('insert into "operation"'),
    );
    assert.ok(intent !== undefined && ancestors(spans, intent).includes(submission ?? intent));
    assert.ok(!wire.includes(new URL(postgres.url.reveal()).password));
  }
}

function find(spans: readonly CollectedSpan[], name: string): CollectedSpan {
  return spans.find((span) => span.name === name) ?? assert.fail(`no ${name} in ${spans.map((s) => s.name)}`);
}

function ancestors(spans: readonly CollectedSpan[], { parentId, traceId }: CollectedSpan): CollectedSpan[] {
  const parent = spans.find((span) => span.spanId === parentId && span.traceId === traceId);
  return parent === undefined ? [] : [parent, ...ancestors(spans, parent)];
}
