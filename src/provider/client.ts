import { Secret } from '../lib/secret.ts';
import type { Dialect } from './dialect.ts';
import type { TokenCache } from './esims/esim-token.ts';
import { createEsimOperations, type EsimOperations } from './esims/esims.ts';
import { systemTiming, type Timing } from './http/timing.ts';
import { createTransport, type TransportOptions } from './http/transport.ts';
import { createInsightOperations, type InsightOperations } from './insight/insight.ts';
import { createMessageOperations, type MessageOperations } from './messages/messages.ts';
import { createPhonebookOperations, type PhonebookOperations } from './phonebooks/phonebooks.ts';
import { createRequestSender } from './request/request-sender.ts';
import { createSenderIdOperations, type SenderIdOperations } from './sender-ids/sender-ids.ts';
import { createTokenOperations, type TokenOperations } from './tokens/tokens.ts';

export interface ProviderOptions extends Omit<TransportOptions, 'concurrencyPerKey' | 'timing'> {
  /** Calls of one account under way at once, so that no account starves another. Default: a quarter of `connections`. */
  readonly concurrencyPerAccount?: number;
  readonly dialect: Dialect;
  /** Time and chance; a test passes its own. */
  readonly timing?: Timing;
}

/** Everything one API key may do. */
export interface ProviderAccount {
  readonly messages: MessageOperations;
  readonly tokens: TokenOperations;
  readonly insight: InsightOperations;
  readonly senderIds: SenderIdOperations;
  readonly phonebooks: PhonebookOperations;
  readonly esims: EsimOperations;
}

interface AccountOptions {
  /** Keeps the token for eSIMs over a restart; without it, a restart obtains a new one. */
  readonly tokenCache?: TokenCache;
}

/** One provider, shared by all accounts on it. */
export interface Provider {
  /** What is made here shares one token for eSIMs among its callers: make it once, and keep it. */
  account(key: Secret | string, options?: AccountOptions): ProviderAccount;
  /** Lets calls under way end, refuses new ones, and closes every connection. */
  close(): Promise<void>;
}

/**
 * A client of the provider's HTTP API. No call throws: each resolves to an `Outcome`, within `totalTimeout`.
 * Only the iterators over whole lists (`all…`) throw, a `ProviderFailure`, where a page is not accepted.
 *
 * ```ts
 * const provider = createProvider({ baseUrl: new URL('https://api.example.com'), …, dialect: { chatChannel: 'chatapp' } });
 * const account = provider.account(key);
 * const outcome = await account.messages.send({ to: '2348030000001', from: 'Acme', route: 'dnd', text: 'Hello' });
 * if (outcome.kind !== 'accepted') console.error(outcome.error.message);
 * ```
 */
export function createProvider(options: ProviderOptions): Provider {
  const {
    concurrencyPerAccount: callsPerAccount = Math.max(1, Math.floor(options.connections / 4)),
    timing = systemTiming,
    dialect,
  } = options;
  const transport = createTransport({ ...options, concurrencyPerKey: callsPerAccount, timing });
  return {
    account(key, { tokenCache } = {}) {
      const call = createRequestSender(transport, typeof key === 'string' ? new Secret(key) : key);
      return {
        messages: createMessageOperations(call, dialect),
        tokens: createTokenOperations(call, dialect),
        insight: createInsightOperations(call),
        senderIds: createSenderIdOperations(call),
        phonebooks: createPhonebookOperations(call, dialect),
        esims: createEsimOperations(call, { ...options, timing, tokenCache }),
      };
    },
    close: () => transport.close(),
  };
}
