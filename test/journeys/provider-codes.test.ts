import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { arrivalsOf, number, sendCode, sender, verify, wrongFor } from '../support/slack/otp-steps.ts';

const profile = { tokenVerifyPath: '/api/sms/otp/verify' };
const env = profileEnv(profile);
const way = 'SMS (provider’s code)';

/** The code that the customer got. */
function received({ provider }: TestWorkspace): string {
  const text = provider.record.at(-1)?.text ?? '';
  return /\d{6}/.exec(text)?.[0] ?? assert.fail(`no code in “${text}”`);
}

describe('a code made by the provider', () => {
  it('is verified in Slack where that is on, in the same modal as ours', async (test) => {
    const testApp = await joinTestApp(test, { env });
    const { ada, connect, log } = testApp;
    await connect();
    await sendCode(ada, way, { ...number, ...sender });
    await ada.seesModal('Code sent', 'Ask the customer to read the code back');
    const { view } = await ada.seesModal('Code sent', 'a call can’t read it out');
    assert.doesNotMatch(JSON.stringify(view), /Call instead/);
    const code = received(testApp);
    await ada.presses('Verify');
    assert.equal(await verify(ada, '12'), 'The code has 6 digits.');
    assert.equal(await verify(ada, wrongFor(code)), 'Wrong code, 2 attempts left.');
    await verify(ada, `${code.slice(0, 3)} ${code.slice(3)}`);
    await ada.seesModal('Verified', /Verified:\* \+234 803 123 4568, <!date/);
    await ada.closes();
    await ada.sees(/\*Verified:\* \+234 803 123 4568, .* by <@U0AGENT\w*> after 1 wrong guess\./);
    await ada.types('/otp', 'verify');
    await ada.seesModal('Verification', 'You have no codes to verify.');
    assert.equal(arrivalsOf(testApp, 'beyond.verifyToken').length, 2);
    assert.ok(!JSON.stringify([ada.messages(), log()]).includes(code));
  });

  it('is unconfirmed where the answer does not come, which is asked for once, and can be tried again', async (test) => {
    const testApp = await joinTestApp(test, { env });
    const { ada, provider, connect } = testApp;
    await connect();
    await sendCode(ada, way, { ...number, ...sender });
    await ada.seesModal('Code sent');
    const code = received(testApp);
    provider.orderFault({ operation: 'beyond.verifyToken', fault: { kind: 'cut_before' } });
    await ada.presses('Verify');
    await verify(ada, code);
    await ada.seesModal('Unconfirmed', /may or may not have been checked.*2 attempts left/s);
    assert.equal(arrivalsOf(testApp, 'beyond.verifyToken').length, 1);
    await ada.presses('Verify again');
    await verify(ada, code);
    await ada.seesModal('Verified');
  });

  it('is of an operation with the id of its message, which the provider can be asked about; the id that verifies it is nowhere', async (test) => {
    const testApp = await joinTestApp(test, {
      env: profileEnv({ ...profile, historyPath: '/api/sms/inbox' }),
    });
    const { ada, app, provider, connect, log, teamId } = testApp;
    const pinIds: unknown[] = [];
    provider.orderFault({
      operation: 'tokens.send',
      fault: {
        kind: 'reshape',
        body: (answer) => {
          pinIds.push(Object(answer).pinId);
          return answer;
        },
      },
    });
    await connect();
    await sendCode(ada, way, { ...number, ...sender });
    await ada.seesModal('Code sent');
    const reader = { workspaceId: teamId, userId: ada.id, scope: 'own' } as const;
    const { entries } = await app().services.history.page(reader, { limit: 1 });
    assert.partialDeepStrictEqual(entries, [{ operation: { providerId: provider.record.at(-1)?.id } }]);
    await ada.presses('Check delivery status');
    await ada.seesModal('Provider’s answer', 'The provider says: *Delivered*');
    assert.equal(pinIds.length, 1);
    assert.ok(!JSON.stringify([entries, ada.messages(), log()]).includes(String(pinIds[0])));
  });
});
