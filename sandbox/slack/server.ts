import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { LoggedRequest } from '../lib/logged-request.ts';
import { StateFile } from '../lib/state-file.ts';
import { SlackRoutes } from './http/routes.ts';
import { type InstallWalk, type PageSeen, walkInstall } from './installations/install-walk.ts';
import { installedAt, removeApp } from './installations/removal.ts';
import { openSlack, type SlackContent, savedState } from './open-slack.ts';
import type { OpenView, Person, SandboxMessage, Snapshot, UserActionResult } from './protocol.ts';
import { SlackRequestLog } from './request-log.ts';
import { createSocketTransport } from './transport/socket-transport.ts';
import { createHttpTransport } from './transport/transport.ts';
import { until } from './until.ts';
import { createPerformer, type Performer } from './user-actions/perform.ts';
import { type HeldCall, HeldCalls, type SlackFault, SlackFaults } from './web-api/faults.ts';
import type { WorkspaceFixture } from './workspace/fixtures.ts';
import {
  changePerson,
  changeUserGroup,
  shownSnapshot,
  snapshotIn,
  topModalIn,
} from './workspace/snapshot.ts';

export interface SlackOptions extends SlackContent {
  /** Any free one by default. */
  port?: number;
  host?: string;
  /** The address by which the app knows Slack, where something stands between them. */
  publicUrl?: (() => string) | undefined;
  clock?: () => Date;
  delivery: { mode: 'http'; eventsUrl: string | (() => string); signingSecret: string } | { mode: 'socket' };
  appToken?: string;
  onExchange?: (exchange: LoggedRequest) => void;
  /** Answers every request that is not for Slack. */
  page?: (request: IncomingMessage, response: ServerResponse) => void;
  /** How long the app has to acknowledge, and a trigger lives, in milliseconds. Three seconds by default, as in Slack. */
  ackTimeoutMs?: number;
}

export interface SlackSandbox extends Omit<Performer, 'sendRemoval'> {
  readonly url: string;
  readonly port: number;
  /** The value for SLACK_API_URL. Ends in `/api/`. */
  readonly apiUrl: string;
  /** What a person sees in a workspace; by default in their first one. */
  snapshot(personId: string, team?: string): Snapshot;
  /** The top one of a person's modals, without the rest of a snapshot. */
  topModal(personId: string, team?: string): OpenView | undefined;
  /** The newest last. */
  readonly exchanges: readonly LoggedRequest[];
  /** Calls `listener` on each change. Returns a function that removes it. */
  onChange(listener: () => void): () => void;
  /**
   * Resolves with the first truthy result of `look`, which is called now and on each change. Rejects after `within`
   * milliseconds, 10,000 by default.
   */
  until<T>(
    look: () => T | undefined | null | false,
    what: string | (() => string),
    within?: number,
  ): Promise<T>;
  /** Installs the app as a person does in a browser. Resolves with the last page that they see. */
  install(walk: InstallWalk): Promise<PageSeen>;
  /**
   * Removes the app from a workspace or an enterprise. Its tokens answer `account_inactive`. Resolves with the app's answers to
   * `tokens_revoked` and `app_uninstalled`, as far as it subscribes to them.
   */
  uninstall(place: string): Promise<UserActionResult[]>;
  /** Revokes the tokens of a workspace or an enterprise: they answer `token_revoked`. The app receives `tokens_revoked`. */
  revokeTokens(place: string): Promise<UserActionResult[]>;
  /**
   * Takes a workspace out of the app's installation in its enterprise, or adds it again. Meanwhile calls about it answer
   * `team_access_not_granted`, and it sends the app no requests.
   */
  setAccess(team: string, enterprise: string, hasAccess: boolean): void;
  /** Every bot and refresh token that was ever given out, valid or not. */
  readonly tokens: readonly string[];
  /** Changes who is in a user group. */
  setUserGroup(groupId: string, users: readonly string[]): void;
  /** Makes the next call of a Web API method fail. */
  fault(method: string, fault: SlackFault): void;
  /** Chooses a fault for each Web API call that has none waiting. */
  faultBy(choose: (method: string) => SlackFault | undefined): void;
  /** Answers `invalid_blocks` to messages with blocks of these types, as Slack does before it has rolled them out. */
  forgetBlocks(...types: string[]): void;
  /** Holds the next call of a Web API method, or the next download of a file (`files-pri`), before it does anything; with `place`, the next with a token of that workspace. */
  hold(method: string, place?: string): HeldCall;
  /** Adds a workspace, in which the app can then be installed. */
  addWorkspace(fixture: WorkspaceFixture): void;
  /** Changes a person's role in the workspace. The app sees it in `users.info`. */
  setRole(personId: string, role: Exclude<Person['role'], 'stranger'>): void;
  /** Makes a person an admin of their enterprise. The app sees it in `users.info`. */
  setEnterpriseAdmin(personId: string): void;
  /** Deactivates a person's account, or activates it again. */
  setDeactivated(personId: string, deactivated: boolean): void;
  /** Gives a person another time zone: its name, or an offset such as `+05:30`. */
  setTimeZone(personId: string, timeZone: string): void;
  /** Removes the messages from before a time and returns them. */
  expire(before: Date): SandboxMessage[];
  /** The number of sockets that the app has open. */
  readonly sockets: number;
  /** Ends the open sockets: `cut` without a close frame, `refresh` with Slack's request to reconnect. */
  dropSockets(how?: 'cut' | 'refresh'): void;
  /** Says no *hello* on the next socket that the app opens. */
  withholdHello(): void;
  /** Stops the pings of all sockets, or sends them again, the first at once. */
  setPings(areSent: boolean): void;
  /** Cuts every request of the app until `comeUp`. Those of the page are answered. */
  goDown(): void;
  comeUp(): void;
  stop(): Promise<void>;
}

const defaultAckTimeoutMs = 3_000;

/** Starts a Slack workspace on loopback. */
export async function startSlack(options: SlackOptions): Promise<SlackSandbox> {
  const { clock = () => new Date(), stateFile, delivery, botToken, appToken, oauth } = options;
  const { ackTimeoutMs = defaultAckTimeoutMs, host = '127.0.0.1' } = options;
  const changes = new EventEmitter().setMaxListeners(0);
  const changed = () => void changes.emit('change');
  let url = '';
  const base = options.publicUrl ?? (() => url);
  const slack = openSlack({
    ...options,
    ackTimeoutMs,
    clock,
    base,
    onChange: () => {
      file?.save();
      changed();
    },
  });
  const file = stateFile === undefined ? undefined : new StateFile(stateFile, () => savedState(slack));
  const signingSecret = delivery.mode === 'http' ? delivery.signingSecret : undefined;
  const requestLog = new SlackRequestLog(
    [botToken, appToken, signingSecret, oauth?.clientSecret],
    (exchange) => {
      options.onExchange?.(exchange);
      changed();
    },
  );
  const shared = { clock, requestLog, ackTimeoutMs };
  const transport =
    delivery.mode === 'http'
      ? createHttpTransport({ ...delivery, ...shared })
      : createSocketTransport({ ...shared, base, onChange: changed });
  const performer = createPerformer(slack, transport);
  const onChange = (listener: () => void) => {
    changes.on('change', listener);
    return () => void changes.off('change', listener);
  };
  const faults = new SlackFaults();
  const holds = new HeldCalls();
  const uninstall = async (place: string) => {
    const installation = installedAt(slack, place);
    removeApp(slack, installation);
    return await performer.sendRemoval(installation, ['tokens_revoked', 'app_uninstalled']);
  };
  const routes = new SlackRoutes({
    slack,
    appToken,
    faults,
    holds,
    requestLog,
    transport,
    pageApi: {
      perform: performer.perform,
      snapshot: (id, team) => shownSnapshot(slack, id, team),
      uninstall,
      onChange,
    },
    page: options.page,
  });
  const server = createServer((request, response) => routes.handle(request, response));
  // As long as the app's own server: after Node's 5 s, a connection may be closed just as a client on a busy machine uses it.
  server.keepAliveTimeout = 75_000;
  server.on('upgrade', (request, socket, head) => routes.upgrade(request, socket, head));
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  url = `http://${host}:${port}`;
  return {
    url,
    port,
    apiUrl: `${url}/api/`,
    ...performer,
    snapshot: (personId, team) => snapshotIn(slack, personId, team),
    topModal: (personId, team) => topModalIn(slack, personId, team),
    exchanges: requestLog.exchanges,
    onChange,
    until: (look, what, within) => until(onChange, look, what, within),
    install: (walk) => walkInstall(url, walk),
    uninstall,
    async revokeTokens(place) {
      const installation = installedAt(slack, place);
      slack.installations.revoke(installation);
      return await performer.sendRemoval(installation, ['tokens_revoked']);
    },
    setAccess: (team, enterprise, hasAccess) =>
      slack.installations.setAccess(installedAt(slack, enterprise), team, hasAccess),
    get tokens() {
      return slack.installations.tokens;
    },
    setUserGroup: (groupId, users) => changeUserGroup(slack, groupId, users),
    fault: (method, fault) => faults.add(method, fault),
    faultBy(choose) {
      faults.choose = choose;
    },
    forgetBlocks(...types) {
      for (const { workspace } of slack.workspaces) {
        for (const type of types) {
          workspace.unknownBlocks.add(type);
        }
      }
    },
    hold: (method, place) => holds.add(method, place),
    addWorkspace: (fixture) => slack.addWorkspace(fixture),
    setRole: (personId, role) => changePerson(slack, personId, { role }),
    setEnterpriseAdmin: (personId) => changePerson(slack, personId, { isEnterpriseAdmin: true }),
    setDeactivated: (personId, deactivated) => changePerson(slack, personId, { deactivated }),
    setTimeZone: (personId, timeZone) => changePerson(slack, personId, { timeZone }),
    expire: (before) => slack.workspaces.flatMap(({ workspace }) => workspace.expire(before)),
    get sockets() {
      return transport.sockets;
    },
    dropSockets: (how = 'cut') => transport.dropSockets(how),
    withholdHello: () => transport.withholdHello(),
    setPings: (areSent) => transport.setPings(areSent),
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
