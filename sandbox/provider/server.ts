import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { LoggedRequest } from '../lib/logged-request.ts';
import { type FaultOrder, faultOrders, type OrderedFault, type Target } from './faults/fault-orders.ts';
import type { ProviderFault } from './faults/faults.ts';
import { replyTo } from './handle-request.ts';
import { ProviderErrorReply } from './http/error-responses.ts';
import { toLoggedRequest } from './http/logged-request.ts';
import { errorReply, type Reply } from './http/replies.ts';
import { type Arrival, type Head, readArrival, readHead } from './http/requests.ts';
import { realWait, sendReply, type Wait } from './http/send-reply.ts';
import { onlyRouteOf, type RouteMatch, routeOf } from './router.ts';
import { review } from './sender-ids/sender-ids.ts';
import { type AccountView, accountViewOf } from './state/account-view.ts';
import { advanceTime } from './state/advance-time.ts';
import { agencyKey, harbourKey, marketKey } from './state/seed-accounts.ts';
import { seedState } from './state/seed-state.ts';
import type { AcceptedMessage, AccountState, State } from './state/state.ts';
import { createProviderStateFile, readProviderState } from './state/state-file.ts';

export interface ProviderSandboxOptions {
  /** A free one by default. */
  port?: number;
  /** 127.0.0.1 by default. */
  host?: string;
  /** What time it is, for quiet hours and timestamps. */
  clock?: () => Date;
  /** Where the state is kept over a restart; nowhere by default. */
  stateFile?: string;
  /** Told of each request once its answer was given, or was not. */
  onExchange?: (exchange: LoggedRequest) => void;
  /** How long what is slow takes where nothing else is said, in milliseconds; ten seconds by default. */
  slowness?: number;
  /** By the machine's clock by default. */
  wait?: Wait;
}

/** A messaging provider on this machine. */
export interface ProviderSandbox {
  /** Without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** The account to connect first: everything but the chat application's one-time codes. */
  readonly account: AccountView;
  /** Another workspace's: without the dnd route, number status and e-mail; with sender IDs for two pages. */
  readonly otherAccount: AccountView;
  /** A third one: with all there is. */
  readonly fullAccount: AccountView;
  /** Every accepted message, the oldest first. */
  readonly record: readonly AcceptedMessage[];
  /** Every phonebook that a delete without a contact's id emptied: a client must never send one. */
  readonly emptiedPhonebooks: State['emptiedPhonebooks'];
  /** Every request that was read to its end, or that an ordered fault cut unread, the oldest first. */
  readonly arrivals: readonly Arrival[];
  /** Sets a balance in naira, of the first account unless a key names another. */
  setBalance(naira: number, key?: string): void;
  /** Makes a sender ID active. Throws where the account has none of that name. */
  approveSenderId(name: string, key?: string): void;
  /** Lets every token of the eSIM operations expire at once. */
  expireTokens(): void;
  /** Lets the next request that fits meet a fault, in place of the fault of any magic number in it. */
  orderFault(order: FaultOrder): OrderedFault;
  /** Cuts every connection and refuses new ones. */
  goDown(): Promise<void>;
  /** Listens again, on the same port. */
  comeUp(): Promise<void>;
  /** Back to the first day: accounts, record, arrivals, and no fault ordered. */
  reset(): void;
  /** Goes down for good and saves the state. */
  stop(): Promise<void>;
}

/** Starts the provider. Rejects where the port is taken (`EADDRINUSE`) or the state file cannot be read. */
export async function startProvider(options: ProviderSandboxOptions = {}): Promise<ProviderSandbox> {
  const { host = '127.0.0.1', clock = () => new Date(), stateFile, onExchange } = options;
  const { slowness = 10_000, wait = realWait } = options;
  let state = (stateFile && (await readProviderState(stateFile))) || seedState(clock());
  let arrivals: Arrival[] = [];
  const orders = faultOrders();
  const file = stateFile ? createProviderStateFile(stateFile, () => state) : undefined;

  const server = createServer((request, response) => {
    void handle(request, response);
  });

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
    arrivals.push(arrival);
    const reply = decide(arrival, route, unread ?? orders.claim(targetOf(arrival, route)));
    file?.save();
    await sendReply(reply, response, { slowness, wait });
    const milliseconds = Math.round(performance.now() - startedAt);
    onExchange?.(toLoggedRequest(arrival, reply, { milliseconds, answered: response.writableFinished }));
  }

  function decide(
    arrival: Arrival,
    route: RouteMatch | undefined,
    ordered: ProviderFault | undefined,
  ): Reply {
    try {
      advanceTime(state, clock());
      return replyTo(arrival, { route, ordered, state, now: clock() });
    } catch (error) {
      process.emitWarning(
        `The sandbox's provider broke down: ${error instanceof Error ? error.stack : error}`,
      );
      return errorReply(new ProviderErrorReply(500, 'The sandbox itself broke down'), arrival.path);
    }
  }

  function accountOf(key: string): AccountState {
    advanceTime(state, clock());
    const account = state.accounts.find((candidate) => candidate.key === key);
    if (!account) {
      throw new Error(`No account has the key ${key}`);
    }
    return account;
  }

  async function listen(port: number): Promise<number> {
    server.listen(port, host);
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') {
      throw new Error('The provider has no port');
    }
    return address.port;
  }

  async function goDown() {
    if (!server.listening) {
      return;
    }
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  const port = await listen(options.port ?? 0);

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
    get record() {
      return state.record;
    },
    get emptiedPhonebooks() {
      return state.emptiedPhonebooks;
    },
    get arrivals() {
      return arrivals;
    },
    setBalance(naira, key = marketKey) {
      accountOf(key).balanceInKobo = Math.round(naira * 100);
      file?.save();
    },
    approveSenderId(name, key = marketKey) {
      const { senderIds } = accountOf(key);
      const index = senderIds.findIndex((candidate) => candidate.sender_id === name);
      const known = senderIds[index];
      if (!known) {
        throw new Error(`The account has no sender ID ${name}`);
      }
      senderIds[index] = review(known, 'active');
      file?.save();
    },
    expireTokens() {
      state.esimTokens = [];
      file?.save();
    },
    orderFault: orders.add,
    goDown,
    async comeUp() {
      if (!server.listening) {
        await listen(port);
      }
    },
    reset() {
      state = seedState(clock());
      arrivals = [];
      orders.cancelAll();
      file?.save();
    },
    async stop() {
      await goDown();
      await file?.flush();
    },
  };
}

function targetOf({ method, path }: Head, route: RouteMatch | undefined): Target {
  return { method, path, ...(route && { operation: route.operation.name }) };
}
