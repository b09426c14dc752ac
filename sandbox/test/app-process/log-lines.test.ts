import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatLogLine } from '../../app-process/app-process.ts';

test('formats warnings and errors, and drops lower levels', () => {
  assert.equal(formatLogLine('{"level":30,"time":1,"msg":"ready"}'), undefined);
  const line = formatLogLine('{"level":50,"time":1772443800000,"msg":"it failed","id":"x"}');
  assert.match(line ?? '', /^\d\d:\d\d:\d\d app error: it failed \{"id":"x"\}$/);
});

test('returns text that is not a log line unchanged', () => {
  assert.equal(formatLogLine('TypeError: x is not a function'), 'TypeError: x is not a function');
  assert.equal(formatLogLine('{"broken'), '{"broken');
  assert.equal(formatLogLine('  '), undefined);
});
