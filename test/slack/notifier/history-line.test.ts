import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { HistoryEntry } from '../../../src/services/history/history.ts';
import { section } from '../../../src/slack/block-kit/build.ts';
import { outcomeRenderers } from '../../../src/slack/features/register-features.ts';
import { historyLine, kindOf } from '../../../src/slack/notifier/history-line.ts';
import type { MessageDelivery } from '../../../src/store/deliveries/deliveries.ts';
import type { Operation } from '../../../src/store/operations/operation.ts';
import { wordsOf } from '../../support/slack/slack-user.ts';

const at = new Date(0);
const operation: Operation = {
  id: '1',
  workspaceId: 'T0SWITCH',
  key: 'key',
  kind: 'sms.send',
  userId: 'U0AGENT',
  summary: { to: ['+234803•••4567'], senderId: 'PalmMarket', route: 'dnd', recipients: 1, pagesEach: 1 },
  state: 'accepted',
  createdAt: at,
};

it('the history names each kind of operation in plain words', () => {
  for (const kind of Object.keys(outcomeRenderers)) {
    const entry = { kind: 'operation' as const, at, operation: { ...operation, kind }, recipients: 1 };
    assert.notEqual(kindOf(entry), kind);
  }
});

it('a line of the history is green only once everybody has the message, also when the report is deleted', () => {
  const lineOf = (
    entry: Partial<Pick<HistoryEntry, 'deliveries' | 'recipients'>>,
    change: Partial<Operation> = {},
  ) =>
    wordsOf(
      section(
        historyLine(
          { kind: 'operation', at, recipients: 1, ...entry, operation: { ...operation, ...change } },
          outcomeRenderers,
          { withActor: false },
        ),
      ),
    );
  const report = (status: string, state: MessageDelivery['state']): MessageDelivery => ({
    ...{ providerId: 'm1', status, state, receivedAt: at, source: 'report' },
  });
  const failed = report('Message Failed', 'failed');
  const delivered = report('Delivered', 'delivered');
  assert.match(lineOf({}), /^:outbox_tray:[\s\S]* · \*Sent\*$/);
  assert.match(lineOf({ deliveries: [delivered] }), /^:white_check_mark:/);
  assert.match(lineOf({ deliveries: [failed] }), /^:x:/);
  assert.match(lineOf({ deliveries: [failed, delivered], recipients: 2 }), /^:warning:/);
  const noted = { notDeliveredAt: at };
  assert.match(lineOf({}, noted), /^:x:[\s\S]* · \*Not delivered\* /);
  assert.match(lineOf({ recipients: 2 }, noted), /^:warning:[\s\S]*\*Not delivered\* to some of 2/);
  assert.match(lineOf({ deliveries: [] }, noted), /^:outbox_tray:(?![\s\S]*Not delivered)/);
});
