import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { machineClocks } from '../../src/clock.ts';
import { readSettings } from '../../src/config.ts';
import { createProvider } from '../../src/provider/client.ts';
import { type ProviderSandbox, startProvider } from '../../src/sandbox/provider/server.ts';
import { startSlack } from '../../src/sandbox/slack/server.ts';
import { createServices, type Services } from '../../src/services/services.ts';
import type { Campaign, ChunkState } from '../../src/store/campaigns.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { createTime } from '../../src/time.ts';
import { manyNumbers } from '../support/numbers.ts';
import { runProgram } from '../support/program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What is left to see when the kills are over and every campaign has come to its end. */
export interface Crashes {
  kills: number;
  /** Recipients of each campaign by how they ended, and how often the provider took a message for each of them. */
  campaigns: {
    campaign: Campaign;
    recipients: { number: string; state: ChunkState; taken: number; asked: number }[];
  }[];
  /** After each kill: the recipients that are unconfirmed, or were in flight, of all campaigns so far. */
  inDoubt: number[];
}

const workspaceId = 'T0SWITCH';
const author = 'U0AGENT';
/** So many requests of the workspace's campaigns are in flight at once, with the connections that are set here. */
export const requests = 3;
const sharedRecipients = 6_000;
const personalRecipients = 120;

/** More than the requests after which a run is killed at the latest. */
const enoughChunks = 30;

function chunksLeftOf({ counts, inFlight, personal }: Campaign): number {
  const left = counts.recipients - counts.accepted - counts.rejected - counts.unconfirmed - inFlight;
  return personal ? left : Math.floor(left / 100);
}

/** Where a run of the program is killed: so long after its start, or after so many requests to the provider. */
const killPoint = fc.oneof(
  { weight: 1, arbitrary: fc.record({ milliseconds: fc.integer({ min: 0, max: 700 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      arrivals: fc.integer({ min: 1, max: 12 }),
      milliseconds: fc.integer({ min: 0, max: 3 }),
    }),
  },
);

/**
 * Runs campaigns with the program of `npm start` in a process of its own, over the sandbox's Slack and provider; kills it
 * where chance has it, starts it anew, as often as asked; and then lets everything come to its end.
 */
export async function crash(
  test: { after(end: () => void | Promise<void>): void },
  { runs, seed }: { runs: number; seed: number },
): Promise<Crashes> {
  let arrived = () => {};
  const provider = await startProvider({ onExchange: () => arrived() });
  test.after(() => provider.stop());
  const slack = await startSlack({
    manifestPath: fileURLToPath(new URL('../../manifest.yml', import.meta.url)),
    botToken: 'xoxb-sandbox-1111',
    delivery: {
      mode: 'http',
      eventsUrl: 'http://127.0.0.1:1/',
      signingSecret: 'sandbox-signing-secret-7d40',
    },
  });
  test.after(() => slack.stop());
  provider.setBalance(100_000_000);
  const env = {
    PROVIDER_BASE_URL: provider.url,
    PROVIDER_CONNECTIONS: String((requests + 1) * 4),
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: 'xoxb-sandbox-1111',
    SLACK_SIGNING_SECRET: 'sandbox-signing-secret-7d40',
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    DATA_DIR: temporaryFolder(test),
    CAMPAIGN_MESSAGES_PER_SECOND: '1000000',
    HOST: '127.0.0.1',
    PORT: '0',
    NODE_COMPILE_CACHE: temporaryFolder(test),
  };
  const inDoubt: number[] = [];

  /** The store and the services of the program, while it is dead. */
  async function between<T>(look: (services: Services, store: Store) => Promise<T>): Promise<T> {
    const settings = readSettings(env);
    const store = await openStore(settings);
    const client = createProvider({ ...settings.provider, dialect: settings.provider });
    const services = createServices({
      store,
      provider: client,
      unicode: false,
      contactDeletion: false,
      campaignLimits: { requests, messagesPerSecond: settings.campaignMessagesPerSecond },
      time: createTime(machineClocks),
      report: (error) => {
        throw error;
      },
      ended: () => {},
    });
    try {
      return await look(services, store);
    } finally {
      await client.close();
      await store.close();
    }
  }

  let made = 0;
  /** One text for all, and one for each: whatever is cut in chunks of a hundred, and of one. */
  async function start(services: Services): Promise<void> {
    for (const personal of [false, true]) {
      made += 1;
      const id = `campaign-${made}`;
      const numbers = manyNumbers(personal ? personalRecipients : sharedRecipients);
      const text = personal ? `Hello {{name}}, this is ${id}` : `Hello, this is ${id}`;
      const csv = ['phone,name', ...numbers.map((number, index) => `${number},P${index}`)].join('\n');
      const read = await services.campaigns.read({
        workspaceId,
        personId: author,
        id,
        source: { kind: 'file', id, name: `${id}.csv`, open: () => piecesOf(csv) },
        form: { text, route: 'dnd', senderId: 'PalmMarket' },
      });
      if (read.kind !== 'ready') throw new Error(`not read: ${JSON.stringify(read)}`);
      await services.campaigns.start({ workspaceId, personId: author, id });
    }
  }

  await between(async (services) => {
    await services.workspaces.connect(workspaceId, provider.account.key, author);
    await start(services);
  });

  // What ends by itself keeps what was compiled: those that are killed start sooner for it.
  const first = runProgram(test, env);
  await first.says('Switchboard is ready');
  first.child.kill('SIGTERM');
  assert.equal((await first.ended).code, 0);

  for (const point of fc.sample(killPoint, { seed, numRuns: runs })) {
    const program = runProgram(test, env);
    if ('arrivals' in point) {
      let left = point.arrivals;
      await new Promise<void>((resolve) => {
        arrived = () => {
          left -= 1;
          if (left <= 0) resolve();
        };
        void program.ended.then(() => resolve());
      });
    }
    await new Promise((resolve) => setTimeout(resolve, point.milliseconds));
    program.child.kill('SIGKILL');
    await once(program.child, 'close');
    await between(async (services, store) => {
      const campaigns = await store.campaigns.recent({ workspaceId, limit: 1_000 });
      inDoubt.push(campaigns.reduce((sum, { counts, inFlight }) => sum + counts.unconfirmed + inFlight, 0));
      const chunksLeft = campaigns.reduce((sum, campaign) => sum + chunksLeftOf(campaign), 0);
      // Another run must never wait for a request that nobody makes.
      if (chunksLeft < enoughChunks) await start(services);
    });
  }

  return between(async (services, store) => {
    await store.campaigns.recover(new Date());
    await new Promise<void>((resolve, reject) => {
      const look = () =>
        store.campaigns
          .inState(['scheduled', 'running', 'paused'])
          .then((open) => {
            if (open.length === 0) resolve();
          })
          .catch(reject);
      services.campaigns.watch(() => void look());
      services.campaigns.begin();
      void look();
    });
    await services.campaigns.stop();
    const campaigns = await store.campaigns.recent({ workspaceId, limit: 1_000 });
    return {
      kills: runs,
      inDoubt,
      campaigns: await Promise.all(campaigns.map((campaign) => fateOf(campaign, store, provider))),
    };
  });
}

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function fateOf(campaign: Campaign, store: Store, provider: ProviderSandbox) {
  const taken = countBy(
    provider.record
      .filter(({ text }) => text.endsWith(`this is ${campaign.id}`))
      .flatMap(({ to }) => to.map((number) => `+${number.replace(/^\+/, '')}`)),
  );
  const asked = countBy(
    provider.arrivals
      .filter(({ text }) => text.includes(`this is ${campaign.id}"`))
      .flatMap(({ text }) => (text.match(/\b234\d{10}\b/g) ?? []).map((number) => `+${number}`)),
  );
  const recipients: Crashes['campaigns'][number]['recipients'] = [];
  const states = ['waiting', 'claimed', 'accepted', 'rejected', 'unconfirmed'] as const;
  for await (const { to, state } of store.campaigns.chunks(campaign.workspaceId, campaign.id, states)) {
    for (const number of to) {
      recipients.push({ number, state, taken: taken.get(number) ?? 0, asked: asked.get(number) ?? 0 });
    }
  }
  return { campaign, recipients };
}

function countBy(numbers: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return counts;
}

/** Nobody twice, nobody forgotten, and in doubt only whoever was in flight at a kill. */
export function assertKept({ campaigns, inDoubt }: Crashes): void {
  for (const { campaign, recipients } of campaigns) {
    const { id, state, counts } = campaign;
    assert.equal(state, 'done', id);
    assert.equal(recipients.length, counts.recipients, id);
    assert.equal(new Set(recipients.map(({ number }) => number)).size, counts.recipients, id);
    for (const { number, state, taken, asked } of recipients) {
      const fate = `${id}, ${number}: ${state}, taken ${taken} times, asked ${asked} times`;
      assert.ok(asked <= 1, fate);
      assert.ok(state === 'accepted' ? taken === 1 : state === 'unconfirmed' && taken <= 1, fate);
    }
  }
  const unconfirmed = campaigns.reduce((sum, { campaign }) => sum + campaign.counts.unconfirmed, 0);
  assert.equal(unconfirmed, inDoubt.at(-1) ?? 0);
  for (const [kill, recipients] of inDoubt.entries()) {
    const atThisKill = recipients - (inDoubt[kill - 1] ?? 0);
    assert.ok(atThisKill <= requests * 100, `${atThisKill} recipients were in flight at kill ${kill + 1}`);
  }
}
