import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import pg from 'pg';
import type { ProviderSandbox } from '../../../sandbox/provider/server.ts';
import type { Person, SandboxChannel } from '../../../sandbox/slack/protocol.ts';
import type { SlackSandbox } from '../../../sandbox/slack/server.ts';
import { readSettings } from '../../../src/config/settings.ts';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import type { Operation } from '../../../src/store/operations/operation.ts';
import { openStore } from '../../../src/store/store.ts';
import { runProgram, type TestHooks } from '../../support/app/app-process.ts';
import { startSandboxes } from '../../support/app/program-harness.ts';
import { slackUserAt } from '../../support/slack/slack-user.ts';
import { startFrom } from '../../support/slack/sms-steps.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { createRandomFaults, seeded } from './random-faults.ts';
import { createReportedOutcomes, type ReportedOutcomes } from './reported-outcomes.ts';
import { type Growth, growthOf, sampleWhile } from './resource-usage.ts';
import { createSimulatedUser } from './simulated-user.ts';

export interface SoakResult {
  tasks: number;
  brokenOff: number;
  slackCalls: { calls: number; failed: number };
  operations: number;
  campaigns: number;
  outcomes: ReturnType<ReportedOutcomes['summarize']>;
  /** Recipients with an accepted message, and those with more than one. */
  recipients: number;
  sentTwice: number;
  /** Outcomes still undelivered at the end, and those given up. */
  undelivered: number;
  refused: number;
  growth: Growth[];
  exitCode: number | null;
}

const workspaceId = 'T0SWITCH';
const actors = 6;
const faultShare = 0.02;
/**
 * Milliseconds: longer than any task, and than an update that failed is put off; short enough to keep the sandbox fast. A
 * message that is gone is posted again.
 */
const messagesStandFor = 90_000;
/**
 * Milliseconds in which every failed delivery is repeated once Slack works, and the messages of all campaigns have had their
 * turn: one workspace ends some sixty a minute here, and Slack takes 48 updates.
 */
const calm = 8 * 60_000;

/**
 * Runs `npm start` in its own process against the sandbox, with simulated users and a share of the calls to Slack
 * failing. Then waits until nothing is under way, and collects the outcomes.
 *
 * @param databaseUrl of a PostgreSQL database that is empty; on SQLite when left out
 */
export async function soak(
  test: TestHooks,
  { minutes, seed, databaseUrl }: { minutes: number; seed: number; databaseUrl?: string | undefined },
): Promise<SoakResult> {
  const people = Array.from({ length: actors }, (_, index) => personOf(index));
  const channels = people.map(channelOf);
  let port = 1;
  const sandboxes = await startSandboxes(test, () => port, { slack: { people, channels } });
  const { provider, slack } = sandboxes;
  const env = {
    ...sandboxes.env,
    DATA_DIR: temporaryFolder(test),
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
  };
  const program = runProgram(test, env);
  port = await program.ready();
  provider.setBalance(1_000_000_000);
  await connect(slack, provider);

  const told = createReportedOutcomes({
    isChannel: (id) => channels.some((channel) => channel.id === id),
    standFor: messagesStandFor,
  });
  const random = seeded(seed);
  const faulty = createRandomFaults(faultShare, random);
  const fresh = freshThings();
  const ending = new AbortController();
  const workers = people.map(({ id }, index) =>
    createSimulatedUser(slack, { id, channel: channels[index]?.id ?? '', fresh, random }),
  );
  slack.faultBy(faulty.choose);
  const sampling = sampleWhile(ending.signal, `http://127.0.0.1:${port}/metrics`);
  const work = workers.map((worker) => worker.work(ending.signal));
  const end = performance.now() + minutes * 60_000;
  while (performance.now() < end) {
    await pause(1_000);
    told.read(slack.expire(new Date(Date.now() - messagesStandFor)));
  }
  ending.abort();
  await Promise.all(work);
  slack.faultBy(() => undefined);
  const undelivered = await rest(env);
  const { code, output } = await program.stop();
  told.read(slack.expire(new Date(Date.now() + 1_000)));

  const { operations, campaigns } = await storedIn(env);
  const figures = workers.map((worker) => worker.figures());
  const taken = takenBy(provider);
  return {
    tasks: sumOf(figures.map(({ tasks }) => tasks)),
    brokenOff: sumOf(figures.map(({ brokenOff }) => brokenOff)),
    slackCalls: faulty.figures(),
    operations: operations.length,
    campaigns: campaigns.length,
    outcomes: told.summarize({ operations, campaigns }),
    recipients: taken.size,
    sentTwice: [...taken.values()].filter((times) => times > 1).length,
    undelivered,
    refused: output.match(/a user could not be notified/g)?.length ?? 0,
    growth: growthOf(await sampling),
    exitCode: code,
  };
}

function personOf(index: number): Person {
  return {
    id: `U0SOAK${index}`,
    name: `soak${index}`,
    realName: `Soak ${index}`,
    // May start campaigns.
    role: 'admin',
    teamId: workspaceId,
    timeZone: 'Africa/Lagos',
  };
}

function channelOf({ id, name }: Person): SandboxChannel {
  return {
    id: id.replace('U', 'C'),
    name,
    kind: 'public',
    archived: false,
    members: [id],
    botIsMember: true,
  };
}

async function connect(slack: SlackSandbox, provider: ProviderSandbox): Promise<void> {
  const admin = slackUserAt(slack, 'U0ADMIN');
  await admin.types('/switchboard', 'connect');
  await admin.fills('API key', provider.account.key);
  await admin.submits();
  await admin.seesModal('Switchboard', 'Connected');
  await admin.closes();
  await startFrom(admin, 'PalmMarket');
}

function freshThings() {
  let numbers = 0;
  let names = 0;
  let messages = 0;
  return {
    number() {
      messages += 1;
      // The mask hides the three digits in the middle. A number that ends in 7 is on Do-Not-Disturb.
      const network = ['705', '805', '807', '811', '815', '905'][messages % 6];
      const last = [0, 1, 2, 3, 4, 5, 6, 8, 9][Math.floor(messages / 6) % 9];
      return `+234${network}999${String(Math.floor(messages / 54)).padStart(3, '0')}${last}`;
    },
    numbers: (count: number) =>
      Array.from({ length: count }, () => {
        numbers += 1;
        return `+234805${String(numbers * 10).padStart(7, '0')}`;
      }),
    campaignName() {
      names += 1;
      return `campaign-${names}`;
    },
  };
}

const countLeft = `select (select count(*) from outbox)
  + (select count(*) from operation where state = 'underway')
  + (select count(*) from campaign where state in ('running', 'scheduled', 'paused')) as count`;

/** Waits until nothing is under way or undelivered. Returns the number that is left. */
async function rest({ DATA_DIR, DATABASE_URL }: SoakEnvironment): Promise<number> {
  const { left, close } =
    DATABASE_URL === undefined ? leftInSqlite(DATA_DIR) : await leftInPostgres(DATABASE_URL);
  try {
    const end = performance.now() + calm;
    while ((await left()) !== 0 && performance.now() < end) {
      await pause(500);
    }
    return await left();
  } finally {
    await close();
  }
}

interface SoakEnvironment {
  DATA_DIR: string;
  DATABASE_URL?: string | undefined;
}

/** Counts what is left, beside the program. */
interface LeftOver {
  left(): Promise<number>;
  close(): Promise<void>;
}

function leftInSqlite(dataDir: string): LeftOver {
  const db = new Database(join(dataDir, 'switchboard.db'), { readonly: true });
  const count = db.prepare<[], number>(countLeft).pluck();
  return { left: async () => count.get() ?? 0, close: async () => void db.close() };
}

async function leftInPostgres(connectionString: string): Promise<LeftOver> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return {
    left: async () => Number((await client.query<{ count: string }>(countLeft)).rows[0]?.count),
    close: () => client.end(),
  };
}

async function storedIn(
  env: Record<string, string>,
): Promise<{ operations: Operation[]; campaigns: Campaign[] }> {
  const store = await openStore(await readSettings(env));
  try {
    const all = 1_000_000;
    const campaigns = await store.campaigns.recent({ workspaceId, limit: all });
    return {
      operations: await store.ledger.recent({ workspaceId, limit: all }),
      campaigns: campaigns.filter(({ endedAt }) => endedAt !== undefined),
    };
  } finally {
    await store.close();
  }
}

/** Number of accepted messages by recipient: each number is used once. */
function takenBy({ record }: ProviderSandbox): Map<string, number> {
  const taken = new Map<string, number>();
  for (const number of record.flatMap(({ to }) => to)) {
    taken.set(number, (taken.get(number) ?? 0) + 1);
  }
  return taken;
}

const sumOf = (figures: readonly number[]) => figures.reduce((sum, figure) => sum + figure, 0);
