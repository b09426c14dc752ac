import { Secret } from '../lib/secret.ts';
import type { Dialect } from './dialect.ts';
import type { TokenCache } from './esims/esim-token.ts';
import { createEsims, type Esims } from './esims/esims.ts';
import { systemTiming, type Timing } from './http/timeouts.ts';
import { createTransport, type TransportOptions } from './http/transport.ts';
import { createInsight, type Insight } from './insight/insight.ts';
import { createMessages, type Messages } from './messages/messages.ts';
import { createPhonebooks, type Phonebooks } from './phonebooks/phonebooks.ts';
import { createCaller } from './request.ts';
import { createSenderIds, type SenderIds } from './sender-ids/sender-ids.ts';
import { createTokens, type Tokens } from './tokens/tokens.ts';

export interface ProviderOptions extends Omit<TransportOptions, 'callsPerLane' | 'timing'> {
  /** Calls of one account under way at once, so that no account starves another. Default: a quarter of `connections`. */
  readonly callsPerAccount?: number;
  readonly dialect: Dialect;
  /** Time and chance; a test passes its own. */
  readonly timing?: Timing;
}

/** Everything one API key may do. */
export interface Account {
  readonly messages: Messages;
  readonly tokens: Tokens;
  readonly insight: Insight;
  readonly senderIds: SenderIds;
  readonly phonebooks: Phonebooks;
  readonly esims: Esims;
}

interface AccountOptions {
  /** Keeps the token for eSIMs over a restart; without it, a restart obtains a new one. */
  readonly tokenCache?: TokenCache;
}

/** One provider, shared by all accounts on it. */
export interface Provider {
  /** What is made here shares one token for eSIMs among its callers: make it once, and keep it. */
  account(key: Secret | string, options?: AccountOptions): Account;
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
    callsPerAccount = Math.max(1, Math.floor(options.connections / 4)),
    timing = systemTiming,
    dialect,
  } = options;
  const transport = createTransport({ ...options, callsPerLane: callsPerAccount, timing });
  return {
    account(key, { tokenCache } = {}) {
      const call = createCaller(transport, typeof key === 'string' ? new Secret(key) : key);
      return {
        messages: createMessages(call, dialect),
        tokens: createTokens(call, dialect),
        insight: createInsight(call),
        senderIds: createSenderIds(call),
        phonebooks: createPhonebooks(call, dialect),
        esims: createEsims(call, { ...options, timing, tokenCache }),
      };
    },
    close: () => transport.close(),
  };
}
