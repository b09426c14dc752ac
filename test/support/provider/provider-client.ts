import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { Secret } from '../../../src/lib/secret.ts';
import {
  createProvider,
  type Provider,
  type ProviderAccount,
  type ProviderOptions,
} from '../../../src/provider/client.ts';
import type { FailureKind, Outcome, ProviderError, Reason } from '../../../src/provider/errors.ts';
import { systemTiming, type Timing } from '../../../src/provider/http/timing.ts';
import { type Behaviour, type RawServer, type Script, startRawServer } from '../http/raw-server.ts';

export const testKey = 'TLkey4f9b2c7d81e6';

export interface TestClient {
  readonly provider: Provider;
  readonly account: ProviderAccount;
  /** The delays between attempts so far, in milliseconds. They are skipped. */
  readonly pauses: readonly number[];
}

/** A client for one test, closed after it. Its deadline runs in real time; delays between attempts are skipped. */
export function testClient(
  test: TestContext,
  baseUrl: URL,
  options: Partial<ProviderOptions> = {},
): TestClient {
  const { totalTimeout = 20_000 } = options;
  const pauses: number[] = [];
  const timing: Timing = {
    now: systemTiming.now,
    elapsed: systemTiming.elapsed,
    random: () => 0.5,
    after(milliseconds, action) {
      if (milliseconds === totalTimeout) {
        return systemTiming.after(milliseconds, action);
      }
      pauses.push(milliseconds);
      return systemTiming.after(0, action);
    },
  };
  const provider = createProvider({
    baseUrl,
    connections: 4,
    connectTimeout: 60_000,
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
    totalTimeout,
    dialect: { chatChannel: 'chatapp' },
    timing,
    ...options,
  });
  test.after(() => provider.close());
  return { provider, account: provider.account(new Secret(testKey)), pauses };
}

/** A server for one test, closed after it. A behaviour applies to every request. */
export async function serve(test: TestContext, script: Script | Behaviour): Promise<RawServer> {
  const server = await startRawServer(typeof script === 'function' ? { onRequest: script } : script);
  test.after(() => server.close());
  return server;
}

/** An operation that must not be repeated. */
export const send = (account: ProviderAccount, signal?: AbortSignal) =>
  account.messages.send(
    { to: '2348030000001', from: 'Acme', route: 'dnd', text: 'Hello' },
    { ...(signal && { signal }) },
  );

/** A response of success. */
export const taken = { code: 'ok', message_id: '3017500000000000000000001' };

/** An operation that may be repeated. */
export const read = (account: ProviderAccount, signal?: AbortSignal) =>
  account.senderIds.list({}, { ...(signal && { signal }) });

/** A response of success. */
export const list = { content: [] };

/** The expected outcome of an operation that is not accepted, with the status, if any. */
export interface Expected {
  readonly kind: FailureKind;
  readonly reason: Reason;
  readonly status?: number;
}

export async function ends(call: Promise<Outcome<unknown>>, expected: Expected): Promise<ProviderError> {
  const outcome = await call;
  assert.ok(outcome.kind !== 'accepted', 'the call was accepted');
  const { reason, status } = outcome.error;
  assert.deepEqual({ kind: outcome.kind, reason, ...(status !== undefined && { status }) }, expected);
  return outcome.error;
}
