import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestFieldFaults } from './check-field.ts';
import { operations } from './description.ts';
import { requestRows, responseFields } from './request-rows.ts';

test('has 26 operations, each with its own name and endpoint', () => {
  assert.equal(operations.length, 26);
  assert.equal(new Set(operations.map(({ name }) => name)).size, 26);
  // §4.2 shares the endpoint of §4.1.
  const endpoints = operations.filter(({ section }) => section !== '§4.2');
  assert.equal(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size, 25);
});

test('every operation says where the key or the token goes', () => {
  const keys = operations.map((operation) => {
    const rows = requestRows(operation).filter(({ name }) => /^(?:X-Token|(?:.*\.)?api_key)$/.test(name));
    return rows.map(({ name, place }) => `${name} in ${place}`).join();
  });
  const counts = Object.fromEntries(
    Object.entries(Object.groupBy(keys, (key) => key)).map(([key, all = []]) => [key, all.length]),
  );
  assert.deepEqual(counts, {
    'api_key in body': 10,
    'api_key in query': 4,
    'contact.api_key in form': 1,
    'api_key in body or query': 1,
    'X-Token in header': 10,
  });
});

test('every example is valid, and every wrong value breaks its pattern', () => {
  for (const operation of operations) {
    for (const { name, field } of requestRows(operation)) {
      const where = `${operation.name} ${name}`;
      assert.deepEqual(requestFieldFaults(field, field.example), [], where);
      assert.equal(field.pattern === undefined, field.wrong === undefined, where);
      for (const value of field.wrong ?? []) {
        const faults = requestFieldFaults({ ...field, is: 'string' }, value);
        assert.ok(faults.includes('pattern'), `${where}: ${value}`);
      }
    }
  }
});

test('every marker of success is a response field with a single value', () => {
  for (const operation of operations) {
    const constants = Object.entries(responseFields(operation)).filter(
      ([, field]) => field.enum?.length === 1,
    );
    assert.equal(Object.keys(operation.success).length > 0, constants.length > 0, operation.name);
    for (const [path, value] of Object.entries(operation.success)) {
      assert.deepEqual(responseFields(operation)[path]?.enum, [value], `${operation.name} ${path}`);
    }
  }
});

test('every reference to a field names a field of the same request', () => {
  for (const operation of operations) {
    const rows = requestRows(operation);
    const names = rows.map(({ name }) => name);
    const named = rows.flatMap(({ field: { contains, notWith, onlyWith, unless } }) => [
      ...[contains, notWith].filter((other) => other !== undefined),
      ...Object.keys({ ...onlyWith, ...unless }),
    ]);
    const inPath = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    assert.deepEqual(
      named.filter((name) => !names.includes(name)),
      [],
      operation.name,
    );
    assert.deepEqual(inPath, Object.keys(operation.request.path ?? {}), operation.name);
  }
});
