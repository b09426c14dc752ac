import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startTestApp } from '../support/app/test-app.ts';
import { answer } from '../support/http/raw-server.ts';
import { list, serve } from '../support/provider/provider-client.ts';
import { send } from '../support/slack/sms-steps.ts';

const messageId = '3017545711235443752697757';

/** A provider that says what became of its one message. */
async function remembering(test: TestContext, of: { status: string | undefined }) {
  const record = { message_id: messageId, receiver: '2348031234567', created_at: '2026-11-23 13:52:04' };
  const server = await serve(test, (socket, received) => {
    const { pathname } = new URL(received.path, 'http://localhost');
    if (pathname.startsWith('/api/sms/send')) {
      const sent = { code: 'ok', message_id: messageId, message: 'Successfully Sent', balance: 100 };
      answer(200, sent)(socket, received);
    } else if (pathname === '/api/sms/inbox') {
      answer(200, of.status === undefined ? [] : [{ ...record, status: of.status }])(socket, received);
    } else {
      answer(200, list)(socket, received);
    }
  });
  const env = { PROVIDER_BASE_URL: server.url.href, PROVIDER_HISTORY: '/api/sms/inbox' };
  const asked = () => server.requests.filter(({ path }) => path.startsWith('/api/sms/inbox')).length;
  return { env, asked };
}

describe('Ask the provider', () => {
  it('shows on an entry of the history what the provider says, in its own words', async (test) => {
    const of: { status: string | undefined } = { status: 'Stuck <in> transit' };
    const { env, asked } = await remembering(test, of);
    const { ada, connect } = await startTestApp(test, { env });
    await connect();
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message accepted');
    await ada.closes();
    await ada.seesHome('Recent activity');
    await ada.presses('All activity');
    await ada.seesModal('History');
    await ada.presses('Open');
    await ada.presses('Ask the provider');
    await ada.seesModal(
      'Provider’s answer',
      /The provider says: \*Stuck &lt;in&gt; transit\*.*\+234803•••4567/s,
    );
    await ada.closes();
    of.status = undefined;
    await ada.presses('Ask the provider');
    await ada.seesModal('Provider’s answer', 'That doesn’t mean that nothing was sent');
    assert.equal(asked(), 2);
  });

  it('is refused for what somebody else sent, and where it is off there is no button', async (test) => {
    const { env, asked } = await remembering(test, { status: 'Delivered' });
    const testApp = await startTestApp(test, { env });
    const { ada, grace, app, connect } = testApp;
    await connect();
    await send(grace, { to: '+2348031234567' });
    await grace.seesModal('Message accepted');
    const { entries } = await app().services.history.page(
      { workspaceId: 'T0SWITCH', userId: 'U0ADMIN', scope: 'own' },
      { limit: 1 },
    );
    const [entry] = entries;
    assert.ok(entry?.kind === 'operation');
    const reader = { workspaceId: 'T0SWITCH', userId: 'U0AGENT', scope: 'own' } as const;
    const { kind } = await app().services.providerHistory.ask(reader, entry.operation.id);
    assert.deepEqual([kind, asked()], ['no_entry', 0]);
    await testApp.stopApp();
    await testApp.startApp({ PROVIDER_HISTORY: '' });
    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message accepted');
    await ada.closes();
    await ada.seesHome('Recent activity');
    await ada.presses('All activity');
    await ada.seesModal('History');
    await ada.presses('Open');
    await ada.seesModal(/.*/, 'Asking the provider what became of it is off');
  });
});
