import assert from 'node:assert/strict';
import type { ProviderAccount } from '../../../src/provider/client.ts';
import type { Outcome } from '../../../src/provider/errors.ts';
import { requestRows } from '../description/request-rows.ts';
import type { Operation } from '../description/types.ts';
import { callClient, inputOf } from './client.ts';
import { clientFields } from './client-fields/client-fields.ts';
import type { ClientFields } from './client-fields/types.ts';
import { compose, type Values } from './valid-requests.ts';

/** A dialect with every setting. */
export const fullDialect = {
  chatChannel: 'chatapp',
  chatOtpChannel: 'chatapp_otp',
  contactDeleteBy: 'query:contact_id',
};

/** The values of a valid request: the required fields and those that the client requires. */
export function validValues(operation: Operation, known: Values = {}): Values {
  const demands: readonly string[] = fieldsOf(operation).demands ?? [];
  const demanded = requestRows(operation)
    .filter(({ name }) => demands.includes(name))
    .map(({ name, field }) => [name, known[name] ?? field.example]);
  return compose(operation, known, Object.fromEntries(demanded));
}

/** Runs an operation, and fails if it does not end. */
export async function callWithValues(
  account: ProviderAccount,
  operation: Operation,
  values: Values,
): Promise<Outcome<unknown>> {
  const made = callClient(account, operation.name, await inputOf(fieldsOf(operation), values));
  const { promise: hung, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`${operation.name} hangs`)), 20_000);
  return Promise.race([made, hung]).finally(() => clearTimeout(timer));
}

function fieldsOf({ name }: Operation): ClientFields {
  const fields = new Map<string, ClientFields>(Object.entries(clientFields));
  return fields.get(name) ?? assert.fail(`the fields of the client's ${name} are not known`);
}
