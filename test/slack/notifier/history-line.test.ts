import assert from 'node:assert/strict';
import { it } from 'node:test';
import { outcomeRenderers } from '../../../src/slack/features/register-features.ts';
import { kindOf } from '../../../src/slack/notifier/history-line.ts';

it('the history has a word for each kind of operation', () => {
  for (const kind of Object.keys(outcomeRenderers)) {
    const operation = {
      id: '1',
      workspaceId: 'T0SWITCH',
      key: 'key',
      kind,
      userId: 'U0AGENT',
      summary: {},
      state: 'accepted' as const,
      createdAt: new Date(0),
    };
    assert.doesNotMatch(kindOf({ kind: 'operation', at: operation.createdAt, operation }), /[._]/, kind);
  }
});
