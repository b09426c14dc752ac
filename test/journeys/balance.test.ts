import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { OpenView } from '../../sandbox/slack/protocol.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { entersPrice } from '../support/slack/price-steps.ts';
import { type SlackUser, support, wordsOf } from '../support/slack/slack-user.ts';
import { review, send } from '../support/slack/sms-steps.ts';
import { choosesWatchers, looks, noticesOf } from '../support/slack/watch-steps.ts';
import { runningClock } from '../support/time/test-clock.ts';

const workspaceId = 'T0SWITCH';
const balanceOnly = { kinds: ['The balance is low'] };
const outcome = /^(?!New message$|Message$|Message review$)/;

async function opensBalance(person: SlackUser): Promise<OpenView> {
  await person.seesHome('Connected');
  await person.presses('Open balance');
  return await person.seesModal('Balance');
}

describe('Balance', () => {
  it('says where it is from, and that asking for it is off', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test);
    await connect();
    await opensBalance(ada);
    await ada.seesModal('Balance', /Not known yet.*Refreshing it is off/s);
    await ada.closes();
    await grace.types('/switchboard');
    await grace.seesModal('Switchboard', 'Asking the provider for the balance*: off');
    await grace.presses('Open the balance');
    await grace.seesModal('Balance', '*Alert*: off');
  });

  it('is asked for on opening and with Refresh, and shows its time and currency; a failure says so', async (test) => {
    const { clock, pass } = runningClock();
    const env = profileEnv({ balancePath: '/api/get-balance' });
    const { ada, provider, connect } = await startTestApp(test, { clock, env });
    await connect();
    provider.setBalance(5_000.5);
    await opensBalance(ada);
    await ada.seesModal('Balance', /\*Balance\* ₦5,000\.50 \(<!date/);
    pass(60_000);
    provider.setBalance(4_000.5);
    await ada.presses('Refresh');
    await ada.seesModal('Balance', /\*Balance\* ₦4,000\.50 \(<!date/);
    pass(60_000);
    provider.orderFault({
      operation: 'beyond.balance',
      fault: { kind: 'status', status: 404, message: 'No such path' },
    });
    await ada.presses('Refresh');
    await ada.seesTrouble('The provider couldn’t find this');
    await ada.closes();
    await ada.seesHome('Balance ₦4,000.50 (');
  });

  it('says why it is not known where the provider does not tell it', async (test) => {
    const { ada, provider, connect } = await joinTestApp(test, {
      env: profileEnv({ balancePath: '/api/get-balance' }),
    });
    await connect();
    provider.orderFault({
      operation: 'beyond.balance',
      fault: { kind: 'status', status: 404, message: 'No such path' },
    });
    await opensBalance(ada);
    await ada.seesModal('Balance', /The provider couldn’t find this.*Not known yet/s);
    await ada.presses('Refresh');
    await ada.seesModal('Balance', /\*Balance\* ₦25,000/);
  });

  it('is one truth everywhere: what is known and enough, or too low since the provider refused', async (test) => {
    const env = profileEnv({ balancePath: '/api/get-balance' });
    const { ada, grace, provider, connect } = await joinTestApp(test, { env });
    await connect();
    await entersPrice(grace, { amount: '4.25' });
    const sends = async () => {
      await send(ada, { to: '+2348031234567' });
      await ada.seesModal(outcome);
      await ada.closes();
    };
    await sends();
    provider.setBalance(0);
    await sends();
    const shown = async (home: RegExp) => {
      await review(ada, { to: '+2348031234567', text: 'Hello' });
      const reviewed = wordsOf((await ada.seesModal('Message review')).view);
      await ada.closes();
      const opened = wordsOf((await opensBalance(grace)).view);
      await grace.closes();
      const homes = [await ada.seesHome(home), await grace.seesHome(home)];
      return [reviewed, opened, ...homes];
    };
    for (const words of await shown(/too low/)) {
      assert.match(words, /too low\* since <!date/);
      assert.equal(words.match(/too low\*/g)?.length, 1, words);
      assert.doesNotMatch(words, /24,?9\d\d|last known|enough for/);
    }
    provider.setBalance(5_000);
    await opensBalance(ada);
    await ada.presses('Refresh');
    await ada.seesModal('Balance', '₦5,000 (');
    await ada.closes();
    const [reviewed = '', ...others] = await shown(/Balance ₦5,000 \(/);
    assert.match(reviewed, /balance ₦5,000, enough for about 1,176 pages/);
    for (const words of [reviewed, ...others]) {
      assert.doesNotMatch(words, /too low/);
    }
  });

  it('alerts a channel once for each fall below an amount', async (test) => {
    const testApp = await startTestApp(test, { env: profileEnv({ currency: 'NGN' }) });
    const { ada, grace, provider, connect } = testApp;
    await connect();
    await choosesWatchers(testApp, balanceOnly);
    await opensBalance(grace);
    await grace.seesModal('Balance', `*Alert* in <#${support}>: below 5,000`);
    await grace.closes();
    const alerts = () => noticesOf(testApp, /Balance (?:was )?below/, support);
    const sends = async () => {
      await send(ada, { to: '+2348031234567' });
      await ada.seesModal(outcome);
      await ada.closes();
      await looks(testApp);
    };
    await sends();
    assert.equal(alerts().length, 0);
    provider.setBalance(4_000);
    await sends();
    await ada.sees('*Balance below ₦5,000:* ₦3,995.75');
    await sends();
    assert.equal(alerts().length, 1);
  });

  it('is that of the key which is connected: a previous account’s figure, currency and alert do not count', async (test) => {
    const testApp = await startTestApp(test, { env: profileEnv({ balancePath: '/api/get-balance' }) });
    const { ada, grace, provider, connect, app } = testApp;
    const currency = async () => {
      const currencyOf = await app().services.costs.currencyAt(workspaceId);
      return currencyOf(new Date(8.64e15));
    };
    await connect();
    provider.setBalance(4_000);
    await choosesWatchers(testApp, balanceOnly);
    await looks(testApp);
    await ada.sees('*Balance below ₦5,000:* ₦4,000');
    assert.equal(await currency(), 'NGN');

    await connect(provider.otherAccount.key);
    assert.equal(await currency(), undefined);
    assert.equal(await app().services.costs.balance(workspaceId), undefined);
    provider.setBalance(3_000, provider.otherAccount.key);
    await looks(testApp);
    await ada.sees(/\*Balance below (?:₦)?5,000:\* ₦?3,000/);

    await grace.types('/switchboard');
    await grace.presses('Disconnect');
    await ada.sees(/Balance was below[\s\S]*Resolved/);
    await looks(testApp);
    assert.equal(noticesOf(testApp, /Balance below[\s\S]*Since (?![\s\S]*Resolved)/, support).length, 0);
  });
});
