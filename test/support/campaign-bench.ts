import assert from 'node:assert/strict';
import {
  type ProviderSandbox,
  type ProviderSandboxOptions,
  startProvider,
} from '../../sandbox/provider/server.ts';
import { type MachineClocks, machineClocks } from '../../src/lib/clock.ts';
import { createTime } from '../../src/lib/time.ts';
import { createProvider } from '../../src/provider/client.ts';
import type { Timeouts } from '../../src/provider/http/timeouts.ts';
import type {
  ImportRequest,
  Preview,
  StartRequest,
  SteeringRequest,
} from '../../src/services/campaigns/campaigns.ts';
import { createServices, type Services } from '../../src/services/services.ts';
import type { Campaign, ChunkState } from '../../src/store/campaigns/campaigns.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { deadline } from './held-time.ts';
import { manyNumbers } from './numbers.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { newEncryptionKey } from './temporary-store.ts';

export const workspaceId = 'T0SWITCH';
/** Writes campaigns; is no admin. */
export const createdBy = 'U0AGENT';

export interface BenchOptions {
  /** In flight at once. */
  requests?: number;
  messagesPerSecond?: number;
  /** What the provider's deadlines go by. */
  timing?: Timeouts;
  clock?: MachineClocks;
  provider?: ProviderSandboxOptions;
}

/** The services and the store of a program, over the sandbox's provider, which has plenty of credit. */
export interface CampaignBench {
  readonly provider: ProviderSandbox;
  readonly services: Services;
  readonly store: Store;
  /** The data folder. */
  readonly folder: string;
  /** What the program would log. */
  readonly reported: readonly unknown[];
  /** Resolves when the program reports the next fault. */
  nextReport(): Promise<unknown>;
  /** Begins to send, and stops that when the test ends. */
  begin(): void;
  /** Stops the program as SIGTERM does; what follows is with a new one, which has not begun to send. */
  restart(): Promise<void>;
  /** Reads so many numbers, or these. */
  read(
    id: string,
    recipients: number | readonly string[],
    form?: Partial<ImportRequest['form']>,
  ): Promise<Preview>;
  /** Reads, starts at once, and begins. */
  send(id: string, recipients: number | readonly string[]): Promise<void>;
  /** Resolves as soon as the campaign is so. */
  until(id: string, isSo: (campaign: Campaign) => boolean): Promise<Campaign>;
  /** How many requests have come to the provider, of those that send a text to many. */
  asked(): number;
  /** How a campaign ended, as far as it has: every recipient is in one state, and got at most what that state says. */
  outcome(id: string): Promise<Outcome>;
}

/** Recipients by their state. */
export interface Outcome extends Record<ChunkState, number> {
  campaign: Campaign;
}

/** @param test the test's context; for all tests of a file: `{ after }` of node:test */
export async function campaignBench(
  test: { after(end: () => void | Promise<void>): void },
  options: BenchOptions = {},
): Promise<CampaignBench> {
  const { requests = 2, messagesPerSecond = 1_000_000, clock = machineClocks, timing } = options;
  const sandbox = await startProvider(options.provider);
  sandbox.setBalance(100_000_000);
  const folder = temporaryFolder(test);
  const encryptionKeys = [newEncryptionKey()];
  const reported: unknown[] = [];
  let reporting = Promise.withResolvers<unknown>();

  async function open() {
    const time = createTime(clock);
    const store = await openStore({ dataDir: folder, encryptionKeys, time });
    const provider = createProvider({
      baseUrl: new URL(sandbox.url),
      connectTimeout: deadline,
      headersTimeout: deadline,
      bodyTimeout: deadline,
      totalTimeout: deadline,
      ...(timing && { timing }),
      connections: requests + 2,
      callsPerAccount: requests + 1,
      dialect: { chatChannel: 'chatapp' },
    });
    const services = createServices({
      store,
      provider,
      unicode: false,
      contactDeletion: false,
      campaignLimits: { maxRequests: requests, messagesPerSecond },
      time,
      report(error) {
        reported.push(error);
        reporting.resolve(error);
        reporting = Promise.withResolvers();
      },
      ended: () => {},
    });
    await store.campaigns.recover(time.now());
    return {
      store,
      services,
      async close() {
        await services.campaigns.stopSending();
        await provider.close();
        await store.close();
      },
    };
  }

  let program = await open();
  test.after(async () => {
    // First, so that nothing waits for an answer that does not come.
    await sandbox.stop();
    await program.close();
  });
  await program.services.workspaces.connect(workspaceId, sandbox.account.key, 'U0ADMIN');

  const bench: CampaignBench = {
    provider: sandbox,
    folder,
    reported,
    nextReport: () => reporting.promise,
    get services() {
      return program.services;
    },
    get store() {
      return program.store;
    },
    begin: () => program.services.campaigns.startSending(),

    async restart() {
      await program.close();
      program = await open();
    },

    async read(id, recipients, form) {
      const numbers = typeof recipients === 'number' ? manyNumbers(recipients) : recipients;
      const reading = await program.services.campaigns.importRecipients({
        workspaceId,
        userId: createdBy,
        id,
        source: { kind: 'pasted', text: numbers.join('\n') },
        form: { text: `Hello, this is ${id}`, route: 'dnd', senderId: 'PalmMarket', ...form },
      });
      assert.ok(reading.kind === 'ready', JSON.stringify(reading));
      return reading.preview;
    },

    async send(id, recipients) {
      await bench.read(id, recipients);
      await program.services.campaigns.start(startOf(id));
      bench.begin();
    },

    until: (id, isSo) => until(program.services, id, isSo),

    asked: () => sandbox.arrivals.filter(({ operation }) => operation === 'messages.sendBulk').length,

    outcome: (id) => outcomeOf(id, program.store, sandbox),
  };
  return bench;
}

export const startOf = (id: string): StartRequest => ({ workspaceId, userId: createdBy, id });

/** Who asks to steer a campaign. */
export const by = (person: 'creator' | 'admin' | 'another', id: string): SteeringRequest => ({
  workspaceId,
  id,
  userId: { creator: createdBy, admin: 'U0ADMIN', another: 'U0OTHER' }[person],
  isAdmin: person === 'admin',
});

function until(
  { campaigns }: Services,
  id: string,
  isSo: (campaign: Campaign) => boolean,
): Promise<Campaign> {
  const { promise, resolve, reject } = Promise.withResolvers<Campaign>();
  const look = () =>
    campaigns.find(by('creator', id), id).then((campaign) => {
      if (campaign !== undefined && isSo(campaign)) {
        resolve(campaign);
      }
    }, reject);
  const unwatch = campaigns.watch(look);
  void look();
  return promise.finally(unwatch);
}

/** How often the provider may have taken a message for a recipient in a state. */
const takenIn: Record<ChunkState, readonly number[]> = {
  waiting: [0],
  claimed: [0, 1],
  accepted: [1],
  rejected: [0],
  unconfirmed: [0, 1],
};

async function outcomeOf(id: string, store: Store, { record }: ProviderSandbox): Promise<Outcome> {
  const campaign = await store.campaigns.find(workspaceId, id);
  assert.ok(campaign);
  const { text: shared, counts } = campaign;
  const taken = new Map<string, number>();
  for (const { to, text } of record) {
    for (const number of to) {
      const message = `+${number} ${text}`;
      taken.set(message, (taken.get(message) ?? 0) + 1);
    }
  }
  const numbers = new Set<string>();
  const found: Record<ChunkState, number> = {
    waiting: 0,
    claimed: 0,
    accepted: 0,
    rejected: 0,
    unconfirmed: 0,
  };
  const states = ['waiting', 'claimed', 'accepted', 'rejected', 'unconfirmed'] as const;
  for await (const { to, state, text = shared } of store.campaigns.chunks(workspaceId, id, states)) {
    for (const number of to) {
      const times = taken.get(`${number} ${text}`) ?? 0;
      assert.ok(takenIn[state].includes(times), `${id}, ${number}: ${state}, taken ${times} times`);
      assert.ok(!numbers.has(number), `${id}, ${number}: in two chunks`);
      numbers.add(number);
      found[state] += 1;
    }
  }
  const { accepted, rejected, unconfirmed, recipients } = counts;
  assert.equal(numbers.size, recipients);
  assert.deepEqual(
    [found.accepted, found.rejected, found.unconfirmed, found.claimed],
    [accepted, rejected, unconfirmed, campaign.inFlight],
  );
  return { ...found, campaign };
}
