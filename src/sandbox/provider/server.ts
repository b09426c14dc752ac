import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Exchange } from '../slack/protocol.ts';
import { agencyAccount, agencyKey, marketAccount, marketKey } from './accounts.ts';
import { describeExchange } from './exchanges.ts';
import { Refusal } from './refusals.ts';
import { type Reply, refusalReply } from './replies.ts';
import { type Arrival, readRequest } from './requests.ts';
import { replyTo } from './router.ts';
import { sendReply } from './sending.ts';
import type { AcceptedMessage, Account, Channel, SenderId, State } from './state.ts';
import { keepState, readState } from './state-file.ts';

export interface ProviderOptions {
  /** A free one by default. */
  port?: number;
  /** 127.0.0.1 by default. */
  host?: string;
  /** What time it is, for quiet hours and timestamps. */
  clock?: () => Date;
  /** Where the state is kept over a restart; nowhere by default. */
  stateFile?: string;
  /** Told of each request once its answer was given, or was not. */
  onExchange?: (exchange: Exchange) => void;
  /** How long the slow magic number takes, in milliseconds. */
  slowness?: number;
}

/** An account as it stood when it was asked for. */
interface AccountView {
  key: string;
  name: string;
  applicationId: number;
  /** In naira. */
  balance: number;
  channels: readonly Channel[];
  senderIds: readonly Readonly<SenderId>[];
}

/** A messaging provider on this machine. */
export interface ProviderSandbox {
  /** Without a slash at its end. */
  readonly url: string;
  readonly port: number;
  /** The account to connect first: all routes but the chat application's one-time codes. */
  readonly account: AccountView;
  /** Another workspace's: without the dnd route, and with sender IDs for two pages. */
  readonly otherAccount: AccountView;
  /** Every accepted message, the oldest first. */
  readonly record: readonly AcceptedMessage[];
  /** Every request that was read to its end, also those whose answer was cut, the oldest first. */
  readonly arrivals: readonly Arrival[];
  /** Sets a balance in naira, of the first account unless a key names another. */
  setBalance(naira: number, key?: string): void;
  /** Makes a sender ID active. Throws where the account has none of that name. */
  approveSenderId(name: string, key?: string): void;
  /** Cuts every connection and refuses new ones. */
  goDown(): Promise<void>;
  /** Listens again, on the same port. */
  comeUp(): Promise<void>;
  /** Back to the first day: accounts, record and arrivals. */
  reset(): void;
  /** Goes down for good and saves the state. */
  stop(): Promise<void>;
}

/** Starts the provider. Rejects where the port is taken (`EADDRINUSE`) or the state file cannot be read. */
export async function startProvider(options: ProviderOptions = {}): Promise<ProviderSandbox> {
  const { host = '127.0.0.1', clock = () => new Date(), stateFile, onExchange, slowness = 10_000 } = options;
  let state = (stateFile && (await readState(stateFile))) || firstState(clock());
  let arrivals: Arrival[] = [];
  const file = stateFile ? keepState(stateFile, () => state) : undefined;

  const server = createServer((request, response) => {
    void handle(request, response);
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const arrival = await readRequest(request, clock()).catch(() => undefined);
    if (!arrival) {
      // The client left before the end of its request.
      response.destroy();
      return;
    }
    arrivals.push(arrival);
    const reply = decide(arrival);
    file?.save();
    await sendReply(reply, response, slowness);
    const milliseconds = Math.round(performance.now() - startedAt);
    onExchange?.(describeExchange(arrival, reply, { milliseconds, answered: response.writableFinished }));
  }

  function decide(arrival: Arrival): Reply {
    try {
      return replyTo(arrival, state, clock());
    } catch (error) {
      process.emitWarning(
        `The sandbox's provider broke down: ${error instanceof Error ? error.stack : error}`,
      );
      return refusalReply(new Refusal(500, 'The sandbox itself broke down'), arrival.path);
    }
  }

  function accountOf(key: string): Account {
    const account = state.accounts.find((candidate) => candidate.key === key);
    if (!account) throw new Error(`No account has the key ${key}`);
    return account;
  }

  async function listen(port: number): Promise<number> {
    server.listen(port, host);
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('The provider has no port');
    return address.port;
  }

  async function goDown() {
    if (!server.listening) return;
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
      return viewOf(accountOf(marketKey));
    },
    get otherAccount() {
      return viewOf(accountOf(agencyKey));
    },
    get record() {
      return state.record;
    },
    get arrivals() {
      return arrivals;
    },
    setBalance(naira, key = marketKey) {
      accountOf(key).balanceInKobo = Math.round(naira * 100);
      file?.save();
    },
    approveSenderId(name, key = marketKey) {
      const senderId = accountOf(key).senderIds.find((candidate) => candidate.sender_id === name);
      if (!senderId) throw new Error(`The account has no sender ID ${name}`);
      senderId.status = 'active';
      file?.save();
    },
    goDown,
    async comeUp() {
      if (!server.listening) await listen(port);
    },
    reset() {
      state = firstState(clock());
      arrivals = [];
      file?.save();
    },
    async stop() {
      await goDown();
      await file?.flush();
    },
  };
}

function firstState(now: Date): State {
  return { accounts: [marketAccount(now), agencyAccount(now)], record: [] };
}

function viewOf({ balanceInKobo, ...account }: Account): AccountView {
  return { ...structuredClone(account), balance: balanceInKobo / 100 };
}
