import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { compose, recipients } from '../support/campaigns.ts';
import { profileEnv } from '../support/provider/profile-file.ts';
import { switchOnApprovals } from '../support/slack/approval-steps.ts';
import { entersPrice, opensPrices, submitsPrice } from '../support/slack/price-steps.ts';
import { wordsOf } from '../support/slack/slack-user.ts';
import { review } from '../support/slack/sms-steps.ts';

const env = profileEnv({ currency: 'NGN' });
const ghanaian = ['+233244123451', '+233244123452', '+233244123453'];
const number = '+2348031234567';

describe('a price that an admin enters', () => {
  it('is that of the estimates, the most specific first, until it is changed or removed', async (test) => {
    const { ada, grace, connect } = await joinTestApp(test, { env });
    await connect();
    const seesCost = async (words: RegExp) => {
      await review(ada, {
        to: `${number}, ${ghanaian[0]}`,
        text: 'Your order is on its way',
        route: 'Transactional (DND)',
      });
      await ada.seesModal('Message review', words);
      await ada.closes();
    };
    await seesCost(/Cost unknown: admins can set a price under Costs/);

    await opensPrices(grace);
    await grace.seesModal('Prices', 'No price is entered yet.');
    await submitsPrice(grace, { amount: '3' });
    await grace.seesModal('Prices', /Saved\.[\s\S]*\*All messages\*: ₦3 a page · entered <!date/);
    await seesCost(/Cost: about ₦6 \(Nigeria ₦3 a page, Ghana ₦3 a page, entered <!date/);

    await grace.presses('Change');
    await grace.seesModal('Price', '*All messages*');
    await grace.fills('Price of a page', '3.5');
    await grace.submits();
    await grace.seesModal('Prices', '*All messages*: ₦3.50 a page');
    await seesCost(/Cost: about ₦7 /);

    await submitsPrice(grace, { route: 'Transactional (DND)', amount: '4.255' });
    await grace.seesModal('Prices', '*Transactional (DND)*: ₦4.255 a page');
    await submitsPrice(grace, { route: 'Transactional (DND)', country: 'Ghana (+233)', amount: '20' });
    await grace.seesModal('Prices', '*Transactional (DND) to Ghana*: ₦20 a page');
    await seesCost(/Cost: about ₦24\.26 \(Nigeria ₦4\.255 a page, Ghana ₦20 a page, entered/);

    for (const removed of ['All messages', 'Transactional (DND)']) {
      await grace.presses('Change');
      await grace.seesModal('Price', `*${removed}*`);
      await grace.presses('Remove price');
      const left = await grace.seesModal('Prices', 'Removed.');
      assert.ok(!wordsOf(left.view).includes(`*${removed}*`));
    }
    await seesCost(
      /Cost: about ₦20 for 1 of 2 pages \(Ghana ₦20 a page, entered [^)]*\) · no price for 1 page to Nigeria: admins can set one under Costs/,
    );
  });
});

describe('prices', () => {
  it('are of each country in the review of a campaign, and multiply by its pages', async (test) => {
    const { ada, grace, provider, connect } = await joinTestApp(test, { env });
    await connect();
    await entersPrice(grace, { route: 'Transactional (DND)', country: 'Nigeria (+234)', amount: '4.25' });
    await entersPrice(grace, { route: 'Transactional (DND)', country: 'Ghana (+233)', amount: '20' });
    provider.setBalance(100);
    await compose(ada, {
      pasted: [...recipients(2), ...ghanaian].join(' '),
      text: 'a'.repeat(170),
    });
    await ada.seesModal(
      'Campaign review',
      /5 recipients, 10 pages[\s\S]*Cost: about ₦137 \(Ghana ₦20 a page, Nigeria ₦4\.25 a page, entered/,
    );
  });

  it('that one page lacks leave the known part, in the review, the request, the confirmation and the summary', async (test) => {
    const { ada, grace, connect, channels } = await joinTestApp(test, { env });
    await connect();
    await switchOnApprovals(grace, { recipients: '3', channel: channels.support });
    await entersPrice(grace, { route: 'Transactional (DND)', country: 'Nigeria (+234)', amount: '4.25' });
    const pasted = [...recipients(3), ghanaian[0]].join(' ');
    await compose(ada, { pasted });
    await ada.seesModal(
      'Campaign review',
      /Cost: about ₦12\.75 for 3 of 4 pages \(Nigeria ₦4\.25 a page, entered [^)]*\) · no price for 1 page to Ghana/,
    );
    await ada.submits();
    await ada.seesModal('Approval', /\*Cost\*\nabout ₦12\.75 for 3 of 4 pages/);
    await ada.closes();
    await grace.sees(/\*Cost\*\nabout ₦12\.75 for 3 of 4 pages/);
    await grace.presses('Approve');
    await ada.sees(/\*Done:\* 4 recipients[\s\S]*estimated ₦12\.75 for 3 of 4 pages/);

    await compose(ada, { pasted: `${recipients(1)[0]} ${ghanaian[1]}` });
    await ada.seesModal('Campaign review');
    await ada.fills('Start', 'Schedule');
    await ada.fills('Date', '2100-01-01');
    await ada.submits();
    await ada.seesModal('Scheduled');
    await ada.closes();
    await ada.sees(/\*Scheduled for/);
    await ada.presses('Start now');
    await ada.seesModal('Start now', /2 recipients get it now[\s\S]*Cost: about ₦4\.25 for 1 of 2 pages/);
  });

  it('say what is wrong beside the field', async (test) => {
    const { grace, connect } = await joinTestApp(test, { env });
    await connect();
    await opensPrices(grace);
    await submitsPrice(grace, { country: 'Ghana (+233)', amount: '4,25' });
    assert.match(
      grace.errorBeside('Price of a page') ?? '',
      /decimal number without separators, such as 4\.25/,
    );
    assert.match(grace.errorBeside('Route') ?? '', /Choose a route too/);
    for (const [amount, fault] of [
      ['0', /more than 0/],
      ['1.1234567', /at most 6 decimals/],
      ['1000001', /at most 1,000,000/],
    ] as const) {
      await grace.fills('Price of a page', amount);
      await grace.submits();
      assert.match(grace.errorBeside('Price of a page') ?? '', fault);
    }
    await grace.fills('Route', 'Promotional (generic)');
    await grace.fills('Price of a page', '3.4');
    await grace.submits();
    await grace.seesModal('Prices', '*Promotional (generic) to Ghana*: ₦3.40 a page');
    await submitsPrice(grace, { route: 'Promotional (generic)', country: 'Ghana (+233)', amount: '5' });
    assert.match(grace.errorBeside('Route') ?? '', /have a price already/);
  });

  it('are entered by admins alone, and stand in the audit with who entered them', async (test) => {
    const { ada, grace, app, connect, teamId } = await joinTestApp(test, { env });
    await connect();
    await ada.seesHome('Connected');
    await ada.presses('Open costs');
    const costs = await ada.seesModal('Costs');
    assert.doesNotMatch(JSON.stringify(costs.view), /prices_open/);
    await entersPrice(grace, { route: 'Voice', amount: '7.9' });
    const entries = await Array.fromAsync(app().services.audit.all({ workspaceId: teamId }));
    const entry = entries.find(({ subject }) => subject === 'price');
    assert.equal(entry?.userId, grace.id);
    assert.equal(entry?.details, JSON.stringify({ route: 'voice', country: null, amount: '7.9 NGN' }));
  });

  it('stay when another key is connected', async (test) => {
    const { ada, grace, provider, connect } = await joinTestApp(test, { env });
    await connect();
    await entersPrice(grace, { amount: '3' });
    await connect(provider.otherAccount.key);
    await review(ada, { to: number, text: 'Hello' });
    await ada.seesModal('Message review', 'Cost: about ₦3 (₦3 a page, entered');
  });
});
