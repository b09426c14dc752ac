import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jobTopics } from '../../../src/store/engine/jobs/jobs.ts';
import { killableApp } from '../../support/app/killable-app.ts';
import { startTestApp, type TestApp } from '../../support/app/test-app.ts';
import { eventually } from '../../support/campaigns.ts';
import { hurriedTimers } from '../../support/hurried-timers.ts';
import { killAtEachStep } from '../../support/kill-walk.ts';
import { restingTimers } from '../../support/resting-timers.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { type SlackUser, support } from '../../support/slack/slack-user.ts';
import { asksSlackbot } from '../../support/slack/slackbot.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { endLeases } from '../../support/store/due-notices.ts';

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
      const previews = (text: string) =>
        ada
          .messages()
          .filter(({ blocks }) =>
            [text, '"text":"Send"'].every((part) => JSON.stringify(blocks).includes(part)),
          );
      const draft = (text: string) =>
        asksSlackbot(slack, ada, 'draft_message', { to: '+2348031234567', text, sender: 'PalmMarket' });
      const sendIfShown = async (text: string) => {
        if (previews(text).length > 0) {
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
          while (previews(text).length > 0) {
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
  });
});
