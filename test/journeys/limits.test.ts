import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startTestApp, type TestApp, transports } from '../support/app/test-app.ts';
import { compose, eventually, recipients, start } from '../support/campaigns.ts';
import { type SlackUser, wordsOf } from '../support/slack/slack-user.ts';
import { review, send } from '../support/slack/sms-steps.ts';
import { runningClock } from '../support/time/test-clock.ts';

const minute = 60_000;
const [first = '', second = '', third = ''] = recipients(3);

async function sendCode(person: SlackUser, to: string): Promise<void> {
  await person.types('/otp');
  await person.seesModal('One-time code');
  await person.fills('Phone number', to);
  await person.fills('Sender ID', 'PalmMarket');
  await person.submits();
}

async function opensLimits(admin: SlackUser): Promise<void> {
  await admin.types('/switchboard');
  await admin.seesModal('Switchboard');
  await admin.presses('Limits');
  await admin.seesModal('Limits');
}

async function audited(app: TestApp): Promise<string[]> {
  const entries = await Array.fromAsync(app.app().services.audit.all({ workspaceId: 'T0SWITCH' }));
  return entries.filter(({ userId }) => userId === 'U0ADMIN').map(({ action }) => action);
}

const accepted = ({ provider }: TestApp) => provider.record.length;

for (const transport of transports) {
  describe(`a limit, over ${transport}`, () => {
    it('that is reached says what it is, that nothing was sent and when it is free; an admin sees it', async (test) => {
      const { clock, pass } = runningClock();
      const env = { LIMIT_MESSAGES_PER_MINUTE: '2/50' };
      const app = await startTestApp(test, { transport, clock, env });
      const { ada, grace, connect } = app;
      await connect();
      await send(ada, { to: `${first}, ${second}` });
      await ada.seesModal(/SMS|Message sent|accepted/i);
      await ada.closes();
      await send(ada, { to: third });
      await ada.seesTrouble(
        /You have reached your limit of 2 messages a minute\.\* Nothing was sent\. It’s possible again <!date/,
      );
      assert.equal(accepted(app), 1);
      await grace.seesHome(/Limit reached:\* 2 messages a minute for one person.*<@U0AGENT>/);
      pass(minute);
      await ada.submits();
      await ada.seesModal(/SMS|Message sent|accepted/i);
      assert.equal(accepted(app), 2);
    });
  });
}

describe('limits', () => {
  it('on a message that was typed whole keep its preview, to be sent when they are free', async (test) => {
    const { clock, pass } = runningClock();
    const app = await startTestApp(test, { clock, env: { LIMIT_MESSAGES_PER_MINUTE: '1/50' } });
    const { ada, grace, connect } = app;
    await connect();
    await grace.types('/switchboard');
    await grace.fills('Sender ID', 'PalmMarket');
    await grace.submits();
    await grace.seesModal('Switchboard', 'Saved');
    await ada.types('/sms', `${first} Hello`);
    await ada.sees('1 recipient');
    await ada.presses('Send');
    await ada.sees('Delivery isn’t confirmed yet');
    await ada.types('/sms', `${second} Hello again`);
    await ada.sees('1 recipient');
    await ada.presses('Send');
    await ada.sees('You have reached your limit of 1 message a minute');
    pass(minute);
    await ada.presses('Send');
    await eventually(() => accepted(app) === 2, 'the second message');
  });

  it('on lookups stop commands and forms, at no cost', async (test) => {
    const app = await startTestApp(test, { env: { LIMIT_LOOKUPS_PER_MINUTE: '3/50' } });
    const { ada, provider, connect } = app;
    await connect();
    await ada.types('/number', first);
    await ada.sees('Glo');
    const asked = provider.arrivals.length;
    await ada.types('/number', second);
    await ada.sees(/limit of 3 lookup requests a minute\.\* Nothing was looked up/);
    await ada.types('/dnd-check', recipients(4).join(' '));
    await ada.sees(/4 at once are more than the limit of 3 lookup requests a minute\.\* Nothing was checked/);
    assert.equal(provider.arrivals.length, asked);
  });

  it('of a workspace are chosen by an admin: a budget and countries, which the reviews say', async (test) => {
    const app = await startTestApp(test);
    const { ada, grace, connect } = app;
    await connect();
    await ada.types('/switchboard');
    await ada.sees('Only admins');
    await opensLimits(grace);
    await grace.fills('Pages a day', 'many');
    await grace.fills('For messages', 'Nigeria, Atlantis');
    await grace.submits();
    assert.match(grace.errorBeside('Pages a day') ?? '', /whole number/);
    assert.match(grace.errorBeside('For messages') ?? '', /“Atlantis” is no country/);
    await grace.fills('Pages a day', '10');
    await grace.fills('For messages', 'Ghana');
    await grace.submits();
    await grace.seesModal('Limits', 'Saved.');
    assert.ok((await audited(app)).includes('limits.change'));
    await grace.closes();

    await review(ada, { to: '+447400123456', text: 'Hello' });
    await ada.seesModal(
      'Message review',
      /A limit stops this, until the limit changes:\* messages to United Kingdom\./,
    );
    await ada.submits();
    await ada.seesTrouble('Nothing was sent');
    await ada.closes();
    await review(ada, { to: recipients(8).join(' '), text: 'Hello' });
    await ada.seesModal('Message review', /80% of today’s page budget: 8 of 10 pages/);
    await ada.submits();
    await ada.seesModal(/SMS|Message sent|accepted/i);
    await ada.closes();
    await app.restart();
    await grace.sees(/80% of today’s page budget: 8 of 10 pages/);
    await grace.seesHome(/Little is left of a page budget/);

    await compose(ada, { pasted: recipients(3).join('\n') });
    await ada.seesModal('Campaign review', /A limit stops this.*page budget of the day, 8 of 10 pages used/);
    await start(ada);
    await ada.seesTrouble(/8 of 10 pages are used.*Nothing was sent/s);
    assert.equal(accepted(app), 1);
  });

  it('that cannot be saved say so in place of “Saved.”, until they are', async (test) => {
    const { grace, connect } = await startTestApp(test);
    await connect();
    await opensLimits(grace);
    await grace.fills('Pages a day', '10');
    await grace.submits();
    await grace.seesModal('Limits', 'Saved.');
    await grace.fills('Pages a day', 'many');
    await grace.fills('For messages', 'Atlantis');
    await grace.submits();
    const unsaved =
      /Not saved\.\*\n\*Pages a day\*: Enter a whole number[^\n]*\n\*For messages\*: “Atlantis” is no country/;
    assert.doesNotMatch(wordsOf((await grace.seesModal('Limits', unsaved)).view), /Saved\./);
    await grace.fills('Pages a day', '20');
    await grace.submits();
    const left = wordsOf(
      (await grace.seesModal('Limits', /Not saved\.\*\n\*For messages\*: “Atlantis”/)).view,
    );
    assert.doesNotMatch(left, /whole number/);
    await grace.fills('For messages', 'Ghana');
    await grace.submits();
    assert.doesNotMatch(wordsOf((await grace.seesModal('Limits', 'Saved.')).view), /Not saved/);
  });

  it('on codes are seen and lifted by an admin, who is asked first', async (test) => {
    const app = await startTestApp(test, { env: { LIMIT_CODE_AGAIN_SECONDS: '30' } });
    const { ada, grace, connect } = app;
    await connect();
    await sendCode(ada, first);
    await ada.seesModal('Code accepted');
    await ada.closes();
    await sendCode(ada, first);
    await ada.seesTrouble(/got a code in the last 30 seconds\.\* Nothing was sent.*An admin can lift this/s);
    assert.equal(accepted(app), 1);
    await opensLimits(grace);
    await grace.seesModal(
      'Limits',
      /another code to \+234805•••0000 within 30 seconds.*\n.*Stopped 1 request, the last by <@U0AGENT>/,
    );
    await grace.presses('Lift');
    await grace.seesModal('Limits', 'Lifted: another code to');
    assert.ok((await audited(app)).includes('limits.lift'));
    await ada.submits();
    await ada.seesModal('Code accepted');
    assert.equal(accepted(app), 2);
  });
});
