import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FailureKind, Reason } from '../../../src/provider/errors.ts';
import { type OperationName, operationInfo } from '../../../src/provider/operations.ts';
import { providerError, reasons } from '../../../src/provider/response/error-messages.ts';

const isOperation = (name: string): name is OperationName => name in operationInfo;
const isReason = (name: string): name is Reason => name in reasons;
const kinds: readonly FailureKind[] = ['rejected', 'not_sent', 'unconfirmed'];

const all = Object.keys(operationInfo)
  .filter(isOperation)
  .flatMap((operation) =>
    Object.keys(reasons)
      .filter(isReason)
      .flatMap((reason) =>
        kinds.map((kind) => ({ kind, error: providerError(kind, { operation, reason }) })),
      ),
  );

test('every error is in whole sentences without placeholders', () => {
  for (const { error } of all) {
    assert.match(error.message, /^[A-Z].*\.$/);
    assert.doesNotMatch(error.message, /[{}]|undefined|\.\.| {2}/);
  }
});

test('every error of a send says whether anything was sent', () => {
  const said = {
    rejected: / Nothing was sent\./,
    not_sent: / Nothing was sent\./,
    unconfirmed: / may or may not have been sent\./,
  };
  for (const { kind, error } of all) {
    if (operationInfo[error.operation].effect === 'send') {
      assert.match(error.message, said[kind]);
    }
  }
});

test('an unconfirmed send is never retryable, and its message never suggests it', () => {
  for (const { kind, error } of all) {
    if (kind !== 'unconfirmed' || operationInfo[error.operation].effect === 'read') {
      assert.equal(error.sent, 'no');
      continue;
    }
    assert.equal(error.sent, 'maybe');
    assert.equal(error.retryable, false);
    assert.doesNotMatch(error.message, /try again/i);
    assert.match(error.message, / may or may not have (?:been sent|taken effect)\. Check /);
  }
});

test('lasting errors are not retryable', () => {
  const lasting = new Set(
    all.filter(({ error }) => !error.retryable && error.sent === 'no').map(({ error }) => error.reason),
  );
  assert.deepEqual([...lasting].sort(), [
    'account_inactive',
    'bad_key',
    'balance_too_low',
    'country_inactive',
    'device_limit',
    'device_unknown',
    'input',
    'invalid_number',
    'invalid_request',
    'no_route',
    'not_configured',
    'not_found',
    'number_on_dnd',
    'redirected',
    'refused',
    'sender_id_unknown',
    'untrusted',
  ]);
});

test('writes the message in plain sentences', () => {
  const { message } = providerError('rejected', {
    operation: 'messages.send',
    reason: 'sender_id_unknown',
    status: 404,
    providerMessage: 'ApplicationSenderId not found',
  });
  assert.equal(
    message,
    'The provider does not know the sender ID, or has not approved it. ' +
      'Nothing was sent. Choose an active sender ID, or request this one.',
  );
  assert.equal(
    providerError('unconfirmed', { operation: 'messages.send', reason: 'cut_off', cause: 'ECONNRESET' })
      .message,
    'The connection broke before the provider’s answer was complete. The message may or may not have been sent. ' +
      'Check with the recipient before you send again.',
  );
  assert.equal(
    providerError('not_sent', { operation: 'insight.checkDnd', reason: 'unreachable', cause: 'ENOTFOUND' })
      .message,
    'The provider could not be reached. Try again in a moment. ' +
      'If this happens again, tell your operator.',
  );
});
