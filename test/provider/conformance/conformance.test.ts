import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { operationNames } from '../../../sandbox/provider/operation-names.ts';
import { Secret } from '../../../src/lib/secret.ts';
import { operationInfo as words } from '../../../src/provider/operations.ts';
import { testClient } from '../../support/provider/provider-client.ts';
import { operations } from '../description/description.ts';
import { requestRows, responseFields } from '../description/request-rows.ts';
import type { Operation } from '../description/types.ts';
import { faultsOfArrival, valuesIn } from './check-request.ts';
import { lookUp } from './check-response.ts';
import { answersOf, callClient, faultsOfValue, inputOf, unveiled } from './client.ts';
import { clientFields } from './client-fields/client-fields.ts';
import type { ClientFields } from './client-fields/types.ts';
import { answerMarks, brokenMarks, givenMarks, ledgerOf, marksOfAnswer, marksOfRequest } from './coverage.ts';
import { wrongRequests } from './invalid-requests.ts';
import { makeAnswer } from './make-response.ts';
import { worldFor } from './sandbox.ts';
import { compose, rightRequests, type Values } from './valid-requests.ts';

/** What the client never does, and why. */
const never = new Set([
  // A code goes out as text, so that it keeps the zeros that it begins with.
  'tokens.call code: given, integer',
]);

/** Every line of the data; what no test below touches is reported at the end. */
const ledger = ledgerOf(
  operations.flatMap((operation) => [
    ...givenMarks(operation).filter((mark) => !never.has(mark)),
    ...takenRows(operation).flatMap((row) => brokenMarks(operation, row)),
    ...answerMarks(operation),
  ]),
);

for (const operation of operations) {
  const { name } = operation;

  test(`${name} leaves exactly as described, and gives all that is answered`, async (t) => {
    const { known, fields, call } = await start(t, operation);
    for (const values of rightRequests(operation, known)) {
      if (marksOfRequest(operation, values).some((mark) => never.has(mark))) {
        continue;
      }
      const { outcome, arrival, answerTo } = await call(values);
      if (fields.demands?.some((demanded) => !(demanded in values))) {
        assert.deepEqual([outcome.kind, arrival], ['not_sent', undefined]);
        continue;
      }
      assert.ok(outcome.kind === 'accepted' && arrival, inspect({ values, outcome }));
      assert.deepEqual(faultsOfArrival(operation, arrival), []);
      const left = valuesIn(operation, arrival);
      for (const taken of Object.keys(fields.takes).filter((taken) => taken in values)) {
        assert.deepEqual(await spelled(left[taken]), await spelled(values[taken]), taken);
      }
      ledger.touch(marksOfRequest(operation, left));
      const paths = Object.keys(responseFields(operation));
      assert.deepEqual(faultsOfValue(fields, paths, await answerTo(arrival), outcome.value), []);
    }
  });

  test(`no wrong ${name} leaves`, async (t) => {
    const { known, fields, call } = await start(t, operation);
    for (const { values, row, mark } of wrongRequests(operation, known)) {
      const place = fields.takes[row.name];
      if (place === undefined) {
        continue;
      }
      const { outcome, arrival } = await call(values);
      if (outcome.kind === 'not_sent') {
        const faulty = outcome.error.faults?.map(({ field }) => field.replace(/\[\d+\]$/, ''));
        assert.ok(faulty?.includes(place), `${mark}: ${outcome.error.message}`);
      } else {
        // The client put it right by itself.
        assert.deepEqual(arrival && faultsOfArrival(operation, arrival), [], mark);
      }
      ledger.touch([mark]);
    }
  });

  test(`${name} is repeated only if that does no harm`, () => {
    const effects = new Map<string, string>(Object.entries(words).map(([key, { effect }]) => [key, effect]));
    assert.equal(effects.get(name) === 'read', operation.idempotent);
  });
}

// The answer with a code to be scanned is not shown: it is found, or drawn, in whatever form the provider has it.
for (const operation of operations.filter(({ response }) => response !== 'not shown')) {
  const { name } = operation;

  test(`${name} gives every field of an answer, and the answer as it came`, async (t) => {
    const described = responseFields(operation);
    const { provider, known, fields, call } = await start(t, operation);
    const places = Object.entries(fields.gives).map(([path, place]) => (place === 'raw' ? path : place));
    const answer = makeAnswer(described, (path) => places.indexOf(fields.gives[path] ?? path));
    const ordered = operationNames.find((one) => one === name) ?? assert.fail(`the sandbox has no ${name}`);
    provider.orderFault({ operation: ordered, fault: { kind: 'answer', body: answer } });
    const demanded = (fields.demands ?? []).map((field) => [field, known[field]]);
    const { outcome } = await call(compose(operation, known, Object.fromEntries(demanded)));
    assert.ok(outcome.kind === 'accepted', inspect(outcome));
    const paths = Object.keys(described);
    assert.deepEqual(faultsOfValue(fields, paths, answer, outcome.value), []);
    assert.deepEqual(lookUp(unveiled(outcome.value), 'raw').values, [answer]);
    ledger.touch(marksOfAnswer(operation, answer));
  });
}

test('no line of the data is left untouched by the client', () => {
  assert.deepEqual(ledger.untouched(), []);
});

/** A sandbox, and calls of the client to it with the values of requests. */
async function start(t: TestContext, operation: Operation) {
  const { onExchange, answerTo } = answersOf();
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

/** The fields of a request that the client's input decides on. */
function takenRows(operation: Operation) {
  const { takes } = fieldsOf(operation);
  return requestRows(operation).filter(({ name }) => name in takes);
}

function fieldsOf({ name }: Operation): ClientFields {
  const fields = new Map<string, ClientFields>(Object.entries(clientFields));
  return fields.get(name) ?? assert.fail(`the fields of the client's ${name} are not known`);
}

/** A value in the one way that several spellings of it have; the fields of an object are compared by themselves. */
async function spelled(value: unknown): Promise<unknown> {
  if (value instanceof Blob) {
    return value.text();
  }
  return typeof value === 'object' && !Array.isArray(value) ? typeof value : [value].flat();
}
