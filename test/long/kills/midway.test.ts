import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CampaignState } from '../../../src/store/campaigns/campaigns.ts';
import { jobTopics } from '../../../src/store/engine/jobs/jobs.ts';
import { killableApp } from '../../support/app/killable-app.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { eventually } from '../../support/campaigns.ts';
import { hurriedTimers } from '../../support/hurried-timers.ts';
import { killAtEachStep } from '../../support/kill-walk.ts';
import { unlimited } from '../../support/limits.ts';
import { restingTimers } from '../../support/resting-timers.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { arrivalsOf, codeReceived, sendCode, verify } from '../../support/slack/otp-steps.ts';
import { type SlackUser, slackUserAt, support, wordsOf } from '../../support/slack/slack-user.ts';
import { asksSlackbot } from '../../support/slack/slackbot.ts';
import { startFrom } from '../../support/slack/sms-steps.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { endLeases } from '../../support/store/due-notices.ts';
import { runningClock } from '../../support/time/test-clock.ts';

/** Too many for a message, so they arrive as a file. */
const longList = manyNumbers(51);

/** The app looks for work only when it starts, so that a kill interrupts only what a person requested. */
const resting = () => ({ timers: restingTimers(hurriedTimers) });

/** Waits until nothing is in progress and all notices are sent. */
async function settle({ app, ada }: TestApp): Promise<void> {
  const { store } = app().context;
  await app().settled();
  // For a while, notices that another run was about to deliver are left to it.
  await endLeases(store);
  await store.jobs.enqueue(jobTopics.notices, '');
  const isTold = async () =>
    (await store.db.selectFrom('outbox').select('subject').executeTakeFirst()) === undefined;
  await eventually(isTold, 'what is to be told');
  while (ada.modal() !== undefined) {
    await ada.closes();
  }
}

/** What a person has seen since a moment, in the channel and in their direct messages. */
function seenSince(person: SlackUser, from: number) {
  const all = person.messages().slice(from);
  return {
    inChannel: all.filter(({ channel }) => channel === support),
    own: all.filter(({ channel }) => channel !== support).map(({ text }) => text),
  };
}

/** What a restore of an earlier step tells, which may come late. */
const isOfRestore = /restored from a backup|\*Paused:\*/;

const maybeTold = /This may be in|You may have this message already/;

/** Acceptable wording for a message whose draft and sending may be missing in restored data. */
const isHonest =
  /You may have this message already|may have been sent before|\*Sent\*|may or may not have been sent/;

forEachDatabase(() => {
  describe('where the program is killed at any step, and where its data are restored', () => {
    it('the result of a Do-Not-Disturb check is in its channel and in its user’s messages once, or they are told that it may be', async (test) => {
      const testApp = await startTestApp(test, resting());
      const { ada, slack, connect } = testApp;
      await connect();
      const steps = await killAtEachStep(test, killableApp(testApp), {
        async begin() {
          await ada.types('/dnd-check');
          await ada.fills('Phone numbers', longList.join(' '));
          await ada.fills('Who sees the result', 'In a channel');
          await ada.fills('Channel', support);
          await testApp.app().settled();
          return { from: ada.messages().length };
        },
        async work() {
          await ada.submits();
          await testApp.app().settled();
        },
        async again({ from }, where) {
          await settle(testApp);
          // As if somebody who saw no result tried again.
          await slack.redeliver();
          await settle(testApp);
          const { inChannel, own } = seenSince(ada, from);
          const isDoubted = own.some((text) => /This may be in/.test(text));
          assert.ok(
            inChannel.length === 1 || (inChannel.length === 0 && isDoubted),
            `${where}: ${inChannel.length} ${own.join()}`,
          );
          const files = own.filter((text) => text.includes('of 51 on Do-Not-Disturb'));
          assert.ok(files.length > 0, where);
          assert.ok(files.filter((text) => !maybeTold.test(text)).length <= 1, `${where}: ${files.join()}`);
        },
        async restored({ from }, where) {
          const before = seenSince(ada, from);
          await settle(testApp);
          const { inChannel, own } = seenSince(ada, from);
          assert.equal(inChannel.length, before.inChannel.length, where);
          for (const text of own.slice(before.own.length)) {
            assert.match(text, maybeTold, where);
          }
        },
      });
      assert.ok(steps >= 8, `${steps} steps`);
    });

    it('a draft of Slackbot is sent once, or its person is told that it may have been', async (test) => {
      const testApp = await startTestApp(test, resting());
      const { ada, slack, provider, connect } = testApp;
      await connect();
      let drafted = 0;
      const reviews = (text: string) =>
        ada
          .messages()
          .filter(({ blocks }) =>
            [text, '"text":"Send"'].every((part) => JSON.stringify(blocks).includes(part)),
          );
      const draft = (text: string) =>
        asksSlackbot(slack, ada, 'draft_message', { to: '+2348031234567', text, sender: 'PalmMarket' });
      const sendIfShown = async (text: string) => {
        if (reviews(text).length > 0) {
          await ada.presses('Send');
          await testApp.app().settled();
        }
      };
      const sent = (text: string) => provider.record.filter((message) => message.text === text).length;
      const steps = await killAtEachStep(test, killableApp(testApp), {
        async begin() {
          drafted += 1;
          return { text: `Your order ${drafted} has left our shop`, from: ada.messages().length };
        },
        async work({ text }) {
          await draft(text);
          await sendIfShown(text);
        },
        async again({ text, from }, where) {
          await settle(testApp);
          if (seenSince(ada, from).own.length === 0) {
            await draft(text);
          }
          while (reviews(text).length > 0) {
            await sendIfShown(text);
          }
          await settle(testApp);
          const { own } = seenSince(ada, from);
          const isDoubted = own.some((told) => /may or may not have been sent/.test(told));
          const isAccepted = own.some((told) => /\*Sent\*/.test(told));
          assert.ok(
            sent(text) === 1 ? isAccepted || isDoubted : sent(text) === 0 && isDoubted,
            `${where}: ${own.join()}`,
          );
        },
        async restored({ text, from }, where) {
          const [before, told] = [sent(text), seenSince(ada, from).own.length];
          await settle(testApp);
          // The buttons pressed last, and those that may still be shown.
          await slack.redeliver();
          await sendIfShown(text);
          await settle(testApp);
          assert.equal(sent(text), before, where);
          const { own } = seenSince(ada, from);
          for (const said of own.slice(told)) {
            assert.match(said, isHonest, where);
          }
          // The pressed button is replaced.
          assert.doesNotMatch(own.join('\n'), /Nothing was sent\./, where);
        },
      });
      assert.ok(steps >= 8, `${steps} steps`);
    });

    it('a message for later is sent once at its time, or its person is told that it may have been', async (test) => {
      const { clock, pass } = runningClock(new Date(Date.UTC(2077, 6, 5, 9)));
      const testApp = await startTestApp(test, { clock });
      const { slack, provider, connect, teamId } = testApp;
      // What a killed program does not show is not waited for long.
      const ada = slackUserAt(slack, testApp.ada.id, { patience: 3_000 });
      await connect();
      await startFrom(testApp.grace, 'PalmMarket');
      let written = 0;
      const sent = (text: string) => provider.record.filter((message) => message.text === text).length;
      /** Lets what is scheduled come due, and waits until it ended and its message in Slack says so. */
      const rest = async () => {
        const { services, context } = testApp.app();
        const open = (...states: CampaignState[]) =>
          services.campaigns.listRecent({ workspaceId: teamId, states, limit: 100 });
        const [due] = await open('scheduled');
        pass(Math.max(0, (due?.startAt?.getTime() ?? 0) - clock.now().getTime()));
        await endLeases(context.store);
        const isAtRest = async () => {
          // What is due later, such as another attempt to tell the person, comes sooner.
          pass(100);
          // What the restore has paused stays so.
          const paused = (await open('paused')).map(({ id }) => id);
          const toShow = await context.store.db.selectFrom('outbox').select('subjectId').execute();
          const isAllShown = toShow.every(({ subjectId }) => paused.includes(subjectId));
          return isAllShown && (await open('running', 'scheduled')).length === 0;
        };
        await eventually(isAtRest, 'the end of the sending');
        await testApp.app().settled();
      };
      const confirm = async () => {
        if (wordsOf(ada.modal()?.view).includes('Message review')) {
          await Promise.all([ada.submits(), ada.submits()]);
        }
        while (ada.modal() !== undefined) {
          await ada.closes();
        }
        await rest();
      };
      /** Writes it, schedules it, and lets its time come, as far as the program gets. */
      const schedule = async (text: string) => {
        await ada.types('/sms', '+2348031234567');
        await ada.fills('Message', text);
        await ada.fills('When', 'Later');
        await ada.submits();
        await testApp.app().settled();
        await confirm();
      };
      const steps = await killAtEachStep(test, killableApp(testApp, clock), {
        async begin() {
          written += 1;
          return { text: `Come in on day ${written}`, from: ada.messages().length };
        },
        work: ({ text }) => schedule(text),
        async again({ text, from }, where) {
          await rest();
          const told = () =>
            seenSince(ada, from)
              .own.filter((each) => !isOfRestore.test(each))
              .join();
          const found = told();
          if (found === '' || /Nothing was sent or scheduled/.test(found)) {
            await schedule(text);
          } else if (/is ready/.test(found)) {
            await ada.presses('Review');
            await testApp.app().settled();
            await confirm();
          }
          assert.match(told(), sent(text) === 1 ? /\*Done:\*|unconfirmed/ : /unconfirmed/, where);
          assert.ok(sent(text) <= 1, where);
        },
        async restored({ text, from }, where) {
          const [before, told] = [sent(text), seenSince(ada, from).own.length];
          await slack.redeliver();
          await rest();
          assert.equal(sent(text), before, where);
          for (const said of seenSince(ada, from).own.slice(told)) {
            assert.match(
              said,
              before === 1
                ? /may (or may not )?have|\*Paused|restored|[Dd]one:/
                : /may (or may not )?have|\*Paused|restored/,
              where,
            );
          }
        },
      });
      assert.ok(steps >= 8, `${steps} steps`);
    });

    it('a call in place of a code is made once, or its person is told that it may have been', async (test) => {
      const limits = { numbers: unlimited('codes') };
      const testApp = await startTestApp(test, { ...resting(), limits });
      const { ada, slack, connect } = testApp;
      await connect();
      await startFrom(testApp.grace, 'PalmMarket');
      let customers = 0;
      const callsTo = (number: string) =>
        arrivalsOf(testApp, 'tokens.call').filter(({ text }) => text.includes(number)).length;
      const closeAll = async () => {
        while (ada.modal() !== undefined) {
          await ada.closes();
        }
      };
      const callInstead = async () => {
        await Promise.all([ada.presses('Call instead'), ada.presses('Call instead')]);
        await testApp.app().settled();
      };
      const steps = await killAtEachStep(test, killableApp(testApp), {
        async begin() {
          customers += 1;
          const number = `23480512345${customers + 10}`;
          await sendCode(ada, 'SMS', { 'Phone number': `+${number}` });
          await ada.seesModal('Code sent');
          await closeAll();
          await testApp.app().settled();
          return { number, bySms: codeReceived(testApp), from: ada.messages().length };
        },
        work: callInstead,
        async again({ number, bySms, from }, where) {
          await settle(testApp);
          await callInstead();
          await closeAll();
          await settle(testApp);
          const own = seenSince(ada, from).own.join();
          const calls = callsTo(number);
          const isCalled = /\*Code sent\* to .* by voice call/.test(own);
          assert.ok(isCalled ? calls === 1 : calls <= 1, `${where}: ${calls} calls`);
          assert.ok(isCalled || /by voice call may or may not/.test(own), `${where}: ${own}`);
          // Whatever was lost on the way, either code verifies the number.
          await ada.types('/otp', 'verify');
          await ada.seesModal('Verification');
          const isByCall = calls === 1 && customers % 2 === 0;
          const code = isByCall ? codeReceived(testApp, '/api/sms/otp/call') : bySms;
          assert.equal(await verify(ada, code), undefined, where);
          await ada.seesModal('Verified');
          await closeAll();
        },
        async restored({ number, from }, where) {
          const [before, told] = [callsTo(number), seenSince(ada, from).own.length];
          await settle(testApp);
          await slack.redeliver();
          await testApp.app().settled();
          await closeAll();
          assert.equal(callsTo(number), before, where);
          for (const said of seenSince(ada, from).own.slice(told)) {
            assert.match(said, /may or may not|may have been|unknown|by voice call/, where);
          }
        },
      });
      assert.ok(steps >= 4, `${steps} steps`);
    });
  });
});
