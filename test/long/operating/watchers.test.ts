import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type WebAPICallResult, WebClient } from '@slack/web-api';
import { z } from 'zod';
import { seededRandom } from '../../../sandbox/provider/webhook/plan-reports.ts';
import { idempotencyKey } from '../../../src/domain/access/request-keys.ts';
import { createLog } from '../../../src/lib/log.ts';
import { createPosting } from '../../../src/slack/client/posting.ts';
import { createWatchNotices } from '../../../src/slack/features/watchers/notices.ts';
import { createNotifier } from '../../../src/slack/notifier/notices.ts';
import { type CampaignHarness, campaignHarness, workspaceId } from '../../support/campaign-harness.ts';
import { momentOn } from '../../support/modelled-runs.ts';
import { allNoticesBy } from '../../support/notices.ts';
import { everySeed, sizeOf } from '../../support/sizes.ts';
import { forEachDatabase } from '../../support/store/databases.ts';
import { manualTiming } from '../../support/time/manual-timing.ts';
import { stoppedClock } from '../../support/time/test-clock.ts';

const hour = 60 * 60_000;
const day = 24 * hour;
const zone = 'Europe/London';
/** The clocks in London change on 25 October and on 28 March. */
const [from, over] = [new Date('2026-10-20T10:00Z'), new Date('2027-03-29T10:00Z')];
/** One in two days. */
const restarts = sizeOf('restarts of watchers');
const place = { channelId: 'C1', setBy: 'U0ADMIN' };

/** What a channel of Slack has, by when it was posted: the words of each message, as posted and as edited since. */
class Channel extends WebClient {
  readonly messages: string[][] = [];

  override async apiCall(method: string, options: Record<string, unknown> = {}): Promise<WebAPICallResult> {
    const { channel, text, ts } = callSchema.parse(options);
    if (method === 'chat.update') {
      this.messages[Number(ts)]?.push(text);
      return { ok: true };
    }
    assert.deepEqual([method, channel], ['chat.postMessage', place.channelId]);
    this.messages.push([text]);
    const posted = { ok: true, channel, ts: String(this.messages.length - 1) };
    return posted;
  }
}

const callSchema = z.object({ channel: z.string(), text: z.string(), ts: z.string().optional() });

/** A subject as the model has it. `what`: what is said of it now. */
interface Modelled {
  isRaised: boolean;
  what: string;
  isMuted: boolean;
  changedAt: number;
  /** Whether Slack shows it. */
  isShown: boolean;
  message: string[] | undefined;
}

/** What should be in the channel, from what is so: written down from the user guide, with nothing of the program. */
class Model {
  readonly messages: string[][] = [];
  readonly subjects = new Map<string, Modelled>();
  digests = 0;
  #lastDigest = '';
  #failing = 0;

  /** @param wrong what is wrong now, and in which words */
  look(wrong: ReadonlyMap<string, string>, decided: ReadonlyMap<string, string>, now: number): void {
    for (const subject of new Set([...wrong.keys(), ...this.subjects.keys()])) {
      const before = this.subjects.get(subject);
      const what = wrong.get(subject);
      if (what !== undefined && before?.isRaised !== true) {
        this.#begin(subject, { what, isRaised: true, now });
      } else if (what !== undefined && before !== undefined && before.what !== what) {
        before.isShown &&= before.isMuted;
        Object.assign(before, { what, changedAt: now });
      } else if (what === undefined && before?.isRaised === true) {
        Object.assign(before, { isRaised: false, isMuted: false, isShown: false, changedAt: now });
      }
    }
    for (const [subject, what] of decided) {
      this.#begin(subject, { what, isRaised: false, now });
    }
    const london = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(now);
    if (now >= momentOn(london, '09:00', zone).getTime() && london > this.#lastDigest) {
      const isNews = [...this.subjects.values()].some(
        (each) => !each.isMuted && (each.isRaised || each.changedAt > now - day),
      );
      this.digests += Number(isNews && this.#lastDigest !== '');
      this.#lastDigest = london;
    }
  }

  /** Three failures in a row: each look makes two requests. */
  isDown(isFailing: boolean): boolean {
    this.#failing = isFailing ? this.#failing + 2 : 0;
    return this.#failing >= 3;
  }

  skipDigest(now: number): void {
    this.#lastDigest = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(now);
  }

  #begin(subject: string, { what, isRaised, now }: { what: string; isRaised: boolean; now: number }): void {
    const before = this.subjects.get(subject);
    const message = before?.isShown === false ? before.message : undefined;
    this.subjects.set(subject, { what, isRaised, isMuted: false, isShown: false, changedAt: now, message });
  }

  /** Slack shows what is so. */
  show(): void {
    for (const each of this.subjects.values()) {
      if (!each.isShown) {
        if (each.message === undefined) {
          each.message = [];
          this.messages.push(each.message);
        }
        each.message.push(each.what);
        each.isShown = true;
      }
    }
  }
}

/** A year, as the test plays it: what is so, and what the model says of it. */
interface Year {
  harness: CampaignHarness;
  random: () => number;
  now: () => number;
  model: Model;
  below: number;
  known: number;
  balance: number;
  fault: { cancel(): void } | undefined;
  replies: Map<string, number>;
  requested: { name: string; isDecided: boolean }[];
  decided: Map<string, string>;
  isPaused: boolean;
  count: number;
}

/** Changes some of what is so. */
async function change(year: Year): Promise<void> {
  const { harness, random } = year;
  const { store, provider } = harness;
  if (random() < 0.5) {
    year.balance = [20_000, 9_000, 4_900, 2_400, 450, 0][Math.floor(random() * 6)] ?? 0;
    provider.setBalance(year.balance);
  }
  if (year.fault !== undefined && random() < 0.5) {
    year.fault.cancel();
    year.fault = undefined;
  } else if (year.fault === undefined && random() < 0.15) {
    year.fault = provider.orderFault({ fault: { kind: 'cut_before' }, times: Number.POSITIVE_INFINITY });
  }
  if (random() < 0.2) {
    year.count += 1;
    const number = `+23480512${String(10_000 + year.count)}`;
    await store.replies.take({ workspaceId, number, text: 'Hello?', identity: number, notify: undefined });
    const { id } = await store.db
      .selectFrom('replyThread')
      .select('id')
      .orderBy('lastAt', 'desc')
      .executeTakeFirstOrThrow();
    year.replies.set(id, year.now());
  }
  for (const id of year.replies.keys()) {
    if (random() < 0.3) {
      await store.replies.change({ workspaceId, id }, { state: 'done' }, 'U1');
      year.replies.delete(id);
    }
  }
  if (random() < 0.1) {
    year.isPaused = !year.isPaused;
    const state = year.isPaused ? ('paused' as const) : ('ready' as const);
    const pause = { by: 'provider' as const, error: { reason: 'server_error' } };
    await store.db
      .updateTable('campaign')
      .set({ state, pause, stateChangedAt: new Date(year.now()) })
      .execute();
  }
  await decideOnSenderIds(year);
}

async function decideOnSenderIds({ harness, random, fault, requested, decided }: Year): Promise<void> {
  const { provider, services } = harness;
  if (random() < 0.1 && fault === undefined) {
    const letters = [...String(requested.length)].map((digit) => 'ABCDEFGHIJ'[Number(digit)] ?? '').join('');
    const form = {
      senderId: `Palm${letters}`,
      company: 'Palm Market',
      useCase: 'Your order is on its way to you',
    };
    const key = idempotencyKey(workspaceId, form.senderId);
    const { kind } = await services.senderIds.request({ workspaceId, userId: 'U1', key, form });
    assert.equal(kind, 'performed');
    requested.push({ name: form.senderId, isDecided: false });
  }
  const waiting = requested.find((each) => !each.isDecided);
  if (random() < 0.2 && waiting !== undefined) {
    waiting.isDecided = true;
    provider.approveSenderId(waiting.name);
    decided.set(waiting.name, 'active');
  }
}

/** Has the model look. The provider is asked for the balance first, and then for the sender IDs. */
function modelLook(year: Year): void {
  const { model, below, fault } = year;
  if (fault === undefined) {
    year.known = year.balance;
  }
  const wrong = new Map<string, string>();
  if (year.known < below) {
    const step = year.known * 10 < below ? 'tenth' : year.known * 2 < below ? 'half' : 'low';
    wrong.set('balance', `balance ${step}`);
  }
  if (model.isDown(fault !== undefined)) {
    wrong.set('provider', 'provider');
  }
  if (year.isPaused) {
    wrong.set('campaign', 'campaign');
  }
  for (const [id, at] of year.replies) {
    if (year.now() - at >= hour) {
      wrong.set(`reply ${id}`, 'reply');
    }
  }
  const decided = new Map<string, string>();
  if (fault === undefined) {
    for (const [name, status] of year.decided) {
      decided.set(`sender ID ${name}`, `sender ID ${name} ${status}`);
    }
    year.decided.clear();
  }
  model.look(wrong, decided, year.now());
}

/** What a text of the program is about, as the model says it. */
function readText(text: string, below: number): string {
  const [, amount] = /Balance (?:was )?below [^:]+:\* (?:NGN|₦)?\s?([\d,.]+)/.exec(text) ?? [];
  if (amount !== undefined) {
    const figure = Number(amount.replaceAll(',', ''));
    return `balance ${figure * 10 < below ? 'tenth' : figure * 2 < below ? 'half' : 'low'}`;
  }
  const [, name, status] = /Sender ID (.+):\* (.+)/.exec(text) ?? [];
  if (name !== undefined) {
    return `sender ID ${name} ${status}`;
  }
  return ['campaign', 'reply', 'provider'].find((each) => text.includes(each)) ?? text;
}

forEachDatabase(() => {
  it(`posts and edits what a model says, through a winter and ${restarts} restarts`, async (test) => {
    const random = seededRandom(everySeed);
    const { clock, pass } = stoppedClock(from);
    const harness = await campaignHarness(test, {
      clock,
      timing: manualTiming().timing,
      dialect: { balancePath: '/api/get-balance', currency: 'NGN' },
    });
    await harness.read('sale', 1);
    const year: Year = {
      harness,
      random,
      now: () => clock.now().getTime(),
      model: new Model(),
      below: 5_000,
      known: 20_000,
      balance: 20_000,
      fault: undefined,
      replies: new Map(),
      requested: [],
      decided: new Map(),
      isPaused: false,
      count: 0,
    };
    const { model } = year;
    harness.provider.setBalance(year.balance);
    const channel = new Channel('xoxb-1');
    const begun = year.now();
    const settings = { ...place, hour: 9, zone, off: [], below: '5000' };
    await harness.services.watchers.settings.save(workspaceId, { ...settings, off: ['route', 'esim'] });
    model.skipDigest(begun - day);
    const tick = () => harness.services.watchers.tick(new AbortController().signal);
    const notify = (signal?: AbortSignal) => createNotify(harness, channel)(signal);
    const looks = async () => {
      await tick();
      modelLook(year);
    };
    await looks();
    for (let count = 0; count < restarts; count += 1) {
      for (let steps = 0; steps < 2; steps += 1) {
        pass(12 * hour + random() * 20 * hour);
        await change(year);
        await looks();
        if (random() < 0.2) {
          await mutes(year);
        }
        if (random() < 0.7) {
          await notify();
          model.show();
        }
      }
      // In the middle of what is being posted, or before.
      pass(0.5 * hour);
      await looks();
      const stopping = new AbortController();
      const posting = random() < 0.7 ? notify(stopping.signal) : undefined;
      for (let turns = Math.floor(random() * 30); turns > 0; turns -= 1) {
        await setImmediate();
      }
      stopping.abort();
      await posting;
      await harness.restart();
      pass(random() < 0.1 ? random() * 3 * day : 0);
      await notify();
      model.show();
    }
    assert.ok(year.now() >= over.getTime());
    const digests = channel.messages.filter(([text = '']) => text.includes('*Daily digest:*'));
    const notices = channel.messages.filter((each) => !digests.includes(each));
    test.diagnostic(
      `${notices.length} notices, ${digests.length} digests, ${notices.flat().length} posts and edits`,
    );
    const read = notices.map((texts) => texts.map((text) => readText(text, year.below)));
    assert.deepEqual(read.toSorted(byText), model.messages.toSorted(byText));
    assert.equal(digests.length, model.digests);
    assert.ok(digests.every((each) => each.length === 1));
    assert.deepEqual(harness.reported, []);
  });
});

const byText = (one: readonly string[], other: readonly string[]) => (one.join() < other.join() ? -1 : 1);

/** Mutes what is raised and shown, or lets it speak again. */
async function mutes({ harness, model }: Year): Promise<void> {
  const { services, store } = harness;
  const rows = await store.watches.all(workspaceId);
  for (const row of rows.filter((each) => each.state === 'raised').slice(0, 1)) {
    const found = model.subjects.get(
      row.subject.replace('reply:', 'reply ').replace('campaign:sale', 'campaign'),
    );
    assert.ok(found);
    const notice = `${row.subject}@${row.since.getTime()}`;
    await services.watchers.mute({ workspaceId, userId: 'U0ADMIN' }, notice, !found.isMuted);
    Object.assign(found, { isMuted: !found.isMuted, isShown: false });
  }
}

/** The notifier of the program, on a channel of this test in place of Slack. */
function createNotify({ store, services }: CampaignHarness, channel: Channel) {
  const log = createLog('silent');
  const clients = { for: async () => channel };
  const context = { store, services, log, clients, posting: createPosting({ clients, log }) };
  const { watch, digest } = createWatchNotices(context);
  return createNotifier(context, { ...allNoticesBy(async () => {}), watch, digest });
}
