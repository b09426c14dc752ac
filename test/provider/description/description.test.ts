import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { faultsOfRequest } from './check-field.ts';
import { limits, operations } from './description.ts';
import { compareAnswer, compareRequest, compareRules } from './reading/comparison.ts';
import { sectionsOf, tableOf } from './reading/markdown.ts';
import { type ReadOperation, readOperations } from './reading/operations.ts';
import { requestRows, responseFields } from './request-rows.ts';
import type { Operation, RequestField } from './types.ts';

test('there are 26 operations, each with a name and an endpoint of its own', () => {
  assert.equal(operations.length, 26);
  assert.equal(new Set(operations.map(({ name }) => name)).size, 26);
  // §4.2 is §4.1 on another channel.
  const endpoints = operations.filter(({ section }) => section !== '§4.2');
  assert.equal(new Set(endpoints.map(({ method, path }) => `${method} ${path}`)).size, 25);
});

test('every operation says where the key goes, or the token', () => {
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

test('every example keeps the rules of its field, and every wrong value breaks its pattern', () => {
  for (const operation of operations) {
    for (const { name, field } of requestRows(operation)) {
      const where = `${operation.name} ${name}`;
      assert.deepEqual(faultsOfRequest(field, field.example), [], where);
      assert.equal(field.pattern === undefined, field.wrong === undefined, where);
      for (const value of field.wrong ?? []) {
        const faults = faultsOfRequest({ ...field, is: 'string' }, value);
        assert.ok(faults.includes('pattern'), `${where}: ${value}`);
      }
    }
  }
});

test('every marker of success is a field of the answer that has no other value', () => {
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

test('what names another field names one of the same request', () => {
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

/** The page that the data was written from; it lies beside the project on some machines, and is no part of it. */
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

test('the data has every endpoint of the description, and no other', { skip }, () => {
  assert.deepEqual(operations.map(endpointOf).sort(), readOperations(page()).map(endpointOf).sort());
});

test('the data has every field of every request of the description, and no other', { skip }, () => {
  assert.deepEqual(compareEach(compareRequest), []);
});

test('the data has every rule that the description words, and no other', { skip }, () => {
  assert.deepEqual(compareEach(compareRules), []);
});

test('the data has every field of every answer of the description, and no other', { skip }, () => {
  assert.deepEqual(compareEach(compareAnswer), []);
});

test('the data has every limit of the description', { skip }, () => {
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

test('the data has every marker of success of the description, and no other', { skip }, () => {
  const sentence = /^1\. (.*)$/m.exec(sectionsOf(page()).get('7') ?? '')?.[1] ?? '';
  const described = sentence.matchAll(/`(\w+)` = `?(\w+)/g);
  const held = operations.flatMap(({ success }) => Object.entries(success).map((pair) => pair.join(' ')));
  assert.deepEqual(new Set(held), new Set([...described].map(([, name, value]) => `${name} ${value}`)));
});

test('no name and no value of the description is foreign to the data', { skip }, () => {
  const data = inspect({ operations, limits }, { depth: null, maxArrayLength: null, breakLength: Infinity });
  const values = [...page().matchAll(/`([^`]+)`/g)].map(([, value = '']) => value);
  const names = page().match(/\b(?:[a-z]+_[a-z_]+|[a-z]+[A-Z]\w+)\b/g) ?? [];
  // Compared in full by the tests above.
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
