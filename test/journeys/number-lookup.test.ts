import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { forOneAndThreeInstances } from '../support/app/instances.ts';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { lagosAt, send } from '../support/slack/sms-steps.ts';

forOneAndThreeInstances(() => {
  describe('/number', () => {
    it('shows network, country, porting, line type, Do-Not-Disturb and route in one card, and opens an SMS', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      await ada.types('/number', '+2348031234567');
      const card = await ada.sees('Route to use');
      assert.equal(card.onlyFor, ada.id);
      assert.match(
        wordsOf(card),
        /\+234 803 123 4567\n[\s\S]*\*Network\*\nMTN Nigeria\n[\s\S]*\*Country\*\nNigeria\n[\s\S]*\*Ported\*\nNot ported\n[\s\S]*\*Line type\*\nMobile\n[\s\S]*\*Do-Not-Disturb\*\n:no_bell: on\n[\s\S]*\*Route to use\*\nTransactional \(DND\)/,
      );
      assert.deepEqual(
        provider.arrivals
          .filter(({ operation }) => operation?.startsWith('insight'))
          .map(({ operation, query }) => [operation, query.phone_number, query.country_code])
          .toSorted(),
        [
          ['insight.checkDnd', '2348031234567', undefined],
          ['insight.query', '2348031234567', 'NG'],
        ],
      );
      await ada.presses('New message');
      const form = await ada.seesModal('New message');
      assert.match(JSON.stringify(form.values), /2348031234567[\s\S]*"value":"dnd"/);
    });

    it('looks up the number and country of its form, and posts the masked card to the chosen channel', async (test) => {
      const { ada, grace, connect, channels } = await joinTestApp(test);
      await connect();
      await ada.types('/number');
      await ada.fills('Phone number', '0803 123 4563');
      await ada.fills('Country', 'Nigeria (+234)');
      await ada.fills('Who sees the result', 'In a channel');
      await ada.submits();
      const shown = await ada.seesModal(
        'Number lookup',
        /\+234 803 123 4563[\s\S]*\*Ported\*\nPorted\n[\s\S]*Promotional \(generic\) or Transactional \(DND\)/,
      );
      assert.doesNotMatch(wordsOf(shown.view), /Codes|621-30/);
      const post = await grace.sees('Looked up by');
      assert.equal(post.channel, channels.support);
      assert.match(wordsOf(post), /\+234803•••4563/);
      assert.doesNotMatch(JSON.stringify(post), /1234563|New message/);
    });

    it('looks a number up in the country named after it', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      await ada.types('/number', '0803 123 4567 gh');
      await ada.sees('“0803 123 4567” ');
      await ada.types('/number', '+2348031234568 gh');
      await ada.sees(
        /provider does not know this number[\s\S]*\*Country\*\nNigeria|\*Country\*\nNigeria[\s\S]*provider does not know this number/,
      );
      const query = provider.arrivals.find(({ operation }) => operation === 'insight.query')?.query;
      assert.equal(query?.country_code, 'GH');
    });

    it('shows Do-Not-Disturb when the account has no network lookup, and says whom to ask', async (test) => {
      const { ada, grace, provider } = await joinTestApp(test);
      await grace.types('/switchboard', 'connect');
      await grace.fills('API key', provider.otherAccount.key);
      await grace.submits();
      await grace.seesModal('Switchboard', 'Connected');
      await ada.types('/number', '+2348051234567');
      const card = wordsOf(await ada.sees('not active on this provider account'));
      assert.match(card, /\*Network\*\nGlo Nigeria[\s\S]*\*Ported\*\nUnknown[\s\S]*:no_bell: on/);
      assert.match(card, /account manager/);
    });

    it('shows the network when Do-Not-Disturb cannot be checked, and the other way round', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      provider.orderFault({ operation: 'insight.checkDnd', fault: { kind: 'bad_gateway' }, times: 3 });
      await ada.types('/number', '+2348031234567');
      const first = wordsOf(await ada.sees('Do-Not-Disturb unknown'));
      assert.match(
        first,
        /MTN Nigeria[\s\S]*:grey_question: unknown[\s\S]*Transactional \(DND\), which reaches every number/,
      );
      provider.orderFault({ operation: 'insight.query', fault: { kind: 'bad_gateway' }, times: 3 });
      await ada.types('/number', '+2348051234567');
      const second = wordsOf(await ada.sees('Network unknown'));
      assert.match(second, /Glo Nigeria[\s\S]*:no_bell: on/);
    });

    it('shows one half when the other does not come in time', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test, {
        providerLimits: { totalTimeout: 1_000 },
      });
      await connect();
      provider.orderFault({ operation: 'insight.query', fault: { kind: 'silence' } });
      await ada.types('/number', '+2348031234567');
      await ada.sees(/:no_bell: on[\s\S]*did not answer in time/);
    });

    it('explains a value of “ported” only when its meaning is known', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      const entry = { routeDetail: { ported: 7 }, countryDetail: { iso: 'NG' } };
      provider.orderFault({
        operation: 'insight.query',
        fault: { kind: 'answer', body: { result: [entry], status: true } },
      });
      await ada.types('/number', '+2348031234567');
      await ada.sees(/\*Ported\*\nUnknown/);
    });

    it('advises the DND route in quiet hours, until they end', async (test) => {
      const { ada, connect } = await startTestApp(test, { clock: lagosAt(21) });
      await connect();
      await ada.types('/number', '+2348031234568');
      await ada.sees(/:bell: off[\s\S]*Transactional \(DND\) · quiet hours until /);
    });

    it('opens the history of the number from its card', async (test) => {
      const { ada, connect } = await joinTestApp(test);
      await connect();
      await send(ada, { to: '+2348031234567' });
      await ada.seesModal('Message sent');
      await ada.closes();
      await ada.types('/number', '+2348031234567');
      await ada.sees('Route to use');
      await ada.presses('Open history');
      await ada.seesModal('History', /803\s123\s4567/);
    });

    it('names a fault privately for a command, and beside the field of the form', async (test) => {
      const { ada, provider, connect } = await joinTestApp(test);
      await connect();
      await ada.types('/number', '080312 gh');
      await ada.sees(/“080312” is too short for a number in Ghana/);
      await ada.presses('Edit');
      const form = await ada.seesModal('Number lookup', '080312');
      assert.match(JSON.stringify(form.values), /"value":"080312"[\s\S]*"value":"GH"/);
      await ada.closes();
      await ada.types('/number', '+2348031234567 XX');
      await ada.sees(/“XX” is not a country code/);
      await ada.types('/number');
      await ada.fills('Phone number', '12');
      await ada.submits();
      assert.match(ada.errorBeside('Phone number') ?? '', /“12”/);
      assert.ok(provider.arrivals.every(({ operation }) => !operation?.startsWith('insight')));
    });

    it('masks a number in a channel even when the provider repeats it', async (test) => {
      const { ada, grace, provider, connect } = await joinTestApp(test);
      await connect();
      const body = { result: [], status: false, message: 'Nothing on 2348031234567' };
      provider.orderFault({ operation: 'insight.query', fault: { kind: 'answer', body } });
      await ada.types('/number');
      await ada.fills('Phone number', '+2348031234567');
      await ada.fills('Who sees the result', 'In a channel');
      await ada.submits();
      await ada.seesModal('Number lookup', 'Nothing on 2348031234567');
      const post = await grace.sees('Looked up by');
      assert.match(wordsOf(post), /Nothing on •••/);
      assert.doesNotMatch(JSON.stringify(post), /1234567/);
    });

    it('posts once to the channel when its form is submitted twice', async (test) => {
      const { ada, slack, connect } = await joinTestApp(test);
      await connect();
      await ada.types('/number');
      await ada.fills('Phone number', '+2348031234567');
      await ada.fills('Who sees the result', 'In a channel');
      await Promise.all([ada.submits(), ada.submits()]);
      await ada.seesModal('Number lookup', 'Route to use');
      await slack.redeliver('view_submission');
      const posts = ada.messages().filter((message) => wordsOf(message).includes('Looked up by'));
      assert.equal(posts.length, 1);
    });

    it('runs the changed form when it came back after a fault', async (test) => {
      const { ada, slack, provider, connect, channels } = await joinTestApp(test);
      await connect();
      const posts = () =>
        ada.messages().filter((message) => wordsOf(message).includes('Looked up by')).length;
      const checks = () =>
        provider.arrivals.filter(({ operation }) => operation === 'insight.checkDnd').length;
      const submits = async () => {
        slack.fault('views.update', { error: 'ratelimited' });
        await ada.submits();
        await ada.seesModal('Number lookup', 'Slack is limiting');
      };
      await ada.types('/number');
      await ada.fills('Phone number', '+2348031234567');
      await submits();
      await ada.fills('Phone number', '+2348051234568');
      await submits();
      await ada.fills('Who sees the result', 'In a channel');
      await ada.fills('Channel', channels.support);
      await submits();
      assert.equal(posts(), 1);
      const before = checks();
      await ada.submits();
      await ada.seesModal('Number lookup', '+234 805 123 4568');
      assert.deepEqual([checks(), posts()], [before, 1]);
      await ada.presses('New message');
      const form = await ada.seesModal('New message');
      assert.match(JSON.stringify(form.values), /2348051234568/);
    });

    it('shows the last messages to the number and how each ended, to who sent them and to admins alone', async (test) => {
      const { ada, grace, connect } = await joinTestApp(test, {
        env: profileEnv({ historyPath: '/api/sms/inbox' }),
      });
      await connect();
      await send(ada, { to: '+2348031234567', text: 'Your parcel is at the gate' });
      await ada.seesModal('Message sent');
      await ada.presses('Check delivery status');
      await ada.seesModal('Provider’s answer', /The provider says: \*Delivered\*.*Asked <!date/s);
      await ada.closes();
      await ada.closes();
      await ada.types('/number', '+2348031234567');
      const card = await ada.sees('Route to use');
      assert.match(
        wordsOf(card),
        /\*Conversation\*[\s\S]*SMS to \+234 803 123 4567 · from PalmMarket[\s\S]*\*Delivered\* <!date[\s\S]*Your parcel is at the gate/,
      );
      assert.equal(card.onlyFor, ada.id);
      await grace.types('/number');
      await grace.fills('Phone number', '+2348031234567');
      await grace.fills('Who sees the result', 'In a channel');
      await grace.submits();
      await grace.seesModal('Number lookup', /\*Conversation\*[\s\S]*Your parcel is at the gate/);
      const post = await ada.sees('Looked up by');
      assert.doesNotMatch(JSON.stringify(post), /parcel|\*Conversation|delivered/);
      await grace.closes();
      await send(grace, { to: '+2348031234563', text: 'Only for admins' });
      await grace.seesModal('Message sent');
      await ada.types('/number', '+2348031234563');
      const other = await ada.sees(/Message from a colleague\n<!date[^\n]* · \*Sent\*/);
      assert.doesNotMatch(JSON.stringify(other), /Only for admins/);
    });
  });
});
