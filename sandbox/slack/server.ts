import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { JsonObject } from '../lib/json.ts';
import type { LoggedRequest } from '../lib/logged-request.ts';
import { StateFile } from '../lib/state-file.ts';
import { createRoutes } from './http/routes.ts';
import { readManifest } from './manifest.ts';
import type {
  Person,
  SandboxChannel,
  SandboxMessage,
  Snapshot,
  UserAction,
  UserActionResult,
} from './protocol.ts';
import { SlackRequestLog } from './request-log.ts';
import type { SlackState } from './slack.ts';
import { createHttpTransport } from './transport/http-transport.ts';
import { createSocketTransport } from './transport/socket-transport.ts';
import { until } from './until.ts';
import type { Forgery } from './user-actions/perform.ts';
import { createPerformer } from './user-actions/perform.ts';
import type { SlackFault } from './web-api/faults.ts';
import { SlackFaults } from './web-api/faults.ts';
import type { HeldCall } from './web-api/holds.ts';
import { HeldCalls } from './web-api/holds.ts';
import { Uploads } from './workspace/files.ts';
import { ResponseUrls } from './workspace/response-urls.ts';
import { snapshotFor } from './workspace/snapshot.ts';
import { readSlackState } from './workspace/state-file.ts';
import { Triggers } from './workspace/triggers.ts';
import { Workspace } from './workspace/workspace.ts';

export interface SlackOptions {
  /** 0, the default, takes any free port. */
  port?: number;
  host?: string;
  clock?: () => Date;
  /** The app's manifest.yml: commands, shortcuts, scopes, events. */
  manifestPath: string;
  delivery: { mode: 'http'; eventsUrl: string | (() => string); signingSecret: string } | { mode: 'socket' };
  botToken: string;
  appToken?: string;
  /** Where the workspace is kept between runs; nowhere unless given. */
  stateFile?: string;
  onExchange?: (exchange: LoggedRequest) => void;
  /** Answers every request that is not Slack's own. */
  page?: (request: IncomingMessage, response: ServerResponse) => void;
  /** How long the app has to acknowledge, in milliseconds: three seconds, as Slack gives. */
  ackTimeoutMs?: number;
  /** Besides those who are always there. */
  people?: readonly Person[];
  channels?: readonly SandboxChannel[];
}

export interface SlackSandbox {
  url: string;
  port: number;
  /** For SLACK_API_URL; ends in `/api/`. */
  apiUrl: string;
  /** Does what a person does; resolves when the app has acknowledged and Slack has acted on it. Throws UserActionError. */
  perform(action: UserAction): Promise<UserActionResult>;
  snapshot(personId: string): Snapshot;
  /** Newest last. */
  exchanges: readonly LoggedRequest[];
  /** Calls back whenever anything changed; the function returned ends it. */
  onChange(listener: () => void): () => void;
  /** Waits until `look` gives something true, looking again at each change. Rejects after `within` milliseconds, 10,000 unless given. */
  until<T>(look: () => T | undefined | null | false, what: string, within?: number): Promise<T>;
  /**
   * Sends the app its last request again, as Slack does when it heard no answer; with `what` the last one of that
   * kind, such as `view_submission` or `command /sms`.
   */
  redeliver(what?: string): Promise<UserActionResult>;
  /** What a person does on another device, that still shows what is there now: done when the function returned is called. */
  later(action: UserAction): () => Promise<UserActionResult>;
  /** Sends the request of a action forged; what the app answers is not acted on. */
  forge(action: UserAction, forgery: Forgery): Promise<UserActionResult>;
  /** Sends an event of the Events API, such as `{type: 'app_uninstalled'}`. */
  sendEvent(event: JsonObject): Promise<UserActionResult>;
  /** Makes the next call of a Web API method fail. */
  fault(method: string, fault: SlackFault): void;
  /** From now on each call that is not to fail otherwise fails as is chosen. */
  faultBy(choose: (method: string) => SlackFault | undefined): void;
  /** Holds the next call of a Web API method back, before anything is done with it. */
  hold(method: string): HeldCall;
  /** Makes a person something else in this workspace. The app hears of it when it asks. */
  setRole(personId: string, role: Exclude<Person['role'], 'stranger'>): void;
  /** Takes the messages out of the workspace that stand there since before a time, and returns them. */
  expire(before: Date): SandboxMessage[];
  /** How many sockets the app has open. */
  readonly sockets: number;
  /** Ends the open sockets: `cut` without a word, `refresh` as Slack does when it moves them. */
  dropSockets(how?: 'cut' | 'refresh'): void;
  /** From now on no request of the app is answered; the page's are. */
  goDown(): void;
  comeUp(): void;
  stop(): Promise<void>;
}

const ACK_TIMEOUT_MS = 3_000;

/** Starts a stand-in for Slack on loopback. */
export async function startSlack(options: SlackOptions): Promise<SlackSandbox> {
  const { clock = () => new Date(), host = '127.0.0.1', stateFile } = options;
  const changes = new EventEmitter().setMaxListeners(0);
  let file: StateFile | undefined;
  const workspace = new Workspace(
    clock,
    () => {
      file?.save();
      changes.emit('change');
    },
    stateFile === undefined ? undefined : readSlackState(stateFile),
  );
  workspace.people.push(...(options.people ?? []));
  workspace.channels.push(...(options.channels ?? []));
  if (stateFile !== undefined) {
    file = new StateFile(stateFile, () => workspace.state);
  }
  const secret = options.delivery.mode === 'http' ? options.delivery.signingSecret : undefined;
  const requestLog = new SlackRequestLog([options.botToken, options.appToken, secret], (exchange) => {
    options.onExchange?.(exchange);
    changes.emit('change');
  });
  let url = '';
  const base = () => url;
  const slack: SlackState = {
    workspace,
    triggers: new Triggers(clock),
    responseUrls: new ResponseUrls(workspace, base),
    uploads: new Uploads(),
    manifest: readManifest(options.manifestPath),
    offers: new Map(),
    base,
  };
  const faults = new SlackFaults();
  const holds = new HeldCalls();
  const way = { clock, requestLog, ackTimeoutMs: options.ackTimeoutMs ?? ACK_TIMEOUT_MS, base };
  const { delivery } = options;
  const transport =
    delivery.mode === 'http'
      ? createHttpTransport({ ...delivery, ...way })
      : createSocketTransport({ ...way, onChange: () => changes.emit('change') });
  const performer = createPerformer(slack, transport);
  const onChange = (listener: () => void) => {
    changes.on('change', listener);
    return () => void changes.off('change', listener);
  };
  const snapshot = (person: string) => snapshotFor(workspace, slack.manifest, person);
  const routes = createRoutes({
    slack,
    requestLog,
    faults,
    holds,
    transport,
    tokens: { botToken: options.botToken, appToken: options.appToken },
    controlled: {
      perform: performer.perform,
      snapshot: (id) => snapshot(someone(workspace, id)),
      exchanges: requestLog.exchanges,
      onChange,
    },
    page: options.page,
  });
  const server = createServer(routes.answer);
  server.on('upgrade', routes.upgrade);
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  url = `http://${host}:${port}`;

  return {
    url,
    port,
    apiUrl: `${url}/api/`,
    snapshot,
    exchanges: requestLog.exchanges,
    onChange,
    until: (look, what, within) => until(onChange, look, what, within),
    perform: performer.perform,
    later: performer.later,
    redeliver: performer.redeliver,
    forge: performer.forge,
    sendEvent: performer.sendEvent,
    fault: (method, fault) => faults.add(method, fault),
    faultBy(choose) {
      faults.choose = choose;
    },
    expire: (before) => workspace.expire(before),
    hold: (method) => holds.add(method),
    setRole: (personId, role) => workspace.setRole(personId, role),
    get sockets() {
      return transport.sockets;
    },
    dropSockets: (how = 'cut') => transport.dropSockets(how),
    goDown() {
      routes.down = true;
      transport.dropSockets('cut');
    },
    comeUp() {
      routes.down = false;
    },
    async stop() {
      await transport.close();
      await file?.flush();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function someone(workspace: Workspace, id: string): string {
  return workspace.person(id)?.id ?? workspace.people[0]?.id ?? '';
}
