import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import {
  type ProviderSandbox,
  type ProviderSandboxOptions,
  startProvider,
} from '../../sandbox/provider/server.ts';
import type { AccessDecision } from '../../src/domain/access/decision.ts';
import type { Seen } from '../../src/domain/limits/seen.ts';
import { machineTime, type Time } from '../../src/lib/time/clock.ts';
import { createProvider } from '../../src/provider/client.ts';
import type { Dialect } from '../../src/provider/dialect.ts';
import type { Timing } from '../../src/provider/http/timing.ts';
import type { CampaignService } from '../../src/services/campaigns/campaign-service.ts';
import type { CampaignImport } from '../../src/services/campaigns/import/campaign-imports.ts';
import type { ImportRequest } from '../../src/services/campaigns/import/import-recipients.ts';
import type { RestKind } from '../../src/services/campaigns/import/recipient-sources.ts';
import type { CampaignReview } from '../../src/services/campaigns/preflight/preflight.ts';
import type { StartRequest } from '../../src/services/campaigns/start-draft.ts';
import type { SteeringRequest } from '../../src/services/campaigns/steering.ts';
import type { ChosenLimits } from '../../src/services/limits/workspace-limits.ts';
import { createServices, type Services } from '../../src/services/services.ts';
import type { Campaign, ChunkState } from '../../src/store/campaigns/campaigns.ts';
import { createEncryption, type Encryption } from '../../src/store/engine/encryption/cipher.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { admitted } from './decisions.ts';
import { setLimits } from './limits.ts';
import { manyNumbers } from './slack/number-files.ts';
import { type SteppedTimers, steppedTimers } from './stepped-timers.ts';
import { newEncryptionKey, postgresOf } from './store/temporary-store.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { testContext } from './test-context.ts';
import { deadline } from './time/manual-timing.ts';

export const workspaceId = 'T0SWITCH';
/** The creator of the campaigns, who is not an admin. */
export const createdBy = 'U0AGENT';

export interface HarnessOptions {
  /** The most requests in flight. */
  requests?: number;
  messagesPerSecond?: number;
  /** What an admin has chosen of the limits. */
  limits?: Partial<ChosenLimits>;
  /** What opt-out links begin with. */
  optOutAddress?: string | undefined;
  /** The timing of the provider client's deadlines. */
  timing?: Timing;
  clock?: Time;
  /** The timers of sending. Waits of 100 ms and more last until the test advances the timers, unless given. */
  timers?: SteppedTimers;
  provider?: ProviderSandboxOptions;
  /** What the provider's profile says besides. */
  dialect?: Partial<Dialect>;
  /** Decides what a person may do. Default: they are admins. */
  decide?: (workspaceId: string, userId: string) => Promise<AccessDecision>;
}

/** The services and the store of a program, with the sandbox's provider, whose account has plenty of credit. */
export interface CampaignHarness {
  readonly provider: ProviderSandbox;
  readonly services: Services;
  readonly store: Store;
  /** The data folder. */
  readonly folder: string;
  /** What the store's values are encrypted with. */
  readonly encryption: Encryption;
  /** The errors that the program would log. */
  readonly reported: readonly unknown[];
  readonly timers: SteppedTimers;
  /** Resolves when the program reports the next fault. */
  nextReport(): Promise<unknown>;
  /** Starts to send, until the test ends. */
  begin(): void;
  /** Stops sending; time passes until that is done. */
  stopSending(): Promise<void>;
  /**
   * Stops the program like SIGTERM, and opens a new one on the same data that doesn't send yet. `isRestored`:
   * tells it that the data is a backup. `whileStopped` is called in between, while the data is closed.
   */
  restart(options?: { isRestored?: boolean; whileStopped?: () => Promise<void> }): Promise<void>;
  /** Imports these numbers, or this many, replacing a draft with this id. */
  read(
    id: string,
    recipients: number | readonly string[],
    form?: Partial<ImportRequest['form']>,
  ): Promise<CampaignReview>;
  /** Imports a rest of a campaign that has ended, for its creator, with its form unless changed. */
  readRest(id: string, which: RestKind, form?: Partial<ImportRequest['form']>): Promise<CampaignImport>;
  /** Imports, starts at once, and begins to send. */
  send(id: string, recipients: number | readonly string[]): Promise<void>;
  /** Resolves as soon as a change of the campaign fulfils the condition. */
  until(id: string, isSo: (campaign: Campaign) => boolean): Promise<Campaign>;
  /** Advances the timers by `stepMs` again and again until the campaign fulfils the condition. */
  advanceUntil(id: string, isSo: (campaign: Campaign) => boolean, stepMs?: number): Promise<Campaign>;
  /** The number of bulk requests that arrived at the provider. */
  asked(): number;
  /** Counts the recipients by state, and asserts that each is in one state and got at most what that state says. */
  outcome(id: string): Promise<Outcome>;
}

/** Recipients by their state. */
export interface Outcome extends Record<ChunkState, number> {
  campaign: Campaign;
}

/** @param test the test's context; for all tests of a file: `{ after }` of node:test */
export async function campaignHarness(
  test: { after(end: () => void | Promise<void>): void },
  options: HarnessOptions = {},
): Promise<CampaignHarness> {
  const { requests = 2, messagesPerSecond = 1_000_000, clock = machineTime, timing, limits } = options;
  const dialect = { chatChannel: 'chatapp', ...options.dialect };
  const { timers = steppedTimers({ from: 100 }) } = options;
  const sandbox = await startProvider(options.provider);
  sandbox.setBalance(100_000_000);
  const folder = temporaryFolder(test);
  let dropDatabase: () => void | Promise<void> = () => {};
  const last = {
    after(drop: () => void | Promise<void>) {
      dropDatabase = drop;
    },
  };
  const postgres = await postgresOf(last, folder);
  const encryptionKeys = [newEncryptionKey()];
  const reported: unknown[] = [];
  let reporting = Promise.withResolvers<unknown>();

  async function open({ isRestored }: { isRestored?: boolean | undefined } = {}) {
    const store = await openStore({ dataDir: folder, postgres, encryptionKeys, time: clock, isRestored });
    const provider = createProvider({
      baseUrl: new URL(sandbox.url),
      connectTimeout: deadline,
      headersTimeout: deadline,
      bodyTimeout: deadline,
      totalTimeout: deadline,
      ...(timing && { timing }),
      connections: requests + 2,
      concurrencyPerAccount: requests + 1,
      dialect,
    });
    const services = createServices(
      testContext(store, {
        provider,
        timers,
        settings: {
          provider: { baseUrl: new URL(sandbox.url), dialect },
          campaignMessagesPerSecond: messagesPerSecond,
          optOutAddress: options.optOutAddress,
        },
        report(error) {
          reported.push(error);
          reporting.resolve(error);
          reporting = Promise.withResolvers();
        },
      }),
      { decide: options.decide ?? (async () => admitted('admin')), maxCampaignRequests: requests },
    );
    await store.ledger.recover(clock.now());
    await store.campaigns.recover(clock.now());
    await store.limits.reservations.settleLeft();
    await store.approvals.recover();
    await store.outbox.recover(clock.now());
    // On PostgreSQL, requesting a job waits until jobs are started.
    await store.jobs.start();
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
    // The provider first, so that no request waits for its response; the retry of a failed write waits for time to pass.
    await sandbox.stop();
    await harness.stopSending();
    await program.close();
    await dropDatabase();
  });
  await program.services.workspaces.connect(workspaceId, sandbox.account.key, 'U0ADMIN');
  if (limits !== undefined) {
    await setLimits(program.services, workspaceId, limits);
  }

  const harness: CampaignHarness = {
    provider: sandbox,
    folder,
    encryption: createEncryption(encryptionKeys),
    reported,
    timers,
    nextReport: () => reporting.promise,
    get services() {
      return program.services;
    },
    get store() {
      return program.store;
    },
    begin: () => program.services.campaigns.startSending(),

    async stopSending() {
      let stopped = false;
      const stopping = program.services.campaigns.stopSending().finally(() => {
        stopped = true;
      });
      while (!stopped) {
        await timers.advance(1_000);
        await setImmediate();
      }
      await stopping;
    },

    async restart({ isRestored, whileStopped } = {}) {
      await harness.stopSending();
      await program.close();
      await whileStopped?.();
      program = await open({ isRestored });
    },

    async read(id, recipients, form) {
      const numbers = typeof recipients === 'number' ? manyNumbers(recipients) : recipients;
      const draft = await program.store.campaigns.find(workspaceId, id);
      const reading = await program.services.campaigns.importRecipients({
        workspaceId,
        userId: createdBy,
        id,
        shownVersion: draft?.version,
        source: { kind: 'pasted', text: numbers.join('\n') },
        form: { text: `Hello, this is ${id}`, route: 'dnd', senderId: 'PalmMarket', ...form },
      });
      assert.ok(reading.kind === 'ready', JSON.stringify(reading));
      return reading.review;
    },

    async readRest(id, which, form) {
      const { campaigns } = program.services;
      const found = await campaigns.findRest({ ...by('creator', id), which });
      assert.ok(found.kind === 'found', found.kind);
      const { text = '', route, senderId } = found.source.campaign;
      return campaigns.importRecipients({
        workspaceId,
        userId: createdBy,
        id: 'any',
        source: found.source,
        shownVersion: found.draft,
        form: { text, route, senderId, ...form },
      });
    },

    async send(id, recipients) {
      await harness.read(id, recipients);
      await program.services.campaigns.start(await asSeen(program.services.campaigns, startOf(id)));
      harness.begin();
    },

    until: (id, isSo) => until(program.services, id, isSo),

    async advanceUntil(id, isSo, stepMs = 1_000) {
      for (;;) {
        const campaign = await program.services.campaigns.find(by('creator', id), id);
        if (campaign !== undefined && isSo(campaign)) {
          return campaign;
        }
        await timers.advance(stepMs);
      }
    },

    asked: () => sandbox.arrivals.filter(({ operation }) => operation === 'messages.sendBulk').length,

    outcome: (id) => outcomeOf(id, program.store, sandbox),
  };
  return harness;
}

/** For tests where changes since the review don't matter. */
export const notAsked: Seen = { quietHours: true, approval: 'given' };

/** A request by a person who sees the current campaign. Other changes don't matter unless `seen` is given. */
export async function asSeen<Request extends { workspaceId: string; id: string }>(
  campaigns: Pick<CampaignService, 'findAny'>,
  request: Request,
): Promise<{ seen: Seen } & Request & { version: string }> {
  const campaign = await campaigns.findAny(request.workspaceId, request.id);
  return { seen: notAsked, ...request, version: campaign?.version ?? '' };
}

export const startOf = (id: string): Omit<StartRequest, 'version' | 'seen'> => ({
  workspaceId,
  userId: createdBy,
  id,
});

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

/** How often the provider may have accepted a message for a recipient in a state. */
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
