import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { LoggedRequest } from '../lib/logged-request.ts';
import type { StateFile } from '../lib/state-file.ts';
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
import { type Phone, type PhoneText, phonesOf, receiveText } from './phones/phones.ts';
import { handleRequest, onlyRouteOf, type RouteMatch, routeOf } from './router.ts';
import { review } from './sender-ids/sender-ids.ts';
import { advanceTime } from './state/advance-time.ts';
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
  const { host = '127.0.0.1', clock = () => new Date(), stateFile, port = 0 } = options;
  const state = (stateFile && (await readProviderState(stateFile))) || seedState(clock(), options.accounts);
  const provider = new ProviderServer({ ...options, host, clock }, state);
  await provider.listen(port);
  return provider;
}

class ProviderServer implements ProviderSandbox {
  readonly #options: ProviderSandboxOptions & { host: string; clock: () => Date };
  readonly #orders = faultOrders();
  readonly #file: StateFile | undefined;
  readonly #webhook: WebhookSender;
  readonly #server = createServer((request, response) => {
    void this.#handle(request, response);
  });
  #state: State;
  #arrivals: Arrival[] = [];
  #port = 0;

  constructor(options: ProviderSandboxOptions & { host: string; clock: () => Date }, state: State) {
    this.#options = options;
    this.#state = state;
    const { stateFile, clock, wait = realWait, onExchange } = options;
    this.#file = stateFile ? createProviderStateFile(stateFile, () => this.#state) : undefined;
    this.#webhook = new WebhookSender({
      clock,
      wait,
      accountOf: (key) => accountIn(this.#state, key),
      onChange: () => this.#file?.save(),
      onExchange,
    });
  }

  get url(): string {
    return `http://${this.#options.host}:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  get account(): AccountView {
    return accountViewOf(this.#accountOf(marketKey));
  }

  get otherAccount(): AccountView {
    return accountViewOf(this.#accountOf(agencyKey));
  }

  get fullAccount(): AccountView {
    return accountViewOf(this.#accountOf(harbourKey));
  }

  get keys(): readonly string[] {
    return this.#state.accounts.map(({ key }) => key);
  }

  addAccount(account: AccountState): void {
    this.#state.accounts.push(account);
    this.#file?.save();
  }

  accountWith(key: string): AccountView {
    return accountViewOf(this.#accountOf(key));
  }

  get record(): readonly AcceptedMessage[] {
    return this.#state.record;
  }

  get inbox(): readonly InboundText[] {
    return this.#state.inbox;
  }

  get webhook(): ProviderWebhook {
    return this.#webhook;
  }

  async receive(text: PhoneText, key = marketKey): Promise<InboundText> {
    const received = receiveText(text, this.#state, this.#accountOf(key), this.#options.clock());
    this.#file?.save();
    await this.#webhook.received(received);
    return received;
  }

  phones(): Phone[] {
    return phonesOf(this.#state, (id, number) => this.#webhook.outcomesOf(id, number));
  }

  get emptiedPhonebooks(): State['emptiedPhonebooks'] {
    return this.#state.emptiedPhonebooks;
  }

  get arrivals(): readonly Arrival[] {
    return this.#arrivals;
  }

  setBalance(naira: number, key = marketKey): void {
    this.#accountOf(key).balanceInKobo = Math.round(naira * 100);
    this.#file?.save();
  }

  approveSenderId(name: string, key = marketKey): void {
    const { senderIds } = this.#accountOf(key);
    const index = senderIds.findIndex((candidate) => candidate.sender_id === name);
    const known = senderIds[index];
    if (!known) {
      throw new Error(`The account has no sender ID ${name}`);
    }
    senderIds[index] = review(known, 'active');
    this.#file?.save();
  }

  expireTokens(): void {
    this.#state.esimTokens = [];
    this.#file?.save();
  }

  orderFault(order: FaultOrder): OrderedFault {
    return this.#orders.add(order);
  }

  async listen(port: number): Promise<void> {
    this.#server.listen(port, this.#options.host);
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (address === null || typeof address === 'string') {
      throw new Error('The provider has no port');
    }
    this.#port = address.port;
  }

  async goDown(): Promise<void> {
    if (!this.#server.listening) {
      return;
    }
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async comeUp(): Promise<void> {
    if (!this.#server.listening) {
      await this.listen(this.#port);
    }
  }

  reset(): void {
    this.#state = seedState(this.#options.clock(), this.#options.accounts);
    this.#arrivals = [];
    this.#orders.cancelAll();
    this.#webhook.reset();
    this.#file?.save();
  }

  async stop(): Promise<void> {
    await this.goDown();
    this.#webhook.reset();
    await this.#webhook.settled();
    await this.#file?.flush();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { clock, onExchange, slowness = 10_000, wait = realWait } = this.#options;
    const startedAt = performance.now();
    const head = readHead(request, clock());
    const certain = onlyRouteOf(head);
    const unread = certain && this.#orders.claimUnread(targetOf(head, certain));
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
    const account = accountCarried(arrival, this.#state);
    if (account) {
      arrival.account = account.key;
    }
    this.#arrivals.push(arrival);
    const { record } = this.#state;
    const before = record.length;
    const target = { ...targetOf(arrival, route), ...(account && { account: account.key }) };
    const reply = this.#reply(arrival, route, unread ?? this.#orders.claim(target));
    this.#file?.save();
    for (const message of record.slice(before)) {
      this.#webhook.accepted(message);
    }
    await sendReply(reply, response, { slowness, wait });
    const milliseconds = Math.round(performance.now() - startedAt);
    onExchange?.(toLoggedRequest(arrival, reply, { milliseconds, answered: response.writableFinished }));
  }

  #reply(arrival: Arrival, route: RouteMatch | undefined, ordered: ProviderFault | undefined): Reply {
    const { clock } = this.#options;
    try {
      advanceTime(this.#state, clock());
      return handleRequest(arrival, { route, ordered, state: this.#state, now: clock() });
    } catch (error) {
      process.emitWarning(
        `The sandbox's provider broke down: ${error instanceof Error ? error.stack : error}`,
      );
      return errorReply(new ProviderErrorReply(500, 'The sandbox itself broke down'), arrival.path);
    }
  }

  #accountOf(key: string): AccountState {
    advanceTime(this.#state, this.#options.clock());
    return accountIn(this.#state, key);
  }
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
