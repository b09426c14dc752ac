import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { type Program, startProgram } from './program.ts';
import { startSlack } from './slack.ts';
import { connectedSettings, startOptions } from './switchboard.ts';

/** With 64 connections, the campaigns of a workspace have fifteen requests in flight (see app.ts). */
export const inFlight = 15;
const fast = { BENCH_CONNECTIONS: '64', CAMPAIGN_MESSAGES_PER_SECOND: '1000000' };

const arrivedSchema = z.object({ recipients: z.number(), lastAt: z.number() });
const seenSchema = arrivedSchema.pick({ recipients: true });
const sentSchema = z.array(z.object({ id: z.string(), to: z.array(z.string()) }));
const pollMs = 20;

/** What all programs of one benchmark call, and what arrived there. */
export interface Fakes {
  /** Addresses without a trailing slash. */
  slack: string;
  provider: string;
  /** The provider's API key. */
  key: string;
  /** Delays the provider's responses from now on. */
  delayResponses(milliseconds: number): Promise<void>;
  /** Throws unless the provider sees exactly this number of recipients while the work runs. */
  expectRecipients<Result>(recipients: number, work: () => Promise<Result>): Promise<Result>;
  /** Returns the milliseconds from the start of the work until so many more recipients have arrived. */
  timeOf(recipients: number, work: () => Promise<void>): Promise<number>;
  /** Resolves when more has arrived than now. */
  untilArrivals(): Promise<void>;
  /** Returns what arrived after a time: how many recipients, and when the last of them. Milliseconds since 1970. */
  arrivedAfter(time: number): Promise<z.infer<typeof arrivedSchema>>;
  /** Returns some of the latest bulk messages, each once: their ids and numbers. */
  sent(): Promise<z.infer<typeof sentSchema>>;
  stop(): Promise<void>;
}

export async function startFakes(): Promise<Fakes> {
  const slack = await startSlack();
  const provider = await startProgram(new URL('../fake-provider.ts', import.meta.url));
  const ask = async <Answer>(path: string, schema: z.ZodType<Answer>) =>
    schema.parse(await (await fetch(`${provider.url}${path}`)).json());
  const seen = async () => (await ask('/seen', seenSchema)).recipients;
  const untilSeen = async (recipients: number) => {
    while ((await seen()) < recipients) {
      await wait(pollMs);
    }
  };
  return {
    slack: slack.url,
    provider: provider.url,
    key: 'bench-key-41c7d90be2',
    async delayResponses(milliseconds) {
      await fetch(`${provider.url}/slow?milliseconds=${milliseconds}`);
    },
    async expectRecipients(recipients, work) {
      const before = await seen();
      const result = await work();
      const arrived = (await seen()) - before;
      if (arrived !== recipients) {
        throw new Error(`The provider saw ${arrived} recipients instead of ${recipients}.`);
      }
      return result;
    },
    async timeOf(recipients, work) {
      const before = await seen();
      const begin = performance.now();
      await work();
      await untilSeen(before + recipients);
      return performance.now() - begin;
    },
    untilArrivals: async () => untilSeen((await seen()) + 1),
    arrivedAfter: (time) => ask(`/arrived?after=${time}`, arrivedSchema),
    sent: () => ask('/sent', sentSchema),
    async stop() {
      await provider.stop();
      await slack.stop();
    },
  };
}

/** Switchboard in its own process, which imports and sends campaigns on request. Returns times in milliseconds. */
export interface CampaignProgram extends Program {
  /** The address of the app, without a trailing slash. */
  appUrl: string;
  /** The URL of Slack's requests. */
  slackEvents: string;
  /** Imports a campaign, of the connected workspace or of another one. */
  read(id: string, rows: number, team?: string): Promise<number>;
  /**
   * Imports one of `evilFiles`, for this many seconds if it has no size. Resolves with the refusal, if any.
   */
  readEvil(id: string, file: string, seconds: number): Promise<string | undefined>;
  /** Reads one of `evilFiles` as the list of another form. Resolves with the refusal, if any. */
  readList(list: string, file: string, size: number): Promise<string | undefined>;
  /** Reports the first recipients of a campaign as delivered. */
  report(id: string, rows: number): Promise<void>;
  /** Counts and imports a part of the recipients of a campaign, without those of another one. */
  use(
    id: string,
    audience: { from: string; part: string; without: string },
  ): Promise<z.infer<typeof usedSchema>>;
  /** Starts a campaign. */
  start(id: string, team?: string): Promise<void>;
  /** Starts a campaign, until every message is accepted. */
  send(id: string): Promise<number>;
  /** Starts a campaign, until its first message is accepted. */
  sendFirst(id: string): Promise<number>;
  steer(how: 'pause' | 'resume', id: string): Promise<void>;
  /** How often campaigns were settled or claimed so far. */
  turns(): Promise<number>;
  /** In MiB: resident now, and at its peak. */
  memory(): Promise<{ now: number; most: number }>;
}

const tookSchema = z.object({ milliseconds: z.number() });
const memorySchema = z.object({ now: z.number(), most: z.number() });
const usedSchema = z.object({ recipients: z.number(), counting: z.number(), importing: z.number() });
const refusalSchema = z.object({ refusal: z.string().optional() });
const portSchema = z.object({ port: z.number() });
const turnsSchema = z.object({ turns: z.number() });

/**
 * @param options.database the settings of `newDatabase`. Default: SQLite
 * @param options.connected those of `connectedSettings`, where several programs share a database
 * @param options.settings instead of those that let a campaign send as fast as it can
 */
export async function startCampaigns(
  fakes: Fakes,
  options: {
    database?: Record<string, string>;
    connected?: Record<string, string>;
    settings?: Record<string, string>;
    profile?: string | undefined;
  },
): Promise<CampaignProgram> {
  const connected =
    options.connected ?? (await connectedSettings(fakes.slack, fakes.provider, fakes.key, options.database));
  const program = await startProgram(
    new URL('../campaign-app.ts', import.meta.url),
    { ...connected, ...(options.settings ?? fast), LOG_LEVEL: 'error' },
    options.profile,
    startOptions,
  );
  const ask = async <Answer>(path: string, schema: z.ZodType<Answer>) => {
    const answer = await fetch(`${program.url}${path}`);
    return schema.parse(await answer.json());
  };
  const took = async (path: string) => (await ask(path, tookSchema)).milliseconds;
  const of = (id: string, team?: string) => `id=${id}${team === undefined ? '' : `&team=${team}`}`;
  const { port } = await ask('/port', portSchema);
  return {
    ...program,
    appUrl: `http://127.0.0.1:${port}`,
    slackEvents: `http://127.0.0.1:${port}/slack/events`,
    read: (id, rows, team) => took(`/read?${of(id, team)}&rows=${rows}`),
    readEvil: async (id, file, seconds) => {
      const path = `/read-evil?${of(id)}&file=${encodeURIComponent(file)}&seconds=${seconds}`;
      return (await ask(path, refusalSchema)).refusal;
    },
    readList: async (list, file, size) =>
      (await ask(`/read-list?${new URLSearchParams({ list, file, size: String(size) })}`, refusalSchema))
        .refusal,
    report: async (id, rows) => void (await took(`/report?${of(id)}&rows=${rows}`)),
    use: (id, audience) => ask(`/use?${new URLSearchParams({ id, ...audience })}`, usedSchema),
    start: async (id, team) => void (await took(`/start?${of(id, team)}`)),
    send: (id) => took(`/send?${of(id)}`),
    sendFirst: (id) => took(`/send-first?${of(id)}`),
    steer: async (how, id) => void (await took(`/${how}?${of(id)}`)),
    turns: async () => (await ask('/turns', turnsSchema)).turns,
    memory: () => ask('/memory', memorySchema),
  };
}

/** Starts the bare loop, which only sends. */
export async function startLoop(
  { provider }: Fakes,
  profileTo?: string,
): Promise<Program & { send(rows: number): Promise<number> }> {
  const program = await startProgram(
    new URL('../campaign-loop.ts', import.meta.url),
    { PROVIDER_URL: provider, LOOPS: String(inFlight) },
    profileTo,
  );
  return {
    ...program,
    async send(rows) {
      const answer = await fetch(`${program.url}/?rows=${rows}`);
      return tookSchema.parse(await answer.json()).milliseconds;
    },
  };
}
