import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { responseFaults } from '../../../test/provider/conformance/check-response.ts';
import {
  allRequestMarks,
  allResponseMarks,
  brokenMarks,
  createCoverage,
  requestMarks,
  responseMarks,
} from '../../../test/provider/conformance/coverage.ts';
import { invalidRequests } from '../../../test/provider/conformance/invalid-requests.ts';
import { worldFor } from '../../../test/provider/conformance/sandbox.ts';
import { type Part, partsOf, send } from '../../../test/provider/conformance/send-parts.ts';
import { compose, validRequests } from '../../../test/provider/conformance/valid-requests.ts';
import { operations } from '../../../test/provider/description/description.ts';
import { requestRows, responseFields } from '../../../test/provider/description/request-rows.ts';
import type { Operation } from '../../../test/provider/description/types.ts';

/** Every line of the description. The last test reports the lines that no test covers. */
const coverage = createCoverage(
  operations.flatMap((operation) => [
    ...allRequestMarks(operation),
    ...requestRows(operation).flatMap((row) => brokenMarks(operation, row)),
    ...allResponseMarks(operation),
  ]),
);

for (const operation of operations) {
  test(`accepts every valid request of ${operation.name} and answers as described`, async (t) => {
    const { provider, known } = await worldFor(t, operation);
    for (const values of validRequests(operation, known)) {
      const response = await send(provider.url, operation, partsOf(operation, values));
      const text = await response.text();
      assert.equal(response.status, 200, `${inspect(values)}: ${text}`);
      coverage.cover(requestMarks(operation, values));
      if (operation.response === 'not shown') {
        continue;
      }
      const answer = JSON.parse(text);
      assert.deepEqual(responseFaults(responseFields(operation), answer), [], text);
      coverage.cover(responseMarks(operation, answer));
    }
  });

  test(`refuses every invalid request of ${operation.name}`, async (t) => {
    const { provider, known } = await worldFor(t, operation);
    for (const { values, row, mark } of invalidRequests(operation, known)) {
      const answer = send(provider.url, operation, partsOf(operation, values));
      await refuses(answer, isKey(row) ? 401 : row.name, mark);
      coverage.cover([mark]);
    }
  });

  test(`refuses ${operation.name} with an unknown field, and with the key elsewhere`, async (t) => {
    const { provider, known } = await worldFor(t, operation);
    const right = partsOf(operation, compose(operation, known, {}));
    const key = right.find(isKey) ?? assert.fail('a request has no key');
    const others = right.filter((part) => part !== key);
    const attempt = (...parts: Part[]) => send(provider.url, operation, parts);
    await refuses(attempt(...right, stray(operation, key)), stranger);
    await refuses(attempt(...others, { ...key, value: 'a-key-of-nobody-at-all' }), 401);
    for (const place of ['header', 'query', 'body'] as const) {
      if (!key.place.includes(place)) {
        await refuses(attempt(...others, { ...key, place }), 401);
      }
    }
  });
}

test('covers every line of the description', () => {
  assert.deepEqual(coverage.uncovered(), []);
});

/** Asserts an error with the given status, or a 400 that names the given field. */
async function refuses(answer: Promise<Response>, expected: number | string, what?: string): Promise<void> {
  const response = await answer;
  const body = await response.json();
  if (typeof expected === 'number') {
    assert.equal(response.status, expected, what);
  } else {
    assert.ok([400, 415].includes(response.status), `${what}: ${response.status}`);
    assert.match(body.message, new RegExp(`\\b${RegExp.escape(expected)}\\b`), what);
  }
  assert.deepEqual(
    { ...body, message: typeof body.message, link: typeof body.link },
    { code: response.status, message: 'string', status: 'error', link: 'string' },
  );
}

const isKey = ({ name }: { name: string }) => /(?:^|\.)api_key$|^X-Token$/.test(name);

const stranger = 'no_such_field';

/** Adds a field that no operation has. */
function stray({ method }: Operation, key: Part): Part {
  if (key.place === 'form') {
    return { place: 'form', name: `contact.${stranger}`, value: 'x' };
  }
  return { place: method === 'POST' ? 'body' : 'query', name: stranger, value: 'x' };
}
