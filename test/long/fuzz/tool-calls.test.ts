import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../../support/app/test-app.ts';
import { everySeed, sizeOf } from '../../support/sizes.ts';
import { callTools, writesOf } from '../../support/slack/tool-calls.ts';

const calls = sizeOf('calls of tools');

test(`${calls.toLocaleString('en')} calls of Slackbot’s tools ask the provider for nothing but reads`, async (t) => {
  const seed = everySeed;
  t.diagnostic(`seed ${seed}`);
  const testApp = await startTestApp(t);
  await testApp.connect();
  const answered = await callTools(testApp, { calls, seed });
  t.diagnostic(JSON.stringify(answered));
  t.diagnostic(`${testApp.provider.arrivals.length} requests reached the provider`);
  assert.deepEqual(writesOf(testApp), []);
  assert.equal(testApp.provider.record.length, 0);
  assert.ok(Object.keys(answered).length >= 12, 'some tool has never answered');
});
