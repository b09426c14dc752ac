import assert from 'node:assert/strict';
import { it } from 'node:test';
import { outcomeRenderers } from '../../../src/slack/features/register-features.ts';
import { kindOf } from '../../../src/slack/notifier/history-line.ts';

it('the history names each kind of operation in plain words', () => {
  const at = new Date(0);
  for (const kind of Object.keys(outcomeRenderers)) {
    const operation = {
      id: '1',
      workspaceId: 'T0SWITCH',
      key: 'key',
      kind,
      userId: 'U0AGENT',
      summary: {},
      state: 'accepted' as const,
      createdAt: at,
    };
    assert.notEqual(kindOf({ kind: 'operation', at, operation, recipients: 1 }), kind);
  }
});
