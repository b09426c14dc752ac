import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { App, HTTPReceiver, SocketModeReceiver } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import type { Clock } from '../clock.ts';
import type { Settings } from '../config.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Services } from '../services/services.ts';
import type { Store } from '../store/store.ts';
import { createBoard } from './campaign/board.ts';
import { listenToFeatures, wordings } from './features.ts';
import { createFiles } from './files.ts';
import { createHealthServer, type HealthRoute, healthRoutes } from './health.ts';
import { createIdentity } from './identity.ts';
import { createListening } from './listening/listening.ts';
import { createPeople } from './people.ts';
import { createRestoredNotice } from './restored.ts';
import { slackLog } from './slack-log.ts';
import { listenTrouble, startTrouble } from './start-trouble.ts';
import { createTelling, type Telling } from './telling.ts';
import { webClientOptions } from './web-client.ts';

export interface Slack {
  telling: Telling;
  /** Tells people that the data was restored or copied, until they were told. */
  tellRestored(): Promise<void>;
  /** Takes requests from now on; gives the port of `/slack/events` or, over a socket, of `/healthz`. */
  start(): Promise<number>;
  /** Takes no more requests, and resolves when those under way are done. */
  stop(): Promise<void>;
}

/** Everything that Slack sends, and everything that is said there, over HTTP or over a socket. */
export function createSlack(parts: {
  settings: Settings;
  services: Services;
  store: Store;
  metrics: Metrics;
  clock: Clock;
  log: Log;
}): Slack {
  const { settings, services, store, metrics, clock, log } = parts;
  const logger = slackLog(log);
  const clientOptions = webClientOptions(settings.slack.apiUrl, logger);
  const client = new WebClient(settings.slack.botToken.reveal(), clientOptions);
  const identity = createIdentity(client);
  const routes = healthRoutes({
    database: () => store.ready(),
    slack: () => client.auth.test(),
    metrics: () => metrics.read(),
  });
  const door = openDoor(settings, routes, parts.log);

  const app = new App({
    receiver: door.receiver,
    logger,
    clientOptions,
    convoStore: false,
    authorize: async ({ teamId }) => {
      const { teamId: ownTeam, botId, botUserId } = await identity();
      if (teamId !== ownTeam) {
        throw new Error('a request from another workspace');
      }
      return { botToken: settings.slack.botToken.reveal(), botId, botUserId, teamId };
    },
  });
  app.error(async (error) => log.warn({ err: error }, 'a request was not handled'));

  const telling = createTelling({
    client,
    ledger: store.ledger,
    log,
    clock,
    wordings,
    shownNumbers: services.messaging.shownNumbers,
  });
  const people = createPeople({ client, clock, teamId: async () => (await identity()).teamId });
  const { commandPrefix } = settings;
  const { epoch } = store.installation;
  const listening = createListening({ app, people, log, commandPrefix, epoch, count: metrics.request });
  const files = createFiles({ client, botToken: settings.slack.botToken, apiUrl: settings.slack.apiUrl });
  const stopping = new AbortController();
  const board = createBoard({ client, campaigns: services.campaigns, log });
  listenToFeatures(listening, {
    services,
    telling,
    wordings,
    files,
    clock,
    commandPrefix,
    stopping: stopping.signal,
    log,
  });

  const tellRestored = createRestoredNotice({
    installation: store.installation,
    services,
    telling,
    workspaceId: async () => (await identity()).teamId,
    log,
  });

  return {
    telling,
    tellRestored,
    start: async () => {
      await identity().catch((error: unknown) => {
        throw startTrouble('SLACK_BOT_TOKEN', error);
      });
      const port = await door.open();
      board.start();
      return port;
    },
    stop: async () => {
      await door.close();
      stopping.abort();
      await listening.settled();
      await board.stop();
    },
  };
}

/** Where requests come in. */
interface Door {
  receiver: HTTPReceiver | SocketModeReceiver;
  open(): Promise<number>;
  close(): Promise<void>;
}

function openDoor({ slack, host, port }: Settings, routes: HealthRoute[], log: Log): Door {
  const logger = slackLog(log);
  if (slack.transport === 'http') {
    const receiver = new HTTPReceiver({
      signingSecret: slack.signingSecret.reveal(),
      endpoints: '/slack/events',
      customRoutes: routes,
      logger,
    });
    return {
      receiver,
      open: async () =>
        portOf(
          await receiver.start({ host, port }).catch((error: unknown) => {
            throw listenTrouble(host, port, error);
          }),
        ),
      close: () => receiver.stop(),
    };
  }
  const receiver = new SocketModeReceiver({
    appToken: slack.appToken.reveal(),
    logger,
    // To ask for a socket again harms nobody, and giving up would leave the program deaf.
    installerOptions: {
      clientOptions: {
        ...webClientOptions(slack.apiUrl, logger),
        retryConfig: { forever: true, maxTimeout: 30_000 },
      },
    },
  });
  const health = createHealthServer(routes);
  return {
    receiver,
    open: async () => {
      health.listen({ host, port });
      await once(health, 'listening').catch((error: unknown) => {
        throw listenTrouble(host, port, error);
      });
      await receiver.start().catch((error: unknown) => {
        health.close();
        throw startTrouble('SLACK_APP_TOKEN', error);
      });
      return portOf(health);
    },
    close: async () => {
      await receiver.stop();
      health.close();
      health.closeAllConnections();
    },
  };
}

function portOf(server: { address(): string | AddressInfo | null }): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
