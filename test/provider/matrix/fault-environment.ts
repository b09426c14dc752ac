import assert from 'node:assert/strict';
import { once } from 'node:events';
import { operationNames } from '../../../sandbox/provider/operation-names.ts';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { createProvider, type ProviderOptions } from '../../../src/provider/client.ts';
import type { Outcome } from '../../../src/provider/errors.ts';
import type { Timing } from '../../../src/provider/http/timing.ts';
import { deadline, headFrom, manualTiming } from '../../support/time/manual-timing.ts';
import { callWithValues, fullDialect, validValues } from '../conformance/valid-call.ts';
import type { Values } from '../conformance/valid-requests.ts';
import type { Operation } from '../description/types.ts';
import { messageQuoting } from './check-error-message.ts';
import type { Fault } from './faults.ts';
import { receiptOf } from './receipts.ts';

/** The result of one operation with a fault. */
export interface FaultResult {
  readonly outcome: Outcome<unknown>;
  readonly arrivals: number;
  /** The delays between attempts, in milliseconds. */
  readonly pauses: readonly number[];
  /** The input, by request field. */
  readonly values: Values;
}

/** An environment with one fault, in which operations run one after the other. */
export interface FaultEnvironment {
  run(operation: Operation): Promise<FaultResult>;
  close(): Promise<void>;
}

export async function createFaultEnvironment(fault: Fault, elsewhere: URL): Promise<FaultEnvironment> {
  return 'onTheWay' in fault.injected
    ? worldWithoutProvider(fault.injected)
    : worldAtProvider(fault, fault.injected, elsewhere);
}

type Befalls<Where extends string> = Extract<Fault['injected'], Readonly<Record<Where, unknown>>>;

async function worldWithoutProvider({ onTheWay }: Befalls<'onTheWay'>): Promise<FaultEnvironment> {
  const { url, connect, close } = await onTheWay();
  const { timing, takePauses } = manualTiming();
  const client = clientOf(url, timing, { ...(connect && { connect }) });
  const account = client.account(new Secret('matrix-key-8d2f60b1c4e7'));
  return {
    async run(operation) {
      const values = validValues(operation, {});
      return {
        outcome: await callWithValues(account, operation, values),
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
): Promise<FaultEnvironment> {
  const { timing, takePauses, passDeadlines } = manualTiming();
  const provider = await startProvider({
    // A slow response never ends until the client disconnects.
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
    async run(operation) {
      const name = operationNames.find((one) => one === operation.name) ?? assert.fail(operation.name);
      const values = validValues(operation, known);
      const fault = there(messageQuoting(values), elsewhere, receiptOf(operation.name));
      const order = provider.orderFault({ operation: name, fault, times: Infinity });
      const earlier = provider.arrivals.length;
      const outcome = await callWithValues(account, operation, values);
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
    dialect: fullDialect,
    timing,
    ...options,
  });
}
