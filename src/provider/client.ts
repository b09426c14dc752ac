import type { Secret } from '../secret.ts';
import type { Dialect } from './dialect.ts';
import type { Insight } from './insight.ts';
import type { Messages } from './messages.ts';
import type { SenderIds } from './sender-ids.ts';

export interface ProviderOptions {
  /** https, or http on loopback; may carry a path prefix. */
  readonly baseUrl: URL;
  /** Milliseconds to a connection, TLS included. */
  readonly connectTimeout: number;
  /** Milliseconds from a request to the head of its answer. */
  readonly headersTimeout: number;
  /** Milliseconds between two pieces of a body. */
  readonly bodyTimeout: number;
  /** Milliseconds for a whole call: waiting its turn, every attempt, every pause between them. */
  readonly totalTimeout: number;
  /** Connections to the provider, over all accounts. */
  readonly connections: number;
  /** Calls of one account under way at once, so that no account starves another. Default: a quarter of `connections`. */
  readonly callsPerAccount?: number;
  readonly dialect: Dialect;
}

/** Everything one API key may do. */
export interface Account {
  readonly messages: Messages;
  readonly insight: Insight;
  readonly senderIds: SenderIds;
}

/** One provider, shared by all accounts on it. */
export interface Provider {
  account(key: Secret): Account;
  /** Lets calls under way end, refuses new ones, and closes every connection. */
  close(): Promise<void>;
}
