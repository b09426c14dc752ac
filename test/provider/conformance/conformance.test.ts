import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { operationNames } from '../../../sandbox/provider/operation-names.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { describedOperations as words } from '../../../src/provider/operations.ts';
import { testClient } from '../../support/provider/provider-client.ts';
import { operations } from '../description/description.ts';
import { requestRows, responseFields } from '../description/request-rows.ts';
import type { Operation } from '../description/types.ts';
import { requestFaults, valuesIn } from './check-request.ts';
import { valuesAt } from './check-response.ts';
import { callClient, createResponseLog, inputOf, revealSecrets, valueFaults } from './client.ts';
import { clientFields } from './client-fields/client-fields.ts';
import type { ClientFields } from './client-fields/types.ts';
import {
  allRequestMarks,
  allResponseMarks,
  brokenMarks,
  createCoverage,
  requestMarks,
  responseMarks,
} from './coverage.ts';
import { invalidRequests } from './invalid-requests.ts';
import { makeResponse } from './make-response.ts';
import { worldFor } from './sandbox.ts';
import { compose, type Values, validRequests } from './valid-requests.ts';

/** Rules of the API that the client never uses. */
const never = new Set([
  // A code is sent as text, which keeps leading zeros.
  'tokens.call code: given, integer',
]);

/** Every rule of the API description. The last test reports those that no test covered. */
const ledger = createCoverage(
  operations.flatMap((operation) => [
    ...allRequestMarks(operation).filter((mark) => !never.has(mark)),
    ...takenRows(operation).flatMap((row) => brokenMarks(operation, row)),
    ...allResponseMarks(operation),
  ]),
);

for (const operation of operations) {
  const { name } = operation;

  test(`${name} sends the documented request and returns every field of the response`, async (t) => {
    const { known, fields, call } = await start(t, operation);
    for (const values of validRequests(operation, known)) {
      if (requestMarks(operation, values).some((mark) => never.has(mark))) {
        continue;
      }
      const { outcome, arrival, answerTo } = await call(values);
      if (fields.demands?.some((demanded) => !(demanded in values))) {
        assert.deepEqual([outcome.kind, arrival], ['not_sent', undefined]);
        continue;
      }
      assert.ok(outcome.kind === 'accepted' && arrival, inspect({ values, outcome }));
      assert.deepEqual(requestFaults(operation, arrival), []);
      const left = valuesIn(operation, arrival);
      for (const taken of Object.keys(fields.takes).filter((taken) => taken in values)) {
        assert.deepEqual(await spelled(left[taken]), await spelled(values[taken]), taken);
      }
      ledger.cover(requestMarks(operation, left));
      const paths = Object.keys(responseFields(operation));
      assert.deepEqual(valueFaults(fields, paths, await answerTo(arrival), outcome.value), []);
    }
  });

  test(`${name} refuses every invalid input`, async (t) => {
    const { known, fields, call } = await start(t, operation);
    for (const { values, row, mark } of invalidRequests(operation, known)) {
      const place = fields.takes[row.name];
      if (place === undefined) {
        continue;
      }
      const { outcome, arrival } = await call(values);
      if (outcome.kind === 'not_sent') {
        const faulty = outcome.error.faults?.map(({ field }) => field.replace(/\[\d+\]$/, ''));
        assert.ok(faulty?.includes(place), `${mark}: ${outcome.error.message}`);
      } else if (fields.leaves?.includes(row.name)) {
        assert.equal(outcome.kind, 'rejected', mark);
      } else {
        // The client corrected the input.
        assert.deepEqual(arrival && requestFaults(operation, arrival), [], mark);
      }
      ledger.cover([mark]);
    }
  });

  test(`${name} is repeatable only if it is idempotent`, () => {
    const effects = new Map<string, string>(Object.entries(words).map(([key, { effect }]) => [key, effect]));
    assert.equal(effects.get(name) === 'read', operation.idempotent);
  });
}

// The response with a QR code is not documented.
for (const operation of operations.filter(({ response }) => response !== 'not shown')) {
  const { name } = operation;

  test(`${name} returns every documented field and the raw response`, async (t) => {
    const described = responseFields(operation);
    const { provider, known, fields, call } = await start(t, operation);
    const places = Object.entries(fields.gives).map(([path, place]) => (place === 'raw' ? path : place));
    const answer = makeResponse(described, (path) => places.indexOf(fields.gives[path] ?? path));
    const ordered = operationNames.find((one) => one === name) ?? assert.fail(`the sandbox has no ${name}`);
    provider.orderFault({ operation: ordered, fault: { kind: 'answer', body: answer } });
    const demanded = (fields.demands ?? []).map((field) => [field, known[field]]);
    const { outcome } = await call(compose(operation, known, Object.fromEntries(demanded)));
    assert.ok(outcome.kind === 'accepted', inspect(outcome));
    const paths = Object.keys(described);
    assert.deepEqual(valueFaults(fields, paths, answer, outcome.value), []);
    assert.deepEqual(valuesAt(revealSecrets(outcome.value), 'raw').values, [answer]);
    ledger.cover(responseMarks(operation, answer));
  });
}

test('the tests of the client cover every rule of the API description', () => {
  assert.deepEqual(ledger.uncovered(), []);
});

/** Starts a sandbox and returns a function that calls the client with the values of a request. */
async function start(t: TestContext, operation: Operation) {
  const { onExchange, answerTo } = createResponseLog();
  const { provider, known } = await worldFor(t, operation, onExchange);
  const { provider: client } = testClient(t, new URL(provider.url), { dialect });
  const account = client.account(new Secret(String(known.api_key)));
  const fields = fieldsOf(operation);
  const call = async (values: Values) => {
    const earlier = provider.arrivals.length;
    const outcome = await callClient(account, operation.name, await inputOf(fields, values));
    const arrived = provider.arrivals
      .slice(earlier)
      .filter((arrival) => arrival.operation === operation.name);
    assert.ok(arrived.length <= 1, 'the client sent it twice');
    return { outcome, arrival: arrived[0], answerTo };
  };
  return { provider, known, fields, call };
}

const dialect = {
  chatChannel: 'chatapp',
  chatOtpChannel: 'chatapp_otp',
  voiceOtpPath: '/api/sms/otp/call',
  contactDeleteBy: 'query:contact_id',
};

/** The request fields that the client's input sets. */
function takenRows(operation: Operation) {
  const { takes } = fieldsOf(operation);
  return requestRows(operation).filter(({ name }) => name in takes);
}

function fieldsOf({ name }: Operation): ClientFields {
  const fields = new Map<string, ClientFields>(Object.entries(clientFields));
  return fields.get(name) ?? assert.fail(`the fields of the client's ${name} are not known`);
}

/** Normalizes equivalent values. The fields of an object are compared separately. */
async function spelled(value: unknown): Promise<unknown> {
  if (value instanceof Blob) {
    return value.text();
  }
  return typeof value === 'object' && !Array.isArray(value) ? typeof value : [value].flat();
}
