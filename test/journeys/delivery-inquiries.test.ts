import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import type { Json } from '../../sandbox/lib/json.ts';
import { phoneNumberSchema } from '../../src/domain/phone/phone-number.ts';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { compose, eventually, recipients, start } from '../support/campaigns.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { support } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';
import { runningClock } from '../support/time/test-clock.ts';

const env = profileEnv({ historyPath: '/api/sms/inbox' });
const minute = 60_000;

const asks = ({ app }: TestApp) => app().services.deliveryChaser.tick(new AbortController().signal);

const asked = ({ provider }: TestApp) =>
  provider.arrivals.filter(({ operation }) => operation === 'beyond.history').length;

async function sends({ ada }: TestApp, to: string): Promise<void> {
  await send(ada, { to });
  await ada.seesModal('Message accepted');
  await ada.closes();
}

describe('a message without a report', () => {
  it('is asked about after half an hour, and its outcome changes in place', async (test) => {
    const { clock, pass } = runningClock();
    const testApp = await startTestApp(test, { clock, env });
    const { ada, connect } = testApp;
    await connect();
    await sends(testApp, '+2348031234567');
    const told = await ada.sees('Delivery isn’t confirmed yet');
    await asks(testApp);
    assert.equal(asked(testApp), 0);
    pass(31 * minute);
    await asks(testApp);
    const changed = await ada.sees(/accepted <!date[^>]*> · \*delivered\* <!date/);
    assert.equal(changed.ts, told.ts);
    pass(120 * minute);
    await asks(testApp);
    assert.equal(asked(testApp), 1);
  });

  it('is asked about where an unclear answer names it, and what was unconfirmed is accepted then', async (test) => {
    const { clock, pass } = runningClock();
    const testApp = await startTestApp(test, { clock, env });
    const { ada, provider, connect } = testApp;
    await connect();
    const unclear = (answer: Json): Json => ({
      ...z.object({ message_id: z.string() }).parse(answer),
      code: 400,
      message: 'Something went wrong',
    });
    provider.orderFault({ operation: 'messages.send', fault: { kind: 'reshape', body: unclear } });
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message unconfirmed');
    await ada.sees(/may or may not have been sent/);
    await ada.closes();
    pass(31 * minute);
    await asks(testApp);
    assert.equal(asked(testApp), 1);
    await ada.sees(/This was unconfirmed, and now it is known[\s\S]*the provider’s history/);
    assert.equal(provider.record.length, 1);
  });

  it('is asked about later again where the provider is down or knows nothing', async (test) => {
    const { clock, pass } = runningClock();
    const testApp = await startTestApp(test, { clock, env, instances: 1 });
    const { ada, provider, connect } = testApp;
    await connect();
    await sends(testApp, '+2348031234567');
    await sends(testApp, '+2348051234500');
    pass(31 * minute);
    const operation = 'beyond.history';
    const slowDown = { kind: 'status', status: 429, message: 'Slow down' } as const;
    const ordered = provider.orderFault({ operation, fault: slowDown, times: Infinity });
    await asks(testApp);
    const refused = asked(testApp);
    assert.ok(refused > 0);
    ordered.cancel();
    provider.orderFault({ operation, fault: { kind: 'reshape', body: () => [] } });
    await asks(testApp);
    assert.equal(asked(testApp), refused + 2);
    await ada.sees(/\*delivered\* <!date/);
    await asks(testApp);
    assert.equal(asked(testApp), refused + 2);
    pass(90 * minute);
    await asks(testApp);
    assert.equal(asked(testApp), refused + 3);
    await testApp.app().settled();
    assert.doesNotMatch(testApp.log(), /2348031234567/);
  });

  it('of a campaign is asked about once that has ended; nothing is where that is off', async (test) => {
    const { clock, pass } = runningClock();
    const testApp = await startTestApp(test, { clock, instances: 1 });
    const { ada, provider, connect } = testApp;
    provider.setBalance(1_000_000);
    await connect();
    await compose(ada, { file: ['Phone', ...recipients(250)].join('\n') });
    await start(ada, support);
    await ada.sees(/\*Done:\* 250 recipients/);
    pass(31 * minute);
    await asks(testApp);
    assert.equal(asked(testApp), 0);
    // A twentieth of 60 messages a minute, of the three chunks; the job that starts with the app may have asked some.
    await testApp.stopApp();
    await testApp.startApp({ ...env, CAMPAIGN_MESSAGES_PER_SECOND: '1' });
    await asks(testApp);
    await eventually(() => asked(testApp) === 3, 'three questions');
    const reader = { workspaceId: 'T0SWITCH', userId: 'U0AGENT', scope: 'own' } as const;
    const number = phoneNumberSchema.parse(recipients(1)[0]);
    const { entries } = await testApp.app().services.history.search(reader, number, 1);
    assert.partialDeepStrictEqual(entries, [{ kind: 'campaign', deliveries: [{ state: 'delivered' }] }]);
  });
});
