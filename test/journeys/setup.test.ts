import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { postReport, reportEnv, reportOf } from '../support/reports/signed-report.ts';
import { submitsPrice } from '../support/slack/price-steps.ts';
import { type SlackUser, wordsOf } from '../support/slack/slack-user.ts';
import { send } from '../support/slack/sms-steps.ts';

const env = { ...reportEnv, PUBLIC_ADDRESS: 'https://sms.acme.example' };
const join = (test: TestContext) => joinTestApp(test, { env });

/** Waits for words on a Home that stays open: nobody opens it again. */
function homeShows({ slack }: TestWorkspace, { id }: SlackUser, words: RegExp): Promise<string> {
  const shown = () => wordsOf(slack.snapshot(id).home?.view);
  return slack.until(
    () => words.test(shown()) && shown(),
    () => `a Home that says ${words} (now: ${shown()})`,
  );
}

async function entersKey({ grace, provider }: TestWorkspace): Promise<void> {
  await grace.fills('API key', provider.account.key);
  await grace.submits();
  await grace.seesModal('Switchboard', 'Switchboard’s Home shows what’s left to set up.');
  await grace.closes();
}

const isSaid = (person: SlackUser, words: string) =>
  person.messages().some((message) => wordsOf(message).includes(words));

describe('after connecting', () => {
  it('a checklist on Home leads from the sender ID to the replies, and ends when all is done', async (test) => {
    const app = await join(test);
    const { ada, grace, provider, channels } = app;
    await grace.seesHome('Not connected.');
    await grace.presses('Connect');
    await entersKey(app);
    const begun = await homeShows(app, grace, /Finish setting up/);
    assert.doesNotMatch(begun, /Not connected/);
    assert.match(begun, /Sender ID:[\s\S]*Price:[\s\S]*Delivery reports:[\s\S]*Replies:/);
    assert.ok(!(await ada.seesHome('*Connected*')).includes('Finish setting up'), 'for admins');

    await grace.presses('Choose sender ID');
    await grace.fills('Sender ID', 'PalmMarket');
    await grace.submits();
    await grace.seesModal('Switchboard', 'Saved');
    await grace.closes();
    await homeShows(app, grace, /:white_check_mark: \*Sender ID:\* PalmMarket/);

    await submitsPrice(grace, { amount: '4.25' });
    await grace.seesModal('Prices', 'Saved');
    await grace.closes();
    await homeShows(app, grace, /:white_check_mark: \*Price:\* entered/);

    await grace.presses('Set up reports');
    await grace.presses('Create webhook URL');
    const { view } = await grace.seesModal('Delivery reports', 'Created. Enter it');
    const [, path] =
      /^\*Webhook URL\*\n```https:\/\/sms\.acme\.example(\/provider\/reports\/[\w-]{43})```$/m.exec(
        wordsOf(view),
      ) ?? assert.fail(`no whole address in ${wordsOf(view)}`);
    await grace.closes();
    await homeShows(app, grace, /Enter the webhook URL in the provider’s dashboard/);

    await grace.presses('Choose channel');
    await grace.fills('Incoming messages', ['Post to a channel']);
    await grace.fills('Channel', channels.support);
    await grace.submits();
    await grace.seesModal('Replies', 'Saved');
    await grace.closes();
    await homeShows(app, grace, new RegExp(`:white_check_mark: \\*Replies:\\* <#${channels.support}>`));

    await send(ada, { to: '+2348031234567' });
    await ada.seesModal('Message sent');
    assert.equal(await postReport(`${app.url()}${path}`, reportOf(app), provider.account), 200);
    await grace.seesHome(/^(?![\s\S]*Finish setting up)[\s\S]*Team activity/);
  });

  it('the checklist is gone once an admin has dismissed it', async (test) => {
    const app = await join(test);
    const { grace, connect } = app;
    await connect();
    await grace.seesHome('Finish setting up');
    await grace.presses('Dismiss');
    await homeShows(app, grace, /^(?![\s\S]*Finish setting up)[\s\S]*Team activity/);
    await grace.seesHome(/^(?![\s\S]*Finish setting up)[\s\S]*Team activity/);
  });

  it('the message with Connect says so, and continues with the typed text', async (test) => {
    const app = await join(test);
    const { grace } = app;
    await grace.types('/sms', '0803 123 4567 Your order is ready');
    await grace.sees('isn’t connected to the provider');
    await grace.presses('Connect');
    await entersKey(app);
    await grace.sees('Switchboard is connected to the provider.');
    assert.ok(!isSaid(grace, 'isn’t connected'));
    await grace.presses('Continue');
    await grace.seesModal('New message', 'Your order is ready');
  });

  it('a message from before leads on, whoever connected', async (test) => {
    const { ada, grace, connect } = await join(test);
    await ada.types('/sms', '0803 123 4567 Hello');
    await ada.sees('Ask an admin of this workspace');
    await grace.types('/otp');
    await grace.sees('isn’t connected to the provider');
    await connect();
    await ada.presses('Continue');
    await ada.seesModal('New message', 'Hello');
    await ada.sees('Switchboard is connected to the provider.');
    assert.ok(!isSaid(ada, 'isn’t connected'));
    await grace.presses('Connect');
    await grace.sees('Switchboard is connected to the provider.');
    assert.equal(grace.modal(), undefined, 'no form that would replace the key');
    await grace.presses('Continue');
    await grace.seesModal('One-time code');
  });
});
