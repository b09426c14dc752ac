import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { addMinutes } from '../lib/lagos-time.ts';
import type { LoggedRequest } from '../lib/logged-request.ts';
import {
  type FaultOrder,
  faultOrders,
  type OrderedFault,
  type ProviderFault,
  type Target,
} from './faults/faults.ts';
import { errorReply, type Reply, realWait, sendReply, toLoggedRequest, type Wait } from './http/replies.ts';
import { accountCarried, ProviderErrorReply } from './http/request-checks.ts';
import { type Arrival, type Head, readArrival, readHead } from './http/requests.ts';
import { applyUploads } from './phonebooks/phonebooks.ts';
import { type Phone, type PhoneText, phonesOf, receiveText } from './phones/phones.ts';
import { handleRequest, onlyRouteOf, type RouteMatch, routeOf } from './router.ts';
import { review, reviewSenderIds } from './sender-ids/sender-ids.ts';
import { agencyKey, harbourKey, marketKey, seedState } from './state/seed.ts';
import {
  type AcceptedMessage,
  type AccountState,
  type AccountView,
  accountViewOf,
  createProviderStateFile,
  type InboundText,
  readProviderState,
  type State,
} from './state/state.ts';
import { type ProviderWebhook, WebhookSender } from './webhook/provider-webhook.ts';

export interface ProviderSandboxOptions {
  /** Any free one by default. */
  port?: number;
  /** 127.0.0.1 by default. */
  host?: string;
  /** The current time, for quiet hours and timestamps. */
  clock?: () => Date;
  /** The file that keeps the state over a restart. None by default. */
  stateFile?: string;
  /** Called with each request when its answer has been sent or has failed. */
  onExchange?: (exchange: LoggedRequest) => void;
  /** The delay of slow answers without a delay of their own, in milliseconds. Ten seconds by default. */
  slowness?: number;
  /** The waits of slow answers and of reports. In real time by default. */
  wait?: Wait;
  /** Accounts besides those of the seed. None by default. */
  accounts?: readonly AccountState[];
}

/** A messaging provider on this machine. */
export interface ProviderSandbox {
  /** Without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** The account to connect first: everything except the one-time codes of the chat application. */
  readonly account: AccountView;
  /** For another workspace: without the dnd route, number status and e-mail; with two pages of sender IDs. */
  readonly otherAccount: AccountView;
  /** A third account, with every route and operation. */
  readonly fullAccount: AccountView;
  /** The key of every account, those of the seed first. */
  readonly keys: readonly string[];
  /** Adds an account besides those of the seed. */
  addAccount(account: AccountState): void;
  /** Any account, by its key. Throws for an unknown one. */
  accountWith(key: string): AccountView;
  /** Every accepted message, the oldest first. */
  readonly record: readonly AcceptedMessage[];
  /** Every text that a phone has sent, the oldest first. */
  readonly inbox: readonly InboundText[];
  /** Where reports and inbound texts go. Nothing is sent until a webhook is entered. */
  readonly webhook: ProviderWebhook;
  /**
   * Sends a text from a phone to a number or device of an account, by default of the first. Resolves when the webhook has
   * answered. Throws when `to` cannot receive texts, as a name cannot.
   */
  receive(text: PhoneText, key?: string): Promise<InboundText>;
  /** What phones have received and sent, that with the newest text first. */
  phones(): Phone[];
  /** Every phonebook emptied by a delete without a contact's id, which a client must never send. */
  readonly emptiedPhonebooks: State['emptiedPhonebooks'];
  /** Every request read to its end or cut unread by an ordered fault, the oldest first. */
  readonly arrivals: readonly Arrival[];
  /** Sets a balance in naira, by default of the first account. */
  setBalance(naira: number, key?: string): void;
  /** Makes a sender ID active. Throws when the account has none of that name. */
  approveSenderId(name: string, key?: string): void;
  /** Expires every token of the eSIM operations. */
  expireTokens(): void;
  /** Orders a fault for the next matching request. It replaces the fault of a magic number in that request. */
  orderFault(order: FaultOrder): OrderedFault;
  /** Cuts every connection and refuses new ones. */
  goDown(): Promise<void>;
  /** Listens again, on the same port. */
  comeUp(): Promise<void>;
  /** Restores the seed state, clears record and arrivals and cancels every ordered fault. */
  reset(): void;
  /** Stops listening and saves the state. */
  stop(): Promise<void>;
}

/** Starts the provider. Rejects when the port is taken (`EADDRINUSE`) or the state file cannot be read. */
export async function startProvider(options: ProviderSandboxOptions = {}): Promise<ProviderSandbox> {
  const { host = '127.0.0.1', clock = () => new Date(), stateFile, accounts, onExchange } = options;
  const { slowness = 10_000, wait = realWait } = options;
  let state = (stateFile && (await readProviderState(stateFile))) || seedState(clock(), accounts);
  let arrivals: Arrival[] = [];
  let port = options.port ?? 0;
  const orders = faultOrders();
  const file = stateFile ? createProviderStateFile(stateFile, () => state) : undefined;
  const save = () => file?.save();
  const webhook = new WebhookSender({
    clock,
    wait,
    accountOf: (key) => accountIn(state, key),
    onChange: save,
    onExchange,
  });
  const accountOf = (key: string): AccountState => {
    const account = accountIn(state, key);
    advanceAccount(account, clock());
    return account;
  };
  const server = createServer((request, response) => void handle(request, response));
  // As long as the app's own server: after Node's 5 s, a connection may be closed just as a client on a busy machine uses it.
  server.keepAliveTimeout = 75_000;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const head = readHead(request, clock());
    const certain = onlyRouteOf(head);
    const unread = certain && orders.claimUnread(targetOf(head, certain));
    const arrival = unread ? { ...head, text: '' } : await readArrival(request, head).catch(() => undefined);
    if (!arrival) {
      // The client left before the end of its request.
      response.destroy();
      return;
    }
    const route = unread ? certain : routeOf(arrival);
    if (route) {
      arrival.operation = route.operation.name;
    }
    const account = accountCarried(arrival, state);
    if (account) {
      arrival.account = account.key;
    }
    arrivals.push(arrival);
    const { record } = state;
    const before = record.length;
    const target = { ...targetOf(arrival, route), ...(account && { account: account.key }) };
    const reply = replyTo(arrival, route, unread ?? orders.claim(target));
    save();
    for (const message of record.slice(before)) {
      webhook.accepted(message);
    }
    await sendReply(reply, response, { slowness, wait });
    const milliseconds = Math.round(performance.now() - startedAt);
    onExchange?.(toLoggedRequest(arrival, reply, { milliseconds, answered: response.writableFinished }));
  }

  function replyTo(
    arrival: Arrival,
    route: RouteMatch | undefined,
    ordered: ProviderFault | undefined,
  ): Reply {
    try {
      forgetExpired(state, clock());
      if (arrival.account !== undefined) {
        accountOf(arrival.account);
      }
      return handleRequest(arrival, { route, ordered, state, now: clock() });
    } catch (error) {
      process.emitWarning(
        `The sandbox's provider broke down: ${error instanceof Error ? error.stack : error}`,
      );
      return errorReply(new ProviderErrorReply(500, 'The sandbox itself broke down'), arrival.path);
    }
  }

  async function listen(): Promise<void> {
    server.listen(port, host);
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') {
      throw new Error('The provider has no port');
    }
    port = address.port;
  }

  async function goDown(): Promise<void> {
    if (server.listening) {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    }
  }

  await listen();
  return {
    url: `http://${host}:${port}`,
    port,
    get account() {
      return accountViewOf(accountOf(marketKey));
    },
    get otherAccount() {
      return accountViewOf(accountOf(agencyKey));
    },
    get fullAccount() {
      return accountViewOf(accountOf(harbourKey));
    },
    get keys() {
      return state.accounts.map(({ key }) => key);
    },
    addAccount(account) {
      state.accounts.push(account);
      save();
    },
    accountWith: (key) => accountViewOf(accountOf(key)),
    get record() {
      return state.record;
    },
    get inbox() {
      return state.inbox;
    },
    webhook,
    async receive(text, key = marketKey) {
      const received = receiveText(text, state, accountOf(key), clock());
      save();
      await webhook.received(received);
      return received;
    },
    phones: () => phonesOf(state, (id, number) => webhook.outcomesOf(id, number)),
    get emptiedPhonebooks() {
      return state.emptiedPhonebooks;
    },
    get arrivals() {
      return arrivals;
    },
    setBalance(naira, key = marketKey) {
      accountOf(key).balanceInKobo = Math.round(naira * 100);
      save();
    },
    approveSenderId(name, key = marketKey) {
      const { senderIds } = accountOf(key);
      const index = senderIds.findIndex((candidate) => candidate.sender_id === name);
      const known = senderIds[index];
      if (!known) {
        throw new Error(`The account has no sender ID ${name}`);
      }
      senderIds[index] = review(known, 'active');
      save();
    },
    expireTokens() {
      state.esimTokens = [];
      save();
    },
    orderFault: (order) => orders.add(order),
    goDown,
    async comeUp() {
      if (!server.listening) {
        await listen();
      }
    },
    reset() {
      state = seedState(clock(), accounts);
      arrivals = [];
      orders.cancelAll();
      webhook.reset();
      save();
    },
    async stop() {
      await goDown();
      webhook.reset();
      await webhook.settled();
      await file?.flush();
    },
  };
}

function accountIn({ accounts }: State, key: string): AccountState {
  const account = accounts.find((candidate) => candidate.key === key);
  if (!account) {
    throw new Error(`No account has the key ${key}`);
  }
  return account;
}

function targetOf({ method, path }: Head, route: RouteMatch | undefined): Target {
  return { method, path, ...(route && { operation: route.operation.name }) };
}

/** An expired pin is kept for a day, so that its verification can answer "Expired". */
const expiredPinMinutes = 24 * 60;

/** Applies the reviews and uploads that are due. */
function advanceAccount(account: AccountState, now: Date): void {
  reviewSenderIds(account, now);
  applyUploads(account, now);
}

/** Forgets expired tokens and pins. */
function forgetExpired(state: State, now: Date): void {
  state.esimTokens = state.esimTokens.filter(({ expiresAt }) => new Date(expiresAt) > now);
  state.pins = state.pins.filter(({ expiresAt }) => addMinutes(new Date(expiresAt), expiredPinMinutes) > now);
}
