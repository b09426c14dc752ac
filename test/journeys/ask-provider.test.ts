import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestApp, type TestApp } from '../support/app/test-app.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import type { SlackUser } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';

const env = profileEnv({ historyPath: '/api/sms/inbox' });

async function sends(person: SlackUser): Promise<void> {
  await send(person, { to: '+2348031234567' });
  await person.seesModal('Message accepted');
  await person.closes();
}

async function opensEntry(person: SlackUser): Promise<void> {
  await person.seesHome('Recent activity');
  await person.presses('All activity');
  await person.seesModal('History');
  await person.presses('Open');
}

const asked = ({ provider }: TestApp) =>
  provider.arrivals.filter(({ operation }) => operation === 'beyond.history').length;

describe('Ask the provider', () => {
  it('shows on an entry of the history what the provider says, in its own words', async (test) => {
    const testApp = await startTestApp(test, { env });
    const { ada, provider, connect } = testApp;
    await connect();
    await sends(ada);
    await opensEntry(ada);
    provider.orderFault({
      operation: 'beyond.history',
      fault: {
        kind: 'reshape',
        body: (answer) =>
          JSON.parse(JSON.stringify(answer).replace(/"status":"[^"]*"/, '"status":"Stuck <in> transit"')),
      },
    });
    await ada.presses('Ask the provider');
    await ada.seesModal(
      'Provider’s answer',
      /The provider says: \*Stuck &lt;in&gt; transit\*.*\+234803•••4567/s,
    );
    await ada.closes();
    provider.orderFault({ operation: 'beyond.history', fault: { kind: 'reshape', body: () => [] } });
    await ada.presses('Ask the provider');
    await ada.seesModal('Provider’s answer', 'That doesn’t mean that nothing was sent');
    assert.equal(asked(testApp), 2);
  });

  it('stores the answer as what is known of the message, like a report', async (test) => {
    const testApp = await startTestApp(test, { env });
    const { ada, app, provider, connect } = testApp;
    await connect();
    await sends(ada);
    provider.orderFault({
      operation: 'beyond.history',
      fault: {
        kind: 'reshape',
        body: (answer) =>
          JSON.parse(JSON.stringify(answer).replace(/"status":"[^"]*"/, '"status":"Delivered"')),
      },
    });
    await opensEntry(ada);
    await ada.presses('Ask the provider');
    await ada.seesModal('Provider’s answer', 'The provider says: *Delivered*');
    const reader = { workspaceId: 'T0SWITCH', userId: 'U0AGENT', scope: 'own' } as const;
    const { entries } = await app().services.history.page(reader, { limit: 1 });
    assert.partialDeepStrictEqual(entries, [
      { kind: 'operation', deliveries: [{ state: 'delivered', status: 'Delivered', source: 'history' }] },
    ]);
    await ada.closes();
    await opensEntry(ada);
    await ada.seesModal(/.*/, /[Dd]elivered/);
  });

  it('is refused for what somebody else sent; where it is off there is no button', async (test) => {
    const testApp = await startTestApp(test, { env });
    const { ada, grace, app, connect } = testApp;
    await connect();
    await sends(grace);
    const { entries } = await app().services.history.page(
      { workspaceId: 'T0SWITCH', userId: 'U0ADMIN', scope: 'own' },
      { limit: 1 },
    );
    const [entry] = entries;
    assert.ok(entry?.kind === 'operation');
    const reader = { workspaceId: 'T0SWITCH', userId: 'U0AGENT', scope: 'own' } as const;
    const { kind } = await app().services.providerHistory.ask(reader, entry.operation.id);
    assert.deepEqual([kind, asked(testApp)], ['no_entry', 0]);
    await testApp.stopApp();
    await testApp.startApp({ PROVIDER_PROFILE: '' });
    await sends(ada);
    await opensEntry(ada);
    await ada.seesModal(/.*/, 'The provider can’t be asked what became of it');
  });
});
