import { z } from 'zod';
import { type Program, startProgram } from './program.ts';
import { connectedSettings, startOptions } from './switchboard.ts';

/** With 64 connections, the campaigns of a workspace have fifteen requests in flight (see app.ts). */
const connections = 64;
export const inFlight = 15;

/** The addresses of the fakes that all programs of one benchmark use, without a trailing slash. */
export interface Fakes {
  slack: string;
  provider: string;
}

/** Switchboard in its own process, which imports and sends campaigns on request. Returns times in milliseconds. */
export interface CampaignProgram extends Program {
  /** The URL of Slack's requests. */
  slackEvents: string;
  read(id: string, rows: number): Promise<number>;
  /** Imports one of `evilFiles` for some seconds. */
  readEvil(id: string, file: string, seconds: number): Promise<number>;
  send(id: string): Promise<number>;
  /** In MiB: resident now, and at its peak. */
  memory(): Promise<{ now: number; most: number }>;
}

const tookSchema = z.object({ milliseconds: z.number() });
const memorySchema = z.object({ now: z.number(), most: z.number() });
const portSchema = z.object({ port: z.number() });

export async function startCampaigns(fakes: Fakes, profileTo?: string): Promise<CampaignProgram> {
  const settings = await connectedSettings(fakes.slack, fakes.provider, 'bench-key-41c7d90be2');
  const program = await startProgram(
    new URL('../campaign-app.ts', import.meta.url),
    {
      ...settings,
      PROVIDER_CONNECTIONS: String(connections),
      CAMPAIGN_MESSAGES_PER_SECOND: '1000000',
      LOG_LEVEL: 'error',
    },
    profileTo,
    startOptions,
  );
  const ask = async <Answer>(path: string, schema: z.ZodType<Answer>) => {
    const answer = await fetch(`${program.url}${path}`);
    return schema.parse(await answer.json());
  };
  const took = async (path: string) => (await ask(path, tookSchema)).milliseconds;
  const { port } = await ask('/port', portSchema);
  return {
    ...program,
    slackEvents: `http://127.0.0.1:${port}/slack/events`,
    read: (id, rows) => took(`/read?id=${id}&rows=${rows}`),
    readEvil: (id, file, seconds) =>
      took(`/read-evil?id=${id}&file=${encodeURIComponent(file)}&seconds=${seconds}`),
    send: (id) => took(`/send?id=${id}`),
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
