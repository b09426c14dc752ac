import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { joinTestApp } from '../support/app/shared-app.ts';
import { startTestApp } from '../support/app/test-app.ts';
import type { TestWorkspace } from '../support/app/test-workspace.ts';
import { compose, eventually, recipients, start } from '../support/campaigns.ts';
import { setLimits } from '../support/limits.ts';
import { createEsim, findLocalPlans } from '../support/slack/esim-steps.ts';
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
  await admin.presses('Change limits');
  await admin.seesModal('Limits');
}

/** Changes the limits on a subject, and leaves the settings. */
async function changesLimits(
  admin: SlackUser,
  subject: string,
  numbers: Readonly<Record<string, string>>,
): Promise<void> {
  await opensLimits(admin);
  await admin.presses(`Change ${subject} limits`);
  for (const [label, number] of Object.entries(numbers)) {
    await admin.fills(label, number);
  }
  await admin.submits();
  await admin.seesModal('Limits', 'Saved.');
  await admin.closes();
  await admin.closes();
}

async function audited({ app, teamId, grace }: TestWorkspace): Promise<string[]> {
  const entries = await Array.fromAsync(app().services.audit.all({ workspaceId: teamId }));
  return entries.filter(({ userId }) => userId === grace.id).map(({ action }) => action);
}

/** The details of each change of limits in the audit. */
async function changesOf({ app, teamId }: TestWorkspace): Promise<unknown[]> {
  const entries = await Array.fromAsync(app().services.audit.all({ workspaceId: teamId }));
  return entries
    .filter(({ action }) => action === 'limits.change')
    .map(({ details }) => JSON.parse(details ?? ''));
}

async function choosesPages(admin: SlackUser, aDay: string): Promise<void> {
  await opensLimits(admin);
  await admin.presses('Change page budget and countries');
  await admin.fills('Pages per day', aDay);
  await admin.submits();
  await admin.seesModal('Limits', 'Saved.');
  await admin.closes();
  await admin.closes();
}

const accepted = ({ provider }: TestWorkspace) => provider.record.length;

describe('limits', () => {
  it('that are reached say what they are, that nothing was sent and when they are free; an admin sees them', async (test) => {
    const { clock, pass } = runningClock();
    const app = await startTestApp(test, { clock });
    const { ada, grace, connect } = app;
    await connect();
    await changesLimits(grace, 'message', { 'Per person, per minute': '2' });
    await send(ada, { to: `${first}, ${second}` });
    await ada.seesModal(/SMS|Message sent|accepted/i);
    await ada.closes();
    await send(ada, { to: third });
    await ada.seesTrouble(
      /You have reached your limit of 2 messages a minute\.\* Nothing was sent\. Try again in \d\d seconds\./,
    );
    assert.equal(accepted(app), 1);
    await grace.seesHome(/Limit reached:\* 2 messages a minute for one person.*<@U0AGENT>/);
    pass(minute);
    await ada.submits();
    await ada.seesModal(/SMS|Message sent|accepted/i);
    assert.equal(accepted(app), 2);
  });

  it('on a message that was typed whole keep its review, to be sent when they are free', async (test) => {
    const { clock, pass } = runningClock();
    const limits = { numbers: { 'messages.minute.person': 1 } };
    const app = await startTestApp(test, { clock, limits });
    const { ada, grace, connect } = app;
    await connect();
    await grace.types('/switchboard');
    await grace.presses('Change defaults');
    await grace.fills('Sender ID', 'PalmMarket');
    await grace.submits();
    await grace.seesModal('Switchboard', 'Saved');
    await ada.types('/sms', `${first} Hello`);
    await ada.sees('1 recipient');
    await ada.presses('Send');
    await ada.sees('*Sent* to');
    await ada.types('/sms', `${second} Hello again`);
    await ada.sees('1 recipient');
    await ada.presses('Send');
    await ada.sees('You have reached your limit of 1 message a minute');
    pass(minute);
    await ada.presses('Send');
    await eventually(() => accepted(app) === 2, 'the second message');
  });

  it('on lookups stop commands and forms, at no cost', async (test) => {
    const app = await joinTestApp(test);
    const { ada, grace, provider, connect } = app;
    await connect();
    await changesLimits(grace, 'lookup', { 'Per person, per minute': '3' });
    await ada.types('/number', first);
    await ada.sees('Glo');
    const asked = provider.arrivals.length;
    await ada.types('/number', second);
    await ada.sees(/limit of 3 lookup requests a minute\.\* Nothing was looked up/);
    await ada.types('/dnd-check', recipients(4).join(' '));
    await ada.sees(/4 at once is over the limit of 3 lookup requests a minute\.\* Nothing was checked/);
    assert.equal(provider.arrivals.length, asked);
  });

  it('of a workspace are chosen by an admin: a budget and countries, which the reviews say', async (test) => {
    const app = await startTestApp(test);
    const { ada, grace, connect } = app;
    await connect();
    await ada.types('/switchboard');
    await ada.sees('Only admins');
    await opensLimits(grace);
    await grace.presses('Change page budget and countries');
    await grace.seesModal('Budget and countries', 'Counted in pages, not money.');
    await grace.fills('Pages per day', 'many');
    await grace.fills('For messages', 'Nigeria, Atlantis');
    await grace.submits();
    assert.match(grace.errorBeside('Pages per day') ?? '', /whole number/);
    assert.match(grace.errorBeside('For messages') ?? '', /“Atlantis” isn’t a country/);
    await grace.fills('Pages per day', '10');
    await grace.fills('For messages', 'Ghana');
    await grace.submits();
    await grace.seesModal('Limits', /Saved\.[\s\S]*\*Messages go to\* Nigeria, Ghana, \*codes to\* Nigeria/);
    assert.ok((await audited(app)).includes('limits.change'));
    await grace.closes();
    await grace.closes();

    await review(ada, { to: '+447400123456', text: 'Hello' });
    const refused = await ada.seesModal(
      'Message review',
      /This can’t be sent until the limit changes\. Limit reached:\* messages to United Kingdom\./,
    );
    assert.doesNotMatch(wordsOf(refused.view), /^Send/m);
    await opensLimits(grace);
    await grace.presses('Change page budget and countries');
    await grace.fills('For messages', 'Ghana, United Kingdom');
    await grace.submits();
    await grace.seesModal('Limits', 'Saved.');
    await grace.closes();
    await grace.closes();
    await ada.presses('Review again');
    const allowed = await ada.seesModal('Message review', /^Send$/m);
    assert.doesNotMatch(wordsOf(allowed.view), /Limit reached|Review again/);
    await ada.closes();
    await review(ada, { to: recipients(8).join(' '), text: 'Hello' });
    await ada.seesModal('Message review', /80% of today’s page budget: 8 of 10 pages/);
    await ada.submits();
    await ada.seesModal(/SMS|Message sent|accepted/i);
    await ada.closes();
    await app.restart();
    await grace.sees(/80% of today’s page budget: 8 of 10 pages/);
    await grace.seesHome(/Page budget almost used up/);

    await compose(ada, { pasted: recipients(3).join('\n') });
    await ada.seesModal(
      'Campaign review',
      /This can’t be sent until .*today’s page budget, 8 of 10 pages used/,
    );
    assert.doesNotMatch(wordsOf(ada.modal()?.view), /^Send to/m);
    await choosesPages(grace, '11');
    assert.match(wordsOf(ada.modal()?.view), /^Review again$/m);
    await ada.submits();
    await ada.seesModal('Campaign review', 'Send to 3');
    assert.equal(accepted(app), 1);

    // A budget that was lowered below what is used stops without having refused anything.
    await choosesPages(grace, '5');
    await opensLimits(grace);
    const used = wordsOf(
      (await grace.seesModal('Limits', /All of today’s page budget is used:\* 8 of 5 pages/)).view,
    );
    assert.doesNotMatch(used, /No limit is reached/);
    await start(ada);
    await ada.seesTrouble(/8 of 5 pages used.*Nothing was sent/s);
    const home = await grace.seesHome(/Limit reached:\* today’s page budget, 8 of 5 pages used/);
    assert.doesNotMatch(home, /budget is used/);
    assert.equal(accepted(app), 1);
  });

  it('are numbers that an admin changes within bounds; an empty field is the default again', async (test) => {
    const app = await joinTestApp(test);
    const { ada, grace, connect } = app;
    await connect();
    await opensLimits(grace);
    await grace.seesModal(
      'Limits',
      /\*One-time codes\*: per person 10\/min, 200\/day; workspace 30\/min, 2,000\/day\. Per recipient 5\/hour, 10\/day/,
    );
    await grace.presses('Change code limits');
    await grace.seesModal('Limits on codes', 'Default: 10. At most 100.');
    await grace.fills('Per person, per minute', '1,000');
    await grace.fills('Workspace, per day', '0');
    await grace.fills('Per recipient, per hour', 'a few');
    await grace.submits();
    assert.equal(grace.errorBeside('Per person, per minute'), 'Enter a whole number from 1 to 100.');
    assert.match(grace.errorBeside('Workspace, per day') ?? '', /from 1 to 20,000/);
    assert.match(grace.errorBeside('Per recipient, per hour') ?? '', /from 1 to 50/);
    await grace.fills('Per person, per minute', '');
    await grace.fills('Workspace, per day', '2,500');
    await grace.fills('Per recipient, per hour', '1');
    await grace.submits();
    await grace.seesModal(
      'Limits',
      /per person 10\/min, 200\/day; workspace 30\/min, 2,500\/day\. Per recipient 1\/hour/,
    );
    assert.deepEqual(await changesOf(app), [
      {
        'codes.minute.person': 'default',
        'codes.minute.workspace': 'default',
        'codes.day.person': 'default',
        'codes.day.workspace': 2_500,
        'codes.recipient.hour': 1,
        'codes.recipient.day': 'default',
        'codes.again': 0,
      },
    ]);

    await sendCode(ada, first);
    await ada.seesModal('Code sent');
    await ada.closes();
    await sendCode(ada, first);
    await ada.seesTrouble(/got 1 code in an hour\.\* Nothing was sent.*An admin can lift this/s);
    await grace.presses('Change code limits');
    await grace.fills('Per recipient, per hour', '');
    await grace.submits();
    await grace.seesModal('Limits', /No limit is reached.*Per recipient 5\/hour/s);
    await ada.submits();
    await ada.seesModal('Code sent');
  });

  it('on eSIM purchases hold for whoever buys, from the moment that an admin saves them', async (test) => {
    const app = await joinTestApp(test);
    const { ada, grace, provider, connect } = app;
    await connect();
    await changesLimits(grace, 'eSIM', { 'Workspace, per day': '1' });
    await createEsim(app);
    await ada.closes();
    await ada.closes();
    await findLocalPlans(ada, 'Kenya');
    await ada.presses('Create');
    await ada.seesModal('New eSIM');
    await ada.submits();
    await ada.seesTrouble(
      /This workspace has reached its limit of 1 eSIM purchase a day\.\* Nothing was bought.*An admin can change this/s,
    );
    assert.equal(provider.arrivals.filter(({ operation }) => operation === 'esims.create').length, 1);
  });

  it('on codes are seen and lifted by an admin, who is asked first', async (test) => {
    const app = await joinTestApp(test);
    const { ada, grace, connect, teamId } = app;
    await connect();
    await setLimits(app.app().services, teamId, { numbers: { 'codes.again': 30 } });
    await sendCode(ada, first);
    await ada.seesModal('Code sent');
    await ada.closes();
    await sendCode(ada, first);
    await ada.seesTrouble(/got a code in the last 30 seconds\.\* Nothing was sent.*An admin can lift this/s);
    assert.equal(accepted(app), 1);
    await opensLimits(grace);
    await grace.seesModal(
      'Limits',
      /another code to \+234805•••0000 within 30 seconds.*\n.*Stopped 1 request, the last by <@U0AGENT\w*>/,
    );
    await grace.presses('Lift');
    await grace.seesModal('Limits', 'Lifted: another code to');
    assert.ok((await audited(app)).includes('limits.lift'));
    await ada.submits();
    await ada.seesModal('Code sent');
    assert.equal(accepted(app), 2);
  });
});
