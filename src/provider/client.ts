import { Secret } from '../lib/secret.ts';
import { createBalanceOperations } from './balance.ts';
import type { Dialect } from './dialect.ts';
import type { TokenCache } from './esims/esim-token.ts';
import { createEsimOperations } from './esims/esims.ts';
import { systemTiming, type Timing } from './http/timing.ts';
import { createTransport, type TransportOptions } from './http/transport.ts';
import { createInsightOperations } from './insight.ts';
import { createMessageOperations } from './messages.ts';
import { createPhonebookOperations } from './phonebooks.ts';
import {
  createRequestSender,
  type OnCall,
  type OnConnectionFault,
  observeCalls,
  type RequestSender,
} from './request/request-sender.ts';
import { createSenderIdOperations } from './sender-ids.ts';
import { createTokenOperations } from './tokens.ts';

/** How long a request may take, in milliseconds, and the connections. */
export type ProviderLimits = Pick<
  TransportOptions,
  'connectTimeout' | 'headersTimeout' | 'bodyTimeout' | 'totalTimeout' | 'connections'
>;

export const usualLimits: ProviderLimits = {
  // A handshake with TLS takes three round trips. Where five seconds are not enough, the provider is away.
  connectTimeout: 5_000,
  // An answer that is given up may still come, and leaves a message unconfirmed: so it is awaited for long.
  headersTimeout: 30_000,
  // Answers are small. A pause this long in one is a broken connection.
  bodyTimeout: 15_000,
  // Leaves room for a slow head and a slow body after it.
  totalTimeout: 45_000,
  // With answers in a quarter of a second, each connection does four requests of up to 100 recipients a second.
  connections: 16,
};

export interface ProviderOptions
  extends Omit<TransportOptions, 'concurrencyPerKey' | 'timing' | keyof ProviderLimits>,
    Partial<ProviderLimits> {
  /** Concurrent requests per account, so that no account starves another. Default: a quarter of `connections`. */
  readonly concurrencyPerAccount?: number | undefined;
  readonly dialect: Dialect;
  readonly onConnectionFault?: OnConnectionFault | undefined;
  readonly onCall?: OnCall | undefined;
  /** Clock, timers and randomness; replaced in tests. */
  readonly timing?: Timing | undefined;
}

/** Everything that one API key may do. */
export type ProviderAccount = ReturnType<typeof createAccount>;

/** Creates the operations of one account over what sends its requests. */
export function createAccount(
  send: RequestSender,
  options: Parameters<typeof createEsimOperations>[1] & { readonly dialect: Dialect },
) {
  const { dialect } = options;
  return {
    messages: createMessageOperations(send, dialect),
    tokens: createTokenOperations(send, dialect),
    insight: createInsightOperations(send),
    senderIds: createSenderIdOperations(send),
    phonebooks: createPhonebookOperations(send, dialect),
    esims: createEsimOperations(send, options),
    balance: createBalanceOperations(send, dialect),
  };
}

/** One provider, shared by all its accounts. */
export type Provider = ReturnType<typeof createProvider>;

/**
 * A client of the provider's HTTP API. No operation throws: each resolves to an `Outcome`, within `totalTimeout`.
 * Only the iterators over whole lists (`all…`) throw, a `ProviderFailure`, where a page is not accepted.
 *
 * ```ts
 * const provider = createProvider({ baseUrl: new URL('https://api.example.com'), dialect: { chatChannel: 'chatapp' } });
 * const account = provider.account(key);
 * const outcome = await account.messages.send({ to: '2348030000001', from: 'Acme', route: 'dnd', text: 'Hello' });
 * if (outcome.kind !== 'accepted') console.error(outcome.error.message);
 * ```
 */
export function createProvider(options: ProviderOptions) {
  const limits = { ...usualLimits, ...options };
  const { concurrencyPerAccount = Math.max(1, Math.floor(limits.connections / 4)), timing = systemTiming } =
    options;
  const transport = createTransport({ ...limits, concurrencyPerKey: concurrencyPerAccount, timing });
  return {
    /**
     * Creates the client of one account. Create it once and keep it: its callers share one eSIM token. Without a cache of
     * the token, a restart obtains a new one.
     */
    account(
      key: Secret | string,
      { tokenCache }: { readonly tokenCache?: TokenCache | undefined } = {},
    ): ProviderAccount {
      const secret = typeof key === 'string' ? new Secret(key) : key;
      const send = observeCalls(createRequestSender(transport, secret, options.onConnectionFault), {
        onCall: options.onCall,
        elapsed: timing.elapsed,
      });
      return createAccount(send, { ...limits, timing, tokenCache });
    },
    /** Refuses new requests, resolves when the requests under way have ended, and closes every connection. */
    close: () => transport.close(),
  };
}
