import { EventEmitter, once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { JsonObject } from '../lib/json.ts';
import type { LoggedRequest } from '../lib/logged-request.ts';
import { StateFile } from '../lib/state-file.ts';
import { SlackRoutes } from './http/routes.ts';
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
import type { AppTransport } from './transport/transport.ts';
import { until } from './until.ts';
import type { Forgery, Performer } from './user-actions/perform.ts';
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
  /** Any free one by default. */
  port?: number;
  host?: string;
  clock?: () => Date;
  /** The app's manifest.yml: commands, shortcuts, scopes, events. */
  manifestPath: string;
  delivery: { mode: 'http'; eventsUrl: string | (() => string); signingSecret: string } | { mode: 'socket' };
  botToken: string;
  appToken?: string;
  /** The file that keeps the workspace between runs. None by default. */
  stateFile?: string;
  onExchange?: (exchange: LoggedRequest) => void;
  /** Answers every request that is not for Slack. */
  page?: (request: IncomingMessage, response: ServerResponse) => void;
  /** How long the app has to acknowledge, in milliseconds. Three seconds by default, as in Slack. */
  ackTimeoutMs?: number;
  /** People besides those of the fixtures. */
  people?: readonly Person[];
  channels?: readonly SandboxChannel[];
}

export interface SlackSandbox {
  readonly url: string;
  readonly port: number;
  /** The value for SLACK_API_URL. Ends in `/api/`. */
  readonly apiUrl: string;
  /** Performs a person's action. Resolves when Slack has applied the app's acknowledgement. Throws UserActionError. */
  perform(action: UserAction): Promise<UserActionResult>;
  snapshot(personId: string): Snapshot;
  /** The newest last. */
  readonly exchanges: readonly LoggedRequest[];
  /** Calls `listener` on each change. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
  /**
   * Resolves with the first truthy result of `look`, which is called now and on each change. Rejects after `within`
   * milliseconds, 10,000 by default.
   */
  until<T>(look: () => T | undefined | null | false, what: string, within?: number): Promise<T>;
  /**
   * Sends the last request to the app again, as Slack does without an answer. `what` selects the last request whose
   * description starts so, such as `view_submission` or `command /sms`.
   */
  redeliver(what?: string): Promise<UserActionResult>;
  /** Prepares an action on what is shown now, as on another device. The returned function sends it. */
  later(action: UserAction): () => Promise<UserActionResult>;
  /** Sends a forged request for an action. The app's answer has no effect. */
  forge(action: UserAction, forgery: Forgery): Promise<UserActionResult>;
  /** Sends an event of the Events API, such as `{type: 'app_uninstalled'}`. */
  sendEvent(event: JsonObject): Promise<UserActionResult>;
  /** Makes the next call of a Web API method fail. */
  fault(method: string, fault: SlackFault): void;
  /** Chooses a fault for each Web API call that has none waiting. */
  faultBy(choose: (method: string) => SlackFault | undefined): void;
  /** Answers `invalid_blocks` to messages with blocks of these types, as Slack does before it has rolled them out. */
  forgetBlocks(...types: string[]): void;
  /** Holds the next call of a Web API method before it does anything. */
  hold(method: string): HeldCall;
  /** Changes a person's role in the workspace. The app sees it in `users.info`. */
  setRole(personId: string, role: Exclude<Person['role'], 'stranger'>): void;
  /** Removes the messages from before a time and returns them. */
  expire(before: Date): SandboxMessage[];
  /** The number of sockets that the app has open. */
  readonly sockets: number;
  /** Ends the open sockets: `cut` without a close frame, `refresh` with Slack's request to reconnect. */
  dropSockets(how?: 'cut' | 'refresh'): void;
  /** Cuts every request of the app until `comeUp`. Those of the page are answered. */
  goDown(): void;
  comeUp(): void;
  stop(): Promise<void>;
}

const defaultAckTimeoutMs = 3_000;

/** Starts a Slack workspace on loopback. */
export async function startSlack(options: SlackOptions): Promise<SlackSandbox> {
  const slack = new SlackServer(options);
  await slack.listen(options.port ?? 0, options.host ?? '127.0.0.1');
  return slack;
}

class SlackServer implements SlackSandbox {
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #state: SlackState;
  readonly #requestLog: SlackRequestLog;
  readonly #transport: AppTransport;
  readonly #performer: Performer;
  readonly #routes: SlackRoutes;
  readonly #faults = new SlackFaults();
  readonly #holds = new HeldCalls();
  readonly #file: StateFile | undefined;
  readonly #server: Server;
  #url = '';
  #port = 0;

  constructor(options: SlackOptions) {
    const { clock = () => new Date(), stateFile, delivery, botToken, appToken } = options;
    const workspace = this.#openWorkspace(clock, options);
    this.#file = stateFile === undefined ? undefined : new StateFile(stateFile, () => workspace.state);
    const base = () => this.#url;
    this.#state = {
      workspace,
      triggers: new Triggers(clock),
      responseUrls: new ResponseUrls(workspace, base),
      uploads: new Uploads(),
      manifest: readManifest(options.manifestPath),
      offers: new Map(),
      base,
    };
    const signingSecret = delivery.mode === 'http' ? delivery.signingSecret : undefined;
    this.#requestLog = new SlackRequestLog([botToken, appToken, signingSecret], (exchange) => {
      options.onExchange?.(exchange);
      this.#changes.emit('change');
    });
    const shared = {
      clock,
      requestLog: this.#requestLog,
      ackTimeoutMs: options.ackTimeoutMs ?? defaultAckTimeoutMs,
    };
    this.#transport =
      delivery.mode === 'http'
        ? createHttpTransport({ ...delivery, ...shared })
        : createSocketTransport({ ...shared, base, onChange: () => this.#changes.emit('change') });
    this.#performer = createPerformer(this.#state, this.#transport);
    this.#routes = new SlackRoutes({
      slack: this.#state,
      tokens: { botToken, appToken },
      faults: this.#faults,
      holds: this.#holds,
      requestLog: this.#requestLog,
      transport: this.#transport,
      pageApi: {
        perform: this.#performer.perform,
        snapshot: (id) => this.snapshot((workspace.person(id) ?? workspace.people[0])?.id ?? ''),
        onChange: (listener) => this.onChange(listener),
      },
      page: options.page,
    });
    this.#server = createServer((request, response) => this.#routes.handle(request, response));
    this.#server.on('upgrade', (request, socket, head) => this.#routes.upgrade(request, socket, head));
  }

  get url(): string {
    return this.#url;
  }

  get port(): number {
    return this.#port;
  }

  get apiUrl(): string {
    return `${this.#url}/api/`;
  }

  get exchanges(): readonly LoggedRequest[] {
    return this.#requestLog.exchanges;
  }

  get sockets(): number {
    return this.#transport.sockets;
  }

  async listen(port: number, host: string): Promise<void> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    const address = this.#server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : 0;
    this.#url = `http://${host}:${this.#port}`;
  }

  snapshot(personId: string): Snapshot {
    return snapshotFor(this.#state.workspace, this.#state.manifest, personId);
  }

  onChange(listener: () => void): () => void {
    this.#changes.on('change', listener);
    return () => void this.#changes.off('change', listener);
  }

  until<T>(look: () => T | undefined | null | false, what: string, within?: number): Promise<T> {
    return until((listener) => this.onChange(listener), look, what, within);
  }

  perform(action: UserAction): Promise<UserActionResult> {
    return this.#performer.perform(action);
  }

  later(action: UserAction): () => Promise<UserActionResult> {
    return this.#performer.later(action);
  }

  redeliver(what?: string): Promise<UserActionResult> {
    return this.#performer.redeliver(what);
  }

  forge(action: UserAction, forgery: Forgery): Promise<UserActionResult> {
    return this.#performer.forge(action, forgery);
  }

  sendEvent(event: JsonObject): Promise<UserActionResult> {
    return this.#performer.sendEvent(event);
  }

  fault(method: string, fault: SlackFault): void {
    this.#faults.add(method, fault);
  }

  faultBy(choose: (method: string) => SlackFault | undefined): void {
    this.#faults.choose = choose;
  }

  forgetBlocks(...types: string[]): void {
    for (const type of types) {
      this.#state.workspace.unknownBlocks.add(type);
    }
  }

  hold(method: string): HeldCall {
    return this.#holds.add(method);
  }

  setRole(personId: string, role: Exclude<Person['role'], 'stranger'>): void {
    this.#state.workspace.setRole(personId, role);
  }

  expire(before: Date): SandboxMessage[] {
    return this.#state.workspace.expire(before);
  }

  dropSockets(how: 'cut' | 'refresh' = 'cut'): void {
    this.#transport.dropSockets(how);
  }

  goDown(): void {
    this.#routes.down = true;
    this.#transport.dropSockets('cut');
  }

  comeUp(): void {
    this.#routes.down = false;
  }

  async stop(): Promise<void> {
    await this.#transport.close();
    await this.#file?.flush();
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  #openWorkspace(clock: () => Date, { stateFile, people = [], channels = [] }: SlackOptions): Workspace {
    const onChange = () => {
      this.#file?.save();
      this.#changes.emit('change');
    };
    const saved = stateFile === undefined ? undefined : readSlackState(stateFile);
    const workspace = new Workspace(clock, onChange, saved);
    workspace.people.push(...people);
    workspace.channels.push(...channels);
    return workspace;
  }
}
