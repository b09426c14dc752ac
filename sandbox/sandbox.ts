import type { IncomingMessage, ServerResponse } from 'node:http';
import { fileURLToPath } from 'node:url';
import { type AppProcess, startAppProcess } from './app-process/app-process.ts';
import { type Controls, readChange, sendJson } from './controls.ts';
import { type AppManifest, copyManifest } from './manifest.ts';
import { bundlePage } from './page/serve.ts';
import { freePort } from './ports.ts';
import { magicNumbers, numberRules } from './provider/faults/magic-numbers.ts';
import { type ProviderSandbox, startProvider } from './provider/server.ts';
import { RequestLog } from './request-log.ts';
import { type SlackSandbox, startSlack } from './slack/server.ts';
import type { StateFolder } from './state-folder.ts';

export interface SandboxOptions {
  folder: StateFolder;
  transport: 'http' | 'socket';
  /** How far ahead of this machine's clock that of all three is, in milliseconds. */
  clockOffsetMs?: number;
  /** The ports to take if they are free; any free ones unless given. */
  ports?: { page: number; provider: number; app: number };
  /** Settings that the app gets besides those the sandbox knows itself, such as COMMAND_PREFIX and LOG_LEVEL. */
  settings?: Record<string, string>;
  /** Hears lines for the terminal. */
  print?: (line: string) => void;
}

/** A provider, a Slack and the app between them, on this machine. */
export interface Sandbox {
  /** Of the page. */
  url: string;
  provider: ProviderSandbox;
  slack: SlackSandbox;
  app: AppProcess;
  requests: RequestLog;
  stop(): Promise<void>;
}

const host = '127.0.0.1';
const anyPorts = { page: 0, provider: 0, app: 0 };
const manifestFile = fileURLToPath(new URL('../manifest.yml', import.meta.url));

/** Starts all three and resolves when the app is ready. What was started is stopped again if something fails. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const {
    folder,
    transport,
    clockOffsetMs: ahead = 0,
    ports = anyPorts,
    settings = {},
    print: say = () => {},
  } = options;
  const { secrets } = folder;
  const clock = () => new Date(Date.now() + ahead);
  const requests = new RequestLog();
  const onExchange = requests.add.bind(requests);
  const manifest = await copyManifest(manifestFile, folder.manifest, settings.COMMAND_PREFIX ?? '');
  const servePage = await bundlePage();
  const appPort = await freePort(ports.app, host);

  await using started = new AsyncDisposableStack();
  const provider = await startProvider({
    port: await freePort(ports.provider, host),
    clock,
    stateFile: folder.providerFile,
    onExchange,
  });
  started.defer(() => provider.stop());
  let app: AppProcess | undefined;
  const slack = await startSlack({
    port: await freePort(ports.page, host),
    clock,
    manifestPath: folder.manifest,
    botToken: secrets.botToken,
    appToken: secrets.appToken,
    delivery:
      transport === 'http'
        ? {
            mode: 'http',
            signingSecret: secrets.signingSecret,
            eventsUrl: `http://${host}:${appPort}/slack/events`,
          }
        : { mode: 'socket' },
    stateFile: folder.slackFile,
    onExchange,
    page: (request, response) => {
      if (!servePage(request, response)) {
        void answerPage(request, response);
      }
    },
  });
  started.defer(() => slack.stop());

  /** What the page asks of the sandbox as a whole. */
  async function answerPage(request: IncomingMessage, response: ServerResponse): Promise<void> {
    switch (`${request.method} ${request.url}`) {
      case 'GET /sandbox/requests':
        return sendJson(response, 200, requests.all);
      case 'GET /sandbox/controls':
        return sendJson(response, 200, controls());
      case 'POST /sandbox/controls':
        return await change(request).then(
          () => sendJson(response, 200, controls()),
          (error: unknown) =>
            sendJson(response, 400, { error: error instanceof Error ? error.message : 'No.' }),
        );
      default:
        return sendJson(response, 404, { error: 'There is nothing here.' });
    }
  }

  const controls = (): Controls =>
    describe({
      app,
      manifest,
      transport,
      folder,
      provider,
      providerUp,
      now: clock(),
      clockShifted: ahead !== 0,
    });

  let providerUp = true;
  async function change(request: IncomingMessage): Promise<void> {
    const asked = await readChange(request);
    if ('app' in asked) {
      app?.crash();
    } else {
      providerUp = asked.provider === 'up';
      await (providerUp ? provider.comeUp() : provider.goDown());
    }
  }

  app = await startAppProcess({
    settings: {
      ...settings,
      SLACK_API_URL: slack.apiUrl,
      SLACK_BOT_TOKEN: secrets.botToken,
      ...(transport === 'http'
        ? { SLACK_SIGNING_SECRET: secrets.signingSecret }
        : { SLACK_APP_TOKEN: secrets.appToken }),
      PROVIDER_BASE_URL: provider.url,
      ENCRYPTION_KEYS: secrets.encryptionKeys,
      DATA_DIR: folder.appData,
      HOST: host,
      PORT: String(appPort),
    },
    clockOffsetMs: ahead,
    port: appPort,
    logFile: folder.appLog,
    print: say,
  });
  const { stop } = app;
  started.defer(() => stop());
  const everything = started.move();
  return { url: slack.url, provider, slack, app, requests, stop: () => everything.disposeAsync() };
}

function describe(known: {
  app: AppProcess | undefined;
  manifest: AppManifest;
  transport: 'http' | 'socket';
  folder: StateFolder;
  provider: ProviderSandbox;
  providerUp: boolean;
  now: Date;
  clockShifted: boolean;
}): Controls {
  const { app, manifest, transport, folder, provider, providerUp, now, clockShifted } = known;
  return {
    app: { ...manifest, state: app?.state ?? 'starting', transport, log: folder.appLog },
    provider: {
      up: providerUp,
      url: provider.url,
      key: provider.account.key,
      balance: provider.account.balance,
      phonebooks: provider.account.phonebooks.map(({ id, name }) => ({ id, name })),
      magicNumbers,
      numberRules,
    },
    now: now.toISOString(),
    clockShifted,
  };
}
