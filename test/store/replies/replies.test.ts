import assert from 'node:assert/strict';
import { it } from 'node:test';
import { phoneNumberSchema } from '../../../src/domain/phone/phone-number.ts';
import type { NewReply } from '../../../src/store/replies/reply-threads.ts';
import type { Store } from '../../../src/store/store.ts';
import { type DatabaseName, forEachDatabase } from '../../support/store/databases.ts';
import { temporaryStore } from '../../support/store/temporary-store.ts';

const workspaceId = 'T1';
const number = '+2348051234500';

const reply = (text: string, change: Partial<NewReply> = {}): NewReply => ({
  workspaceId,
  number,
  receiver: '55019',
  notify: { userId: 'U1', channelId: 'C1' },
  identity: text,
  text,
  ...change,
});

async function messages({ db, replies }: Store) {
  const rows = await db.selectFrom('inboundMessage').select('id').orderBy('createdAt').execute();
  return Promise.all(
    rows.map(async ({ id }) => (await replies.message(workspaceId, id)) ?? assert.fail('no message')),
  );
}

forEachDatabase((database: DatabaseName) => {
  it('keeps each message of a number once, in one thread, of which one message is the parent', async (t) => {
    const store = await temporaryStore(t, { database });
    const { replies } = store;
    const texts = ['One', 'Two', 'Three', 'Four'];
    const taken = await Promise.all([...texts, ...texts].map((text) => replies.take(reply(text))));
    assert.equal(taken.filter(Boolean).length, texts.length);
    const kept = await messages(store);
    assert.deepEqual(kept.map(({ text }) => text).sort(), [...texts].sort());
    const [first = assert.fail()] = kept;
    assert.ok(kept.every(({ threadId }) => threadId === first.threadId));

    const places = await Promise.all(kept.map((message) => replies.decidePlace(message, 'C1')));
    assert.deepEqual(places.sort(), ['later', 'later', 'later', 'parent']);
    const thread = (await replies.find(workspaceId, first.threadId)) ?? assert.fail();
    await replies.setParent(thread, { channel: 'C1', ts: '1.1' });
    const others = kept.filter(({ id }) => id !== thread.parentId);
    assert.deepEqual(await Promise.all(others.map((message) => replies.decidePlace(message, 'C1'))), [
      'thread',
      'thread',
      'thread',
    ]);
    const [next = assert.fail()] = others;
    assert.equal(await replies.decidePlace(next, 'C2'), 'parent');
    await replies.dropParent(workspaceId, next.id);
    assert.equal((await replies.find(workspaceId, first.threadId))?.parentId, undefined);
  });

  it('has another parent once the earlier one is gone, of which the latest decides', async (t) => {
    const store = await temporaryStore(t, { database });
    const { replies } = store;
    await replies.take(reply('One'));
    await replies.take(reply('Two'));
    const kept = await messages(store);
    const [one, two] = ['One', 'Two'].map((text) => kept.find((each) => each.text === text) ?? assert.fail());
    assert.ok(one && two);
    const read = async () => (await replies.find(workspaceId, one.threadId)) ?? assert.fail();
    assert.equal(await replies.decidePlace(one, 'C1'), 'parent');
    await replies.setParent(await read(), { channel: 'C1', ts: '1.1' });
    // It is given up as long as it is not posted: other messages of the thread leave it alone.
    await replies.dropParent(workspaceId, one.id);
    await replies.dropParent(workspaceId, two.id);
    const previous = await read();
    assert.deepEqual(previous.message, { channel: 'C1', ts: '1.1' });

    await replies.replaceParent(previous, { messageId: two.id, channel: 'C1', ts: '1.2' });
    const now = await read();
    assert.deepEqual([now.parentId, now.message?.ts, now.version], [two.id, '1.2', previous.version + 1]);
    await replies.dropThread(previous);
    await replies.replaceParent(previous, { messageId: one.id, channel: 'C1', ts: '1.3' });
    assert.deepEqual(await read(), now);
    await replies.dropThread(now);
    assert.deepEqual([(await read()).parentId, (await read()).message], [undefined, undefined]);
    await replies.replaceParent(now, { messageId: one.id, channel: 'C1', ts: '1.3' });
    assert.equal((await read()).parentId, one.id);
  });

  it('counts each change once, and opens what is done again', async (t) => {
    const store = await temporaryStore(t, { database });
    const { replies } = store;
    await replies.take(reply('One'));
    const [{ threadId: id } = assert.fail()] = await messages(store);
    const key = { workspaceId, id };
    await Promise.all([1, 2, 3].map(() => replies.change(key, { assignedTo: 'U2' }, 'U2')));
    const assigned = (await replies.find(workspaceId, id)) ?? assert.fail();
    assert.deepEqual([assigned.assignedTo, assigned.version], ['U2', 2]);
    await replies.change(key, { state: 'done' }, 'U2');
    await replies.take(reply('Two'));
    const open = (await replies.find(workspaceId, id)) ?? assert.fail();
    assert.deepEqual([open.state, open.assignedTo, open.version], ['open', undefined, 4]);
    const at = new Date(open.lastAt.getTime() + 1);
    await replies.noteAnswer(key, { userId: 'U2', at });
    await replies.noteAnswer(key, { userId: 'U2', at });
    await replies.noteAnswer(key, { userId: 'U3', at: new Date(0) });
    const answered = (await replies.find(workspaceId, id)) ?? assert.fail();
    assert.deepEqual([answered.lastBy, answered.version], ['U2', 5]);
    assert.equal(await replies.change({ workspaceId: 'T2', id }, { state: 'done' }, 'U2'), undefined);
  });

  it('posts again what Slack took nowhere, and what waits for another channel, each once and the oldest first', async (t) => {
    const store = await temporaryStore(t, { database });
    const { replies, outbox } = store;
    const posted = async (channel: string) => {
      const notice = await outbox.next(new Set());
      assert.ok(notice?.subject === 'reply' && notice.channelId === channel);
      await outbox.deliver(notice, async () => {});
      return (await replies.message(workspaceId, notice.subjectId))?.text;
    };
    await replies.take(reply('One'));
    const [one = assert.fail()] = await messages(store);
    await replies.take(reply('Two', { workspaceId: 'T2' }));
    await store.db.deleteFrom('outbox').where('subject', '=', 'reply_thread').execute();
    const key = { workspaceId, subject: 'reply' as const, subjectId: one.id };
    await outbox.deliver(key, async () => {
      await replies.noteUnposted(one);
      // Its notice ends with its delivery: until then, it stays counted.
      await replies.repost(workspaceId, { channelId: 'C2', userId: 'U2' });
    });
    assert.deepEqual([await replies.countUnposted(workspaceId), await replies.countUnposted('T2')], [1, 0]);
    await replies.take(reply('Three'));
    await store.db
      .deleteFrom('outbox')
      .where((eb) => eb.or([eb('subject', '=', 'reply_thread'), eb('workspaceId', '=', 'T2')]))
      .execute();
    await Promise.all([1, 2].map(() => replies.repost(workspaceId, { channelId: 'C2', userId: 'U2' })));
    assert.equal(await replies.countUnposted(workspaceId), 0);
    assert.deepEqual([await posted('C2'), await posted('C2')], ['One', 'Three']);
    assert.equal(await outbox.next(new Set()), undefined);
  });

  it('forgets a person, and what is too old', async (t) => {
    const store = await temporaryStore(t, { database });
    const { replies, erasure } = store;
    const other = '+2348051234511';
    await replies.take(reply('One'));
    await replies.take(reply(`Call me, or ${number}`, { number: other }));
    await erasure.erase({
      workspaceIds: [workspaceId],
      number: phoneNumberSchema.parse(number),
      areas: {},
      signal: new AbortController().signal,
    });
    const kept = await messages(store);
    assert.deepEqual(
      kept.map(({ text }) => text),
      ['Call me, or •••'],
    );
    await replies.expire(new Date(Date.now() + 60_000));
    assert.deepEqual(await messages(store), []);
    assert.deepEqual(await store.db.selectFrom('replyThread').select('id').execute(), []);
  });
});
