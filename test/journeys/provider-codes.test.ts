import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { startTestApp } from '../support/app/test-app.ts';
import { answer, type Behaviour } from '../support/http/raw-server.ts';
import { list, serve } from '../support/provider/provider-client.ts';
import { number, sendCode, sender, verify } from '../support/slack/otp-steps.ts';

const code = '482913';
const way = 'SMS, code made by the provider';

/** A provider that sends codes and verifies them. */
async function verifying(test: TestContext, verification: Behaviour) {
  const server = await serve(test, (socket, received) => {
    if (received.path === '/api/sms/otp/send') {
      const sent = { status: '200', pinId: 'pin-0001', smsStatus: 'Message Sent', to: '2348031234568' };
      answer(200, sent)(socket, received);
    } else if (received.path === '/api/sms/otp/verify') {
      verification(socket, received);
    } else {
      answer(200, list)(socket, received);
    }
  });
  const env = { PROVIDER_BASE_URL: server.url.href, PROVIDER_TOKEN_VERIFY_PATH: '/api/sms/otp/verify' };
  return { server, env };
}

describe('a code made by the provider', () => {
  it('is verified in Slack where that is on, in the same modal as ours', async (test) => {
    const { server, env } = await verifying(test, (socket, received) => {
      const verified = JSON.parse(received.body).pin === code ? 'True' : false;
      answer(200, { pinId: 'pin-0001', verified, msisdn: '2348031234568' })(socket, received);
    });
    const { ada, connect, log } = await startTestApp(test, { env });
    await connect();
    await sendCode(ada, way, { ...number, ...sender });
    await ada.seesModal('Code accepted', 'Ask the customer to read the code back');
    await ada.presses('Verify');
    assert.equal(await verify(ada, '12'), 'The code has 6 digits.');
    assert.equal(await verify(ada, '111111'), 'Wrong: 2 attempts left.');
    await verify(ada, '482 913');
    await ada.seesModal('Verified', 'This code is now used.');
    await ada.closes();
    await ada.types('/otp', 'verify');
    await verify(ada, code);
    await ada.seesModal('Not verified', 'Already used.');
    assert.equal(server.requests.filter(({ path }) => path === '/api/sms/otp/verify').length, 2);
    assert.ok(!log().includes(code));
  });

  it('is unconfirmed where the answer does not come, and can be tried again', async (test) => {
    const { env } = await verifying(test, (socket) => socket.destroy());
    const { ada, connect } = await startTestApp(test, { env });
    await connect();
    await sendCode(ada, way, { ...number, ...sender });
    await ada.seesModal('Code accepted');
    await ada.presses('Verify');
    await verify(ada, code);
    await ada.seesModal('Unconfirmed', /may or may not have been checked.*2 attempts left/s);
    await ada.presses('Verify again');
    await verify(ada, code);
    await ada.seesModal('Unconfirmed', /1 attempt left/);
  });
});
