import assert from 'node:assert/strict';
import { once } from 'node:events';
import { operationNames } from '../../../sandbox/provider/operation-names.ts';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { createProvider, type ProviderOptions } from '../../../src/provider/client.ts';
import type { Outcome } from '../../../src/provider/errors.ts';
import type { Timing } from '../../../src/provider/http/timing.ts';
import { deadline, headFrom, heldTime } from '../../support/time/manual-timing.ts';
import { callRightly, rightValues, wholeDialect } from '../conformance/valid-call.ts';
import type { Values } from '../conformance/valid-requests.ts';
import type { Operation } from '../description/types.ts';
import { quotationOf } from './check-error-message.ts';
import type { Fault } from './faults.ts';
import { receiptOf } from './receipts.ts';

/** What came of one call that met a fault. */
export interface Meeting {
  readonly outcome: Outcome<unknown>;
  readonly arrivals: number;
  /** The pauses that the client made, in milliseconds. */
  readonly pauses: readonly number[];
  /** What the client was given, as the provider calls it. */
  readonly values: Values;
}

/** Where one fault waits for every operation that comes, one after the other. */
export interface World {
  meet(operation: Operation): Promise<Meeting>;
  close(): Promise<void>;
}

export async function worldOf(fault: Fault, elsewhere: URL): Promise<World> {
  return 'onTheWay' in fault.befalls
    ? worldWithoutProvider(fault.befalls)
    : worldAtProvider(fault, fault.befalls, elsewhere);
}

type Befalls<Where extends string> = Extract<Fault['befalls'], Readonly<Record<Where, unknown>>>;

async function worldWithoutProvider({ onTheWay }: Befalls<'onTheWay'>): Promise<World> {
  const { url, connect, close } = await onTheWay();
  const { timing, takePauses } = heldTime();
  const client = clientOf(url, timing, { ...(connect && { connect }) });
  const account = client.account(new Secret('matrix-key-8d2f60b1c4e7'));
  return {
    async meet(operation) {
      const values = rightValues(operation, {});
      return {
        outcome: await callRightly(account, operation, values),
        arrivals: 0,
        pauses: takePauses(),
        values,
      };
    },
    async close() {
      await client.close();
      await close();
    },
  };
}

async function worldAtProvider(
  { deadlineAfter }: Fault,
  { there }: Befalls<'there'>,
  elsewhere: URL,
): Promise<World> {
  const { timing, takePauses, passDeadlines } = heldTime();
  const provider = await startProvider({
    // What is slow goes on for ever: only a client that leaves ends it.
    async wait(_milliseconds, left) {
      const over = once(left, 'abort');
      if (deadlineAfter === 'the head of the answer') {
        await headFrom(provider.url);
      }
      if (deadlineAfter) {
        passDeadlines();
      }
      await over;
    },
  });
  const client = clientOf(new URL(provider.url), timing);
  const { key, senderIds, emailConfigurations, phonebooks, sims } = provider.fullAccount;
  const account = client.account(new Secret(key));
  const [phonebook, sim] = [phonebooks[0], sims[0]];
  const known = {
    api_key: key,
    from: senderIds[0]?.sender_id,
    email_configuration_id: emailConfigurations[0],
    phonebook_id: phonebook?.id,
    contact_id: phonebook?.contacts[0]?.id,
    'contact.api_key': key,
    'contact.pid': phonebook?.id,
    iccid: sim?.iccid,
    ICCID: sim?.iccid,
    productId: sim?.productId,
  };
  return {
    async meet(operation) {
      const name = operationNames.find((one) => one === operation.name) ?? assert.fail(operation.name);
      const values = rightValues(operation, known);
      const fault = there(quotationOf(values), elsewhere, receiptOf(operation.name));
      const order = provider.orderFault({ operation: name, fault, times: Infinity });
      const earlier = provider.arrivals.length;
      const outcome = await callRightly(account, operation, values);
      order.cancel();
      const arrived = provider.arrivals.slice(earlier).filter((arrival) => arrival.operation === name);
      return { outcome, arrivals: arrived.length, pauses: takePauses(), values };
    },
    async close() {
      await client.close();
      await provider.stop();
    },
  };
}

function clientOf(baseUrl: URL, timing: Timing, options: Pick<ProviderOptions, 'connect'> = {}) {
  return createProvider({
    baseUrl,
    connections: 4,
    connectTimeout: 60_000,
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
    totalTimeout: deadline,
    dialect: wholeDialect,
    timing,
    ...options,
  });
}
