import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { compose, eventually, reached, recipients, start } from '../support/campaigns.ts';

const numbers = recipients(60);
// A chunk for each recipient, so that many requests follow the first.
const file = ['phone,name', ...numbers.map((number, index) => `${number},Ada ${index}`)].join('\n');

describe('replacing the provider key while a campaign is sent', () => {
  it('uses the new key from the next request on, keeps the old one when the new one fails, with no moment between them', async (test) => {
    const env = { CAMPAIGN_MESSAGES_PER_SECOND: '2' };
    const { ada, grace, provider, connect, app, teamId } = await joinTestApp(test, { env });
    await connect(provider.account.key);
    await compose(ada, { file, text: 'Hello {{name}}' });
    await start(ada);
    const sent = () => provider.arrivals.filter(({ operation }) => operation === 'messages.send');
    const balance = provider.otherAccount.balance;
    await eventually(() => sent().length >= 3, 'the first requests');

    await grace.types('/switchboard', 'connect');
    await grace.fills('API key', 'a-key-that-nobody-knows');
    await grace.submits();
    await grace.seesTrouble('does not know this key');
    await grace.closes();
    const before = sent().length;
    await eventually(() => sent().length > before, 'a request under the old key');
    assert.equal(provider.otherAccount.balance, balance, 'nothing was sent under another key');

    // This account does not have the route, and says so: that is how a request under its key shows.
    await connect(provider.otherAccount.key);
    // A request sent before the new key was stored may still be in flight.
    await eventually(async () => {
      const [campaign] = await app().services.campaigns.listRecent({
        workspaceId: teamId,
        userId: ada.id,
        limit: 1,
      });
      return campaign?.inFlight === 0;
    }, 'the requests under the old key');
    const [old, used] = [provider.account.balance, sent().length];
    await ada.sees(/\*Paused:\*.*This route is not active/s);
    assert.ok(used < numbers.length, 'it was still sending');
    assert.equal(provider.account.balance, old, 'nothing was sent under the old key any more');

    await connect(provider.account.key);
    await ada.presses('Resume');
    await ada.sees(/\*Done:\*/);
    assert.deepEqual(reached(provider.record), numbers.toSorted());
  });
});
