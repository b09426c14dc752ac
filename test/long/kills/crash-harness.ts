import assert from 'node:assert/strict';
import { dirname, extname, join } from 'node:path';
import type { ProviderSandbox } from '../../../sandbox/provider/server.ts';
import { readSettings } from '../../../src/config/settings.ts';
import { withEpoch } from '../../../src/domain/access/request-keys.ts';
import { createProvider } from '../../../src/provider/client.ts';
import { createServices, type Services } from '../../../src/services/services.ts';
import type { Campaign, ChunkState } from '../../../src/store/campaigns/campaigns.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import {
  type RunningProcess,
  runProgram,
  startScript,
  type TestHooks,
} from '../../support/app/app-process.ts';
import { bundleProgram } from '../../support/app/program-bundle.ts';
import { startSandboxes } from '../../support/app/program-harness.ts';
import { asSeen } from '../../support/campaign-harness.ts';
import { admitted } from '../../support/decisions.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { testContext } from '../../support/test-context.ts';

/** A campaign with its recipients, and how often the provider was asked to send to each and took the message. */
export interface CampaignResult {
  campaign: Campaign;
  recipients: { number: string; state: ChunkState; taken: number; asked: number }[];
}

/** The sandbox's Slack and provider, and the program of `npm start` in processes of its own. */
export interface CrashHarness {
  provider: ProviderSandbox;
  /** Starts the program, on `dataDir` or the harness's own folder, with other settings where `changes` has any. */
  run(dataDir?: string, changes?: Record<string, string>): RunningProcess;
  /** Starts `migrate-store` beside it. */
  runMove(changes: Record<string, string>): RunningProcess;
  dataDir: string;
  /** Resolves after `count` more requests to the provider, or when the program has ended. */
  arrivals(count: number, program: RunningProcess): Promise<void>;
  /** Opens the store and the services of the program while it does not run. */
  whileStopped<T>(
    look: (services: Services, store: Store) => Promise<T>,
    dataDir?: string,
    changes?: Record<string, string>,
  ): Promise<T>;
  /** Starts a campaign in the store, or a message for later, now or `after` milliseconds from now. */
  start(
    services: Services,
    store: Store,
    options: { recipients: number; personal: boolean; after?: number; isMessage?: true },
  ): Promise<void>;
  resultOf(campaign: Campaign, store: Store): Promise<CampaignResult>;
  /** Returns how often the provider was asked to send, by campaign and number. */
  asked(): Map<string, number>;
}

export const workspaceId = 'T0SWITCH';
const createdBy = 'U0ADMIN';
/** The campaign requests in flight at once, by the number of connections to the provider. */
export const requests = 3;

export async function startHarness(
  test: TestHooks,
  {
    messagesPerSecond,
    file,
    settings = {},
  }: { messagesPerSecond: number; file?: string | undefined; settings?: Record<string, string> },
): Promise<CrashHarness> {
  let arrived = () => {};
  const { provider, env: reached } = await startSandboxes(test, () => 1, {
    provider: { onExchange: () => arrived() },
  });
  provider.setBalance(100_000_000);
  const program = file ?? (await bundleProgram());
  const dataDir = join(temporaryFolder(test), 'data');
  const env = {
    ...reached,
    DATA_DIR: dataDir,
    CAMPAIGN_MESSAGES_PER_SECOND: String(messagesPerSecond),
    NODE_COMPILE_CACHE: temporaryFolder(test),
    ...settings,
  };
  async function whileStopped<T>(
    look: (services: Services, store: Store) => Promise<T>,
    folder = dataDir,
    changes: Record<string, string> = {},
  ): Promise<T> {
    const { store, services, close } = await openServices({ ...env, DATA_DIR: folder, ...changes });
    try {
      return await look(services, store);
    } finally {
      await close();
    }
  }

  let made = 0;
  const start: CrashHarness['start'] = async (
    services,
    store,
    { recipients, personal, after, isMessage },
  ) => {
    made += 1;
    const name = `campaign-${made}`;
    const id = withEpoch(store.installation.epoch, name);
    await importCampaign(services, { id, name, userId: createdBy, recipients, personal, isMessage });
    const at = after === undefined ? {} : { at: { time: new Date(Date.now() + after), zone: 'UTC' } };
    await services.campaigns.start(
      await asSeen(services.campaigns, { workspaceId, userId: createdBy, id, ...at }),
    );
  };

  await whileStopped((services) => services.workspaces.connect(workspaceId, provider.account.key, createdBy));
  return {
    provider,
    dataDir,
    run: (folder = dataDir, changes = {}) =>
      runProgram(test, { ...env, DATA_DIR: folder, ...changes }, program),
    runMove: (changes) =>
      startScript(test, [join(dirname(program), `migrate-store${extname(program)}`)], {
        env: { ...env, ...changes },
      }),
    arrivals: (count, program) =>
      new Promise((resolve) => {
        let left = count;
        arrived = () => {
          left -= 1;
          if (left <= 0) {
            resolve();
          }
        };
        void program.ended.then(() => resolve());
      }),
    whileStopped,
    start,
    resultOf: (campaign, store) => resultOf(campaign, store, provider),
    asked: () => countBy(provider.arrivals.flatMap(({ text }) => askedIn(text))),
  };
}

/** Opens the store and the services of the program with these settings. They take no campaigns. */
export async function openServices(
  env: Record<string, string>,
): Promise<{ store: Store; services: Services; close(): Promise<void> }> {
  const settings = await readSettings(env);
  const store = await openStore(settings);
  const client = createProvider(settings.provider);
  const services = createServices(testContext(store, { settings, provider: client }), {
    decide: async () => admitted('admin'),
    maxCampaignRequests: requests,
  });
  return {
    store,
    services,
    async close() {
      await client.close();
      await store.close();
    },
  };
}

/** Imports the recipients of a campaign whose text ends in its name. */
export async function importCampaign(
  services: Services,
  {
    id,
    name,
    userId,
    recipients,
    personal,
    isMessage,
  }: {
    id: string;
    name: string;
    userId: string;
    recipients: number;
    personal: boolean;
    isMessage?: true | undefined;
  },
): Promise<void> {
  const text = personal ? `Hello {{name}}, this is ${name}` : `Hello, this is ${name}`;
  const rows = manyNumbers(recipients).map((number, index) => `${number},P${index}`);
  const csv = ['phone,name', ...rows].join('\n');
  const read = await services.campaigns.importRecipients({
    workspaceId,
    userId,
    id,
    source: { kind: 'file', id, name: `${name}.csv`, open: () => piecesOf(csv) },
    form: { name, text, route: 'dnd', senderId: 'PalmMarket', isMessage },
  });
  assert.equal(read.kind, 'ready');
}

async function* piecesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** Returns the campaign and number of each recipient in the body of a request. */
function askedIn(text: string): string[] {
  const [, name] = /this is (campaign-\d+)"/.exec(text) ?? [];
  return name === undefined ? [] : (text.match(/\b234\d{10}\b/g) ?? []).map((number) => `${name} ${number}`);
}

export async function resultOf(
  campaign: Campaign,
  store: Store,
  provider: ProviderSandbox,
): Promise<CampaignResult> {
  const taken = countBy(
    provider.record
      .filter(({ text }) => text.endsWith(`this is ${campaign.name}`))
      .flatMap(({ to }) => to.map((number) => `+${number.replace(/^\+/, '')}`)),
  );
  const asked = countBy(
    provider.arrivals
      .filter(({ text }) => text.includes(`this is ${campaign.name}"`))
      .flatMap(({ text }) => (text.match(/\b234\d{10}\b/g) ?? []).map((number) => `+${number}`)),
  );
  const recipients: CampaignResult['recipients'] = [];
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
  for (const number of numbers) {
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  return counts;
}
