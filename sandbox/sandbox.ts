import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { copyManifest } from './app-manifest.ts';
import { type AppProcess, exampleProfile, startAppProcess } from './app-process/app-process.ts';
import { readReply, Switches, sendJson } from './controls.ts';
import type { LoggedRequest } from './lib/logged-request.ts';
import { bundlePage } from './page/serve.ts';
import { startPostgresServer } from './postgres-server.ts';
import { type ProviderSandbox, startProvider } from './provider/server.ts';
import { shownAddress } from './provider/webhook/post-webhook.ts';
import { type SlackSandbox, startSlack } from './slack/server.ts';
import type { StateFolder } from './state-folder.ts';

interface SandboxOptions {
  folder: StateFolder;
  transport: 'http' | 'socket';
  /**
   * People install the app in their workspaces; `rotate` with tokens that expire. By default it is in the first workspace, by its bot
   * token.
   */
  oauth?: 'keep' | 'rotate' | undefined;
  /** How many instances of the app run on one PostgreSQL, which begins empty; by default one, on its own files. */
  instances?: number | undefined;
  /** How far the clocks of all three are ahead of this machine's, in milliseconds. */
  clockOffsetMs?: number;
  /** The ports to take when they are free. Any free ones by default. */
  ports?: { page: number; provider: number; app: number };
  /** Settings of the app besides those that the sandbox sets, such as COMMAND_PREFIX and LOG_LEVEL. */
  settings?: Record<string, string>;
  /** Whether the address of reports that the app makes is entered at the provider as soon as it is shown. */
  entersWebhook?: boolean;
  /** Called with each line for the terminal. */
  print?: (line: string) => void;
}

/** A provider, a Slack and the app between them, on this machine. */
export interface Sandbox {
  /** The address of the page. */
  url: string;
  provider: ProviderSandbox;
  slack: SlackSandbox;
  instances: readonly AppProcess[];
  requests: RequestLog;
  stop(): Promise<void>;
}

const host = '127.0.0.1';
const anyPorts = { page: 0, provider: 0, app: 0 };
const manifestFile = fileURLToPath(new URL('../manifest.yml', import.meta.url));

/** Starts all three and resolves when the app is ready. When one fails to start, stops those that have started. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const {
    folder,
    transport,
    oauth,
    instances: count,
    clockOffsetMs = 0,
    ports = anyPorts,
    settings = {},
    print = () => {},
  } = options;
  const clock = () => new Date(Date.now() + clockOffsetMs);
  const requests = new RequestLog();
  const onExchange = (exchange: LoggedRequest) => {
    requests.add(exchange);
    const path = options.entersWebhook === true ? shownAddress(exchange) : undefined;
    if (path !== undefined) {
      enterWebhook(path);
    }
  };
  const manifest = await copyManifest(manifestFile, folder.manifest, settings.COMMAND_PREFIX ?? '');
  const servePage = await bundlePage();

  await using started = new AsyncDisposableStack();
  const database = count === undefined ? undefined : await startPostgresServer();
  started.defer(() => database?.remove());
  const provider = await startProvider({
    port: await freePort(ports.provider, host),
    clock,
    stateFile: folder.providerFile,
    onExchange,
  });
  started.defer(() => provider.stop());
  const instances: AppProcess[] = [];
  // As a load balancer does: to the instances that are ready, in turn.
  let turn = 0;
  const nextUrl = () => {
    const ready = instances.filter(({ state }) => state === 'ready');
    turn += 1;
    const { port } = ready[turn % ready.length] ?? instances[0] ?? { port: 0 };
    return `http://${host}:${port}`;
  };
  /** Of several workspaces, the first one has the account’s webhook until somebody enters another. */
  function enterWebhook(path: string): void {
    const { webhook } = provider.account;
    if (webhook === undefined || (oauth === undefined && !webhook.url.endsWith(path))) {
      provider.webhook.set({ ...webhook, url: nextUrl() + path });
    }
  }
  const switches = new Switches({
    manifest,
    transport,
    instances,
    appUrl: nextUrl,
    oauth: oauth !== undefined,
    folder,
    provider,
    database,
    clock,
    clockShifted: clockOffsetMs !== 0,
  });
  const slack = await startSlack({
    port: await freePort(ports.page, host),
    clock,
    manifestPath: folder.manifest,
    ...(oauth === undefined
      ? { botToken: folder.secrets.botToken }
      : {
          oauth: {
            clientId: folder.secrets.clientId,
            clientSecret: folder.secrets.clientSecret,
            redirectUrl: () => `${nextUrl()}/slack/oauth_redirect`,
            tokenRotation: oauth === 'rotate',
          },
        }),
    appToken: folder.secrets.appToken,
    delivery:
      transport === 'http'
        ? {
            mode: 'http',
            signingSecret: folder.secrets.signingSecret,
            eventsUrl: () => `${nextUrl()}/slack/events`,
          }
        : { mode: 'socket' },
    stateFile: folder.slackFile,
    onExchange,
    page: (request, response) => {
      if (!servePage(request, response)) {
        void handleControls({ switches, requests, provider }, request, response);
      }
    },
  });
  started.defer(() => slack.stop());
  for (let index = 0; index < (count ?? 1); index += 1) {
    const port = await freePort(index === 0 ? ports.app : 0, host);
    const app = await startAppProcess({
      name: count === undefined ? 'The app' : `Instance ${index + 1}`,
      settings: {
        PROVIDER_PROFILE: exampleProfile,
        PUBLIC_ADDRESS: `http://${host}:${port}`,
        ...settings,
        ...appSettings({ folder, transport, oauth: oauth !== undefined, provider, slack, port }),
        ...(database && { DATABASE_URL: database.url, DATA_DIR: join(folder.appData, String(index + 1)) }),
      },
      clockOffsetMs,
      port,
      logFile: folder.appLog,
      keepsTrying: database !== undefined,
      print,
    });
    instances.push(app);
    started.defer(() => app.stop());
  }
  const everything = started.move();
  return { url: slack.url, provider, slack, instances, requests, stop: () => everything.disposeAsync() };
}

function appSettings(sandbox: {
  folder: StateFolder;
  transport: 'http' | 'socket';
  oauth: boolean;
  provider: ProviderSandbox;
  slack: SlackSandbox;
  port: number;
}): Record<string, string> {
  const { folder, transport, oauth, provider, slack, port } = sandbox;
  const { secrets } = folder;
  return {
    SLACK_API_URL: slack.apiUrl,
    ...(oauth
      ? {
          SLACK_CLIENT_ID: secrets.clientId,
          SLACK_CLIENT_SECRET: secrets.clientSecret,
          SLACK_STATE_SECRET: secrets.stateSecret,
        }
      : { SLACK_BOT_TOKEN: secrets.botToken }),
    ...(transport === 'http'
      ? { SLACK_SIGNING_SECRET: secrets.signingSecret }
      : { SLACK_APP_TOKEN: secrets.appToken }),
    PROVIDER_BASE_URL: provider.url,
    ENCRYPTION_KEYS: secrets.encryptionKeys,
    DATA_DIR: folder.appData,
    HOST: host,
    PORT: String(port),
  };
}

/** Answers the page's requests about the sandbox as a whole. */
async function handleControls(
  { switches, requests, provider }: { switches: Switches; requests: RequestLog; provider: ProviderSandbox },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  switch (`${request.method} ${request.url}`) {
    case 'GET /sandbox/requests':
      return sendJson(response, 200, requests.all);
    case 'GET /sandbox/controls':
      return sendJson(response, 200, switches.controls());
    case 'POST /sandbox/controls':
      return await switches.change(request).then(
        () => sendJson(response, 200, switches.controls()),
        (error: unknown) => sendProblem(response, error),
      );
    case 'GET /sandbox/phones':
      return sendJson(response, 200, provider.phones());
    case 'POST /sandbox/phones':
      return await readReply(request)
        .then((reply) => switches.reply(reply))
        .then(
          () => sendJson(response, 200, provider.phones()),
          (error: unknown) => sendProblem(response, error),
        );
    default:
      return sendJson(response, 404, { error: 'There is nothing here.' });
  }
}

function sendProblem(response: ServerResponse, error: unknown): void {
  sendJson(response, 400, { error: error instanceof Error ? error.message : 'No.' });
}

/** Returns the usual port if it is free, else any free one. Port 0 means any free one. */
export async function freePort(usual: number, host: string): Promise<number> {
  try {
    return await tryPort(usual, host);
  } catch {
    return await tryPort(0, host);
  }
}

async function tryPort(port: number, host: string): Promise<number> {
  const server = createServer();
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') {
    throw new Error(`Can’t listen on port ${port}.`);
  }
  return address.port;
}

const maxRequests = 500;

/** The last 500 requests between Slack, the app and the provider, in the order in which they ended. */
class RequestLog {
  readonly #exchanges: LoggedRequest[] = [];

  add(exchange: LoggedRequest): void {
    this.#exchanges.push(exchange);
    if (this.#exchanges.length > maxRequests) {
      this.#exchanges.shift();
    }
  }

  get all(): readonly LoggedRequest[] {
    return this.#exchanges;
  }
}
