import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import type { PermissionState } from '../../../src/domain/access/decision.ts';
import { section } from '../../../src/slack/block-kit/build.ts';
import { message } from '../../../src/slack/block-kit/message.ts';
import { mrkdwn } from '../../../src/slack/block-kit/text.ts';
import { createNotifier } from '../../../src/slack/notifier/notices.ts';
import { createPosts } from '../../../src/slack/notifier/posts.ts';
import { allNoticesBy } from '../../support/notices.ts';
import { startPosting } from '../../support/slack/posting-slack.ts';
import { support } from '../../support/slack/slack-user.ts';
import { forEachDatabase } from '../../support/store/databases.ts';

const ada = 'U0AGENT';
const content = message(mrkdwn`3 numbers checked.`, [section(mrkdwn`3 numbers checked.`)]);
const inChannel = { workspaceId: 'T0SWITCH', id: 'check.1', userId: ada, channelId: support };

async function startPosts(test: TestContext) {
  const { slack, store, context, pass } = await startPosting(test);
  let known: PermissionState = 'allowed';
  const access = { permissionState: async () => known };
  const posts = createPosts({ ...context, services: { access } });
  const notify = createNotifier(context, {
    ...allNoticesBy(() => assert.fail('there is no such notice')),
    post: posts.deliver,
  });
  return {
    slack,
    store,
    posts,
    /** Sets whether it is known that the user may have a file. */
    setKnown(state: PermissionState) {
      known = state;
    },
    /** The outbox's next round, which happens within a minute, also after a crash. */
    async nextRound() {
      pass(60_000);
      await notify();
    },
    seen: () =>
      slack.snapshot(ada).messages.map(({ channel, text }) => ({ isIn: channel === support, text })),
  };
}

const forAda = { workspaceId: 'T0SWITCH', id: 'check.file', userId: ada, needed: 'look_up' } as const;
const numbersFile = {
  name: 'numbers.csv',
  content: Buffer.from('\uFEFFNumber\r\n+2348051230000\r\n'),
  comment: 'Checked',
};

forEachDatabase(() => {
  describe('a file for its user', () => {
    it('is sent once, and again after a crash only where Slack may not have it, which it then says', async (test) => {
      const { store, posts, slack, nextRound, seen } = await startPosts(test);
      assert.equal(await posts.privateFile(forAda, numbersFile), undefined);
      assert.equal(await posts.privateFile(forAda, numbersFile), undefined);
      await nextRound();
      assert.deepEqual(seen(), [{ isIn: false, text: 'Checked' }]);

      slack.fault('files.completeUploadExternal', { status: 500, after: true });
      const next = { ...forAda, id: 'check.next' };
      assert.match((await posts.privateFile(next, numbersFile))?.source ?? '', /Not in your messages .* yet/);
      await nextRound();
      await nextRound();
      assert.deepEqual(
        seen().map(({ text }) => text.split('\n').length),
        [1, 1, 2],
      );
      assert.match(seen()[2]?.text ?? '', /You may have this message already/);
      assert.equal((await store.posts.find('T0SWITCH', 'check.next'))?.content, undefined);
    });

    it('is not sent once they may no longer have it, and waits while that is not known', async (test) => {
      const { posts, setKnown, nextRound, seen } = await startPosts(test);
      setKnown('unknown');
      assert.match(
        (await posts.privateFile(forAda, numbersFile))?.source ?? '',
        /Not in your messages .* yet/,
      );
      setKnown('denied');
      await nextRound();
      setKnown('allowed');
      await nextRound();
      assert.deepEqual(seen(), []);
    });
  });

  describe('a result for a channel', () => {
    it('is posted once, however often it is asked for', async (test) => {
      const { posts, store, nextRound, seen } = await startPosts(test);
      assert.equal(await posts.message(inChannel, content), undefined);
      assert.equal(await posts.message(inChannel, content), undefined);
      await nextRound();
      assert.deepEqual(seen(), [{ isIn: true, text: '3 numbers checked.' }]);
      assert.equal(
        (await store.posts.find('T0SWITCH', 'check.1'))?.content,
        undefined,
        'it is kept no longer',
      );
    });

    it('is posted after a crash right before Slack was asked', async (test) => {
      const { store, nextRound, seen } = await startPosts(test);
      await store.posts.add(inChannel, { message: content });
      await nextRound();
      await nextRound();
      assert.deepEqual(seen(), [{ isIn: true, text: '3 numbers checked.' }]);
    });

    it('is told to its user, and not posted again, after a crash before Slack answered', async (test) => {
      const { store, posts, nextRound, seen } = await startPosts(test);
      const { outbox } = store;
      await store.posts.add(inChannel, { message: content });
      const key = { workspaceId: 'T0SWITCH', subject: 'post', subjectId: 'check.1' } as const;
      await outbox.hold(key, () => outbox.record(key, { channelProblem: 'unconfirmed', repeated: false }));
      await nextRound();
      const [told, ...others] = seen();
      assert.deepEqual([told?.isIn, others], [false, []]);
      assert.match(told?.text ?? '', /3 numbers checked\.[\s\S]*This may be in/);
      assert.match((await posts.message(inChannel, content))?.source ?? '', /This may be in/);
      assert.equal(seen().length, 1);
    });

    it('is posted later where Slack limits the rate, and the user is told so', async (test) => {
      const { slack, posts, nextRound, seen } = await startPosts(test);
      slack.fault('chat.postMessage', { status: 429, retryAfter: 30 });
      assert.match((await posts.message(inChannel, content))?.source ?? '', /Not in .* yet/);
      assert.deepEqual(seen(), []);
      await nextRound();
      assert.deepEqual(seen(), [{ isIn: true, text: '3 numbers checked.' }]);
    });

    for (const [what, fault, words] of [
      ['fails', { status: 500 }, 'This may be in'],
      ['rejects it', { error: 'restricted_action' }, 'doesn’t let Switchboard post'],
    ] as const) {
      it(`is explained, also in a message, if Slack ${what}`, async (test) => {
        const { slack, posts, seen } = await startPosts(test);
        slack.fault('chat.postMessage', fault);
        assert.match((await posts.message(inChannel, content))?.source ?? '', new RegExp(words));
        assert.match(
          seen()
            .map(({ text }) => text)
            .join(),
          new RegExp(`3 numbers checked[\\s\\S]*${words}`),
        );
      });
    }

    it('is tried again where it is certain that it was not posted, and never where it may have been', async (test) => {
      const { slack, posts, seen } = await startPosts(test);
      slack.fault('chat.postMessage', { error: 'not_in_channel' });
      assert.match((await posts.message(inChannel, content))?.source ?? '', /isn’t in/);
      assert.equal(await posts.message(inChannel, content), undefined);
      assert.deepEqual(
        seen().map(({ isIn }) => isIn),
        [false, true],
      );
    });

    it('may be a file, of which its user is told where it can’t be posted', async (test) => {
      const { slack, posts, seen } = await startPosts(test);
      const file = {
        name: 'numbers.csv',
        content: Buffer.from('\uFEFFNumber\r\n+234805•••0000\r\n'),
        comment: 'Checked',
      };
      slack.fault('files.completeUploadExternal', { error: 'not_in_channel' });
      assert.match(
        (await posts.file(inChannel, file, mrkdwn`*Check* of 1 number`))?.source ?? '',
        /isn’t in/,
      );
      assert.match(seen()[0]?.text ?? '', /\*Check\* of 1 number[\s\S]*Not posted/);
      assert.equal(
        await posts.file({ ...inChannel, id: 'check.2' }, file, mrkdwn`*Check* of 1 number`),
        undefined,
      );
      assert.deepEqual(
        seen().map(({ isIn }) => isIn),
        [false, true],
      );
    });
  });
});
