import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runProgram } from '../../support/app/app-process.ts';
import { startHarness } from '../../support/app/program-harness.ts';
import { proxyPassword, startConnectProxy } from '../../support/http/connect-proxy.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { review } from '../../support/slack/sms-steps.ts';

const to = '2348031234567';

describe('behind a proxy, with a certificate authority of its own', () => {
  it('reaches Slack and the provider over Socket Mode through it alone, and says honestly that nothing left while it is down', async (test) => {
    const proxy = await startConnectProxy(test);
    const { ada, connect, provider, slack, program, env } = await startHarness(test, {
      transport: 'socket',
      tls: true,
      env: { HTTPS_PROXY: proxy.url },
      tuning: { providerLimits: { connectTimeout: 1_000 } },
    });
    await connect();
    const compose = async () => {
      await review(ada, { to, text: 'Your parcel is at the door' });
      await ada.seesModal('Message review');
    };
    await compose();
    await ada.submits();
    await ada.seesModal('Message sent');
    await ada.closes();
    // A file comes down from Slack, and one goes up to it, the same way.
    await ada.types('/dnd-check');
    await ada.drops('Or a CSV file', 'customers.csv', ['Phone', ...manyNumbers(60)].join('\n'));
    await ada.submits();
    await ada.sees('*Do-Not-Disturb check* · 6 of 60');
    await ada.closes();
    assert.ok(slack.exchanges.some(({ what }) => what === 'files.completeUploadExternal'));
    const { host } = new URL(env.PROVIDER_BASE_URL ?? '');
    assert.deepEqual(
      [...new Set(proxy.asked)].toSorted(),
      [host, new URL(env.SLACK_API_URL ?? '').host].toSorted(),
    );
    const before = provider.record.length;
    for (const how of ['refuse', 'hang up', 'silent'] as const) {
      await compose();
      proxy.behave(how, host);
      await ada.submits();
      await ada.seesModal('Message not sent', 'was not sent');
      await ada.closes();
      proxy.behave('connect', host);
    }
    assert.equal(provider.record.length, before);
    const { code, output } = await program().stop();
    assert.equal(code, 0, output);
    assert.ok(!output.includes(proxyPassword));
  });

  it('does not start where the certificate is not trusted', async (test) => {
    const { env } = await startHarness(test, { tls: true });
    const { NODE_EXTRA_CA_CERTS: _, ...without } = env;
    const { code, output } = await runProgram(test, { ...without, DATA_DIR: `${env.DATA_DIR}-other` }).ends();
    assert.equal(code, 1);
    assert.doesNotMatch(output, /is ready/);
  });
});
