import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  createCampaignShare,
  type NamedCampaign,
} from '../../../src/services/campaigns/sending/running-campaigns.ts';

const campaign = (number: number): NamedCampaign => ({ workspaceId: 'T1', id: `c${number}` });
const campaigns = (count: number) => Array.from({ length: count }, (_, number) => campaign(number));

test('an instance takes its share at once, and more only where nobody takes it', () => {
  let now = 0;
  const share = createCampaignShare(() => now);
  const running = campaigns(5);
  const state = { running, sent: [], free: running, living: 3 };
  assert.deepEqual(share.choose(state), { take: running.slice(0, 2), leave: undefined });
  now += 1_499;
  assert.deepEqual(share.choose(state).take, running.slice(0, 2));
  now += 1;
  assert.deepEqual(share.choose(state).take, running);
  // One that another took in between has to be free for as long again.
  assert.deepEqual(share.choose({ ...state, free: running.slice(1) }).take, running.slice(1));
  assert.deepEqual(share.choose({ ...state, sent: running.slice(1, 3) }).take, running.slice(1));
});

test('an instance that sends more than its share for ten seconds leaves one, the newest first', () => {
  let now = 0;
  const share = createCampaignShare(() => now);
  const running = campaigns(4);
  assert.equal(share.choose({ running, sent: running, free: [], living: 2 }).leave, undefined);
  now = 10_000;
  assert.deepEqual(share.choose({ running, sent: running, free: [], living: 2 }), {
    take: [],
    leave: running[3],
  });
  assert.equal(share.choose({ running, sent: running.slice(0, 2), free: [], living: 2 }).leave, undefined);
});

test('any number of instances come to send all campaigns, each its share, and then nothing moves', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 0, max: 12 }),
      fc.array(fc.nat(), { minLength: 12, maxLength: 12 }),
      (living, count, before) => {
        let now = 0;
        const running = campaigns(count);
        const instances = Array.from({ length: living }, (_, index) => ({
          share: createCampaignShare(() => now),
          sent: running.filter((_each, number) => (before[number] ?? 0) % (living + 1) === index),
        }));
        let moved = 0;
        for (let poll = 0; poll < 40; poll += 1) {
          moved = 0;
          now += 1_000;
          for (const instance of instances) {
            const free = running.filter((each) => !instances.some(({ sent }) => sent.includes(each)));
            const { take, leave } = instance.share.choose({ running, sent: instance.sent, free, living });
            instance.sent = running.filter(
              (each) => (instance.sent.includes(each) || take.includes(each)) && each !== leave,
            );
            moved += take.length + (leave === undefined ? 0 : 1);
          }
        }
        assert.equal(moved, 0);
        for (const { sent } of instances) {
          assert.ok(sent.length <= Math.ceil(count / living));
        }
        assert.equal(new Set(instances.flatMap(({ sent }) => sent)).size, count);
      },
    ),
  );
});
