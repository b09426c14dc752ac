import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { requestFieldFaults } from './check-field.ts';
import { limits, operations } from './description.ts';
import { compareAnswer, compareRequest, compareRules } from './reading/comparison.ts';
import { sectionsOf, tableOf } from './reading/markdown.ts';
import { type ReadOperation, readOperations } from './reading/operations.ts';
import { requestRows, responseFields } from './request-rows.ts';
import type { Operation, RequestField } from './types.ts';

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

/** The API's documentation. Present beside the project on some machines; the tests that read it are skipped elsewhere. */
const file = resolve(import.meta.dirname, '../../../../shared/provider/api.md');
const skip = existsSync(file) ? false : `no description at ${file}`;
const page = () => readFileSync(file, 'utf8');

function compareEach(compare: (read: ReadOperation, data: Operation) => string[]): string[] {
  return readOperations(page()).flatMap((read) => {
    const data = operations.find((operation) => endpointOf(operation) === endpointOf(read));
    return data ? compare(read, data) : [`${endpointOf(read)} is missing`];
  });
}

function endpointOf({ section, method, path }: Omit<ReadOperation, 'request' | 'response'>): string {
  return `${section} ${method} ${path}`;
}

test('the data has exactly the documented endpoints', { skip }, () => {
  assert.deepEqual(operations.map(endpointOf).sort(), readOperations(page()).map(endpointOf).sort());
});

test('the data has exactly the documented request fields', { skip }, () => {
  assert.deepEqual(compareEach(compareRequest), []);
});

test('the data has exactly the documented rules', { skip }, () => {
  assert.deepEqual(compareEach(compareRules), []);
});

test('the data has exactly the documented response fields', { skip }, () => {
  assert.deepEqual(compareEach(compareAnswer), []);
});

test('the data has every documented limit', { skip }, () => {
  const every = (...names: string[]): RequestField[] =>
    operations.flatMap(requestRows).flatMap(({ name, field }) => (names.includes(name) ? [field] : []));
  const holders: Readonly<Record<string, readonly object[]>> = {
    'Recipients per request': every('to').filter(({ is }) => is !== 'string'),
    'Alphanumeric sender ID length': every('from', 'sender_id').filter(({ pattern }) => pattern),
    pin_attempts: every('pin_attempts'),
    pin_time_to_live: every('pin_time_to_live'),
    pin_length: every('pin_length'),
    'Chat OTP text (sms)': operations.filter(({ name }) => name === 'messages.sendChatOtp'),
    'Voice code': operations.filter(({ name }) => name === 'tokens.call'),
    'Message page': [limits.page],
    'Page size': [{ pageSize: limits.pageSize }],
    'Time window': [limits.quietHours],
  };
  for (const [limit = '', , value = ''] of tableOf(sectionsOf(page()).get('8') ?? '')) {
    const found = holders[limit] ?? [];
    assert.notEqual(found.length, 0, limit);
    for (const holder of found) {
      const held = numbersIn(inspect(holder, { depth: null }));
      assert.deepEqual(
        numbersIn(value).filter((number) => !held.includes(number)),
        [],
        limit,
      );
    }
  }
});

test('the data has exactly the documented markers of success', { skip }, () => {
  const sentence = /^1\. (.*)$/m.exec(sectionsOf(page()).get('7') ?? '')?.[1] ?? '';
  const described = sentence.matchAll(/`(\w+)` = `?(\w+)/g);
  const held = operations.flatMap(({ success }) => Object.entries(success).map((pair) => pair.join(' ')));
  assert.deepEqual(new Set(held), new Set([...described].map(([, name, value]) => `${name} ${value}`)));
});

test('the data has every documented name and value', { skip }, () => {
  const data = inspect({ operations, limits }, { depth: null, maxArrayLength: null, breakLength: Infinity });
  const values = [...page().matchAll(/`([^`]+)`/g)].map(([, value = '']) => value);
  const names = page().match(/\b(?:[a-z]+_[a-z_]+|[a-z]+[A-Z]\w+)\b/g) ?? [];
  // Compared by the tests above.
  const isEndpoint = (value: string) => /^(?:GET|POST|DELETE) \//.test(value);
  const foreign = [...values, ...names].filter((value) => !isEndpoint(value) && !data.includes(value));
  assert.deepEqual(
    new Set(foreign),
    new Set(['{base_url}', 'Content-Type: application/json', 'X-Token: <BEARER_TOKEN>', 'base_url', 'euICC']),
  );
});

function numbersIn(text: string): string[] {
  return text.match(/\d+/g) ?? [];
}
