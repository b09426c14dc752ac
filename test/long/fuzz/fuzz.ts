import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { Pool } from 'undici';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { startSlack } from '../../../sandbox/slack/server.ts';
import { runProgram, type TestHooks } from '../../support/app/app-process.ts';
import { answerOn, openRaw, statusOf } from '../../support/http/raw-client.ts';
import { loyal } from '../../support/slack/phonebook-steps.ts';
import { signed } from '../../support/slack/signed-request.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type FuzzRequest, fuzzRequest } from './arbitrary-request.ts';
import { carriedBy } from './crossed.ts';
import { firstPlace, removedPlace, secondPlace } from './places.ts';
import { type ProviderRecord, readRecord } from './recorded.ts';
import { everySample } from './samples.ts';

/** The result of a run, after the program has stopped. */
export interface FuzzResult extends ProviderRecord {
  /** Number of responses by status; `closed` where there was none. */
  statuses: Record<string, number>;
  /** Requests with a response of 500 or above, or with none. */
  faults: { request: FuzzRequest; status: number | string }[];
  exitCode: number | null;
  /** Lines of the log on unhandled promise rejection or an uncaught exception. */
  unhandled: string[];
  /** After a third of the requests, and at the end. */
  memory: { before: number; after: number };
  handles: { before: number; after: number };
}

const signingSecret = 'sandbox-signing-secret-7d40';
const together = 16;
const batch = 500;
const places = [firstPlace, secondPlace];
const client = { id: '1111.2222', secret: 'sandbox-client-secret-3333' };

/** Runs `npm start` in its own process against the sandbox, and sends it the requests of `seed`. */
export async function fuzz(
  test: TestHooks,
  { requests, seed }: { requests: number; seed: number },
): Promise<FuzzResult> {
  const provider = await startProvider();
  test.after(() => provider.stop());
  let port = 1;
  const slack = await startSlack({
    manifestPath: fileURLToPath(new URL('../../../manifest.yml', import.meta.url)),
    oauth: {
      clientId: client.id,
      clientSecret: client.secret,
      redirectUrl: () => `http://127.0.0.1:${port}/slack/oauth_redirect`,
    },
    delivery: { mode: 'http', eventsUrl: () => `http://127.0.0.1:${port}/slack/events`, signingSecret },
  });
  test.after(() => slack.stop());
  const env = {
    PROVIDER_BASE_URL: provider.url,
    SLACK_API_URL: slack.apiUrl,
    SLACK_CLIENT_ID: client.id,
    SLACK_CLIENT_SECRET: client.secret,
    SLACK_STATE_SECRET: randomBytes(32).toString('base64'),
    SLACK_SIGNING_SECRET: signingSecret,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    DATA_DIR: temporaryFolder(test),
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'fatal',
  };
  const program = runProgram(test, { ...env, LOG_LEVEL: 'info' });
  port = await program.ready();
  const metricsPort = Number(/"metricsPort":(\d+)/.exec(await program.says('"metricsPort"'))?.[1]);
  const installUrl = `http://127.0.0.1:${port}/slack/install`;
  for (const { team, admin } of [...places, removedPlace]) {
    await slack.install({ installUrl, workspace: team, person: admin });
  }
  const samples = await everySample(test, slack, [
    { place: firstPlace, key: provider.account.key, phonebook: loyal, senderId: 'PalmMarket' },
    {
      place: secondPlace,
      key: provider.fullAccount.key,
      phonebook: { id: '65e2b30c7fa41d96250b88c4', name: 'Card holders' },
      senderId: 'HarbourBank',
    },
  ]);
  const arbitrary = fuzzRequest({ samples, places, carried: carriedBy(samples) });

  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: together });
  test.after(() => pool.close());
  const statuses: FuzzResult['statuses'] = {};
  const faults: FuzzResult['faults'] = [];
  const send = async (request: FuzzRequest) => {
    const status = await answerTo(pool, port, request);
    statuses[status] = (statuses[status] ?? 0) + 1;
    const answered = typeof status === 'number' ? status < 500 : request.kind === 'line';
    if (!answered) {
      faults.push({ request, status });
    }
  };

  let before: { memory: number; handles: number } | undefined;
  for (let done = 0; done < requests; done += batch) {
    const numRuns = Math.min(batch, requests - done);
    const upcoming = fc.sample(arbitrary, { seed: seed + done, numRuns }).values();
    await Promise.all(
      Array.from({ length: together }, async () => {
        for (const request of upcoming) {
          await send(request);
        }
      }),
    );
    if (done >= requests / 3) {
      before ??= await figures(metricsPort);
    }
  }
  before ??= await figures(metricsPort);
  const after = await figures(metricsPort);
  const { code, output } = await program.stop();
  return {
    statuses,
    faults,
    exitCode: code,
    unhandled: output
      .split('\n')
      .filter((line) => /unhandled promise rejection|an uncaught exception/.test(line)),
    memory: { before: before.memory, after: after.memory },
    handles: { before: before.handles, after: after.handles },
    ...(await readRecord(provider, env, places)),
  };
}

/** The response's status; `closed` where the connection ended without one, or the error. */
async function answerTo(pool: Pool, port: number, request: FuzzRequest): Promise<number | string> {
  try {
    if (request.kind === 'line') {
      const socket = await openRaw(port, `${request.line}\r\nhost: x\r\nconnection: close\r\n\r\n`);
      return statusOf(await answerOn(socket)) ?? 'closed';
    }
    const { statusCode, body } = await pool.request(
      request.kind === 'visit'
        ? { method: request.method, path: request.path, headers: request.headers }
        : { method: 'POST', path: '/slack/events', body: request.body, headers: headersOf(request) },
    );
    await body.dump();
    return statusCode;
  } catch (error) {
    return String(error);
  }
}

function headersOf(request: FuzzRequest & { kind: 'post' }): Record<string, string> {
  const headers = signed(signingSecret, request.body, request.contentType);
  switch (request.signing) {
    case 'right':
      return headers;
    case 'wrong':
      return { ...headers, 'x-slack-signature': `v0=${'0'.repeat(64)}` };
    case 'old':
      return { ...headers, 'x-slack-request-timestamp': '1' };
    case 'none':
      return { 'content-type': request.contentType };
  }
}

async function figures(port: number): Promise<{ memory: number; handles: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
  return { memory: figure('process_resident_memory_bytes'), handles: figure('process_open_fds') };
}
