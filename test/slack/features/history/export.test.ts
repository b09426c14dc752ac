import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { HistoryEntry } from '../../../../src/services/history/history.ts';
import { historyFiles } from '../../../../src/slack/features/history/export.ts';
import { outcomeRenderers } from '../../../../src/slack/features/register-features.ts';
import { kindOf } from '../../../../src/slack/notifier/history-line.ts';

async function* entries(count: number): AsyncGenerator<HistoryEntry> {
  for (let index = 0; index < count; index += 1) {
    const at = new Date(Date.UTC(2026, 0, 1, 0, 0, index));
    yield {
      kind: 'operation',
      at,
      recipients: 1,
      operation: {
        id: `${index}`,
        workspaceId: 'T0SWITCH',
        key: `key ${index}`,
        kind: 'sms.send',
        userId: 'U0AGENT',
        summary: {},
        state: 'accepted',
        createdAt: at,
      },
    };
  }
}

const options = (maxEntries: number) => ({
  outcomeRenderers: {},
  userName: async () => 'Ada Obi',
  user: { workspaceId: 'T0SWITCH', zone: 'Africa/Lagos' },
  maxEntries,
});

async function filesOf(count: number, most: number) {
  const files = await Array.fromAsync(historyFiles(entries(count), options(most)));
  return files.map(({ name, rows, content }) => {
    const lines = content.toString('utf8').trimEnd().split('\r\n');
    assert.equal(lines.length, rows + 1);
    return { name, rows, first: lines[1]?.slice(0, 36) };
  });
}

describe('the history as files', () => {
  it('is one file if it fits, with only the column titles if it is empty', async () => {
    assert.deepEqual(await filesOf(3, 3), [
      { name: 'history.csv', rows: 3, first: '2026-01-01 01:00,2026-01-01T00:00:00' },
    ]);
    assert.deepEqual(await filesOf(0, 3), [{ name: 'history.csv', rows: 0, first: undefined }]);
  });

  it('is split into files with column titles, with every row in one of them', async () => {
    assert.deepEqual(await filesOf(7, 3), [
      { name: 'history-1.csv', rows: 3, first: '2026-01-01 01:00,2026-01-01T00:00:00' },
      { name: 'history-2.csv', rows: 3, first: '2026-01-01 01:00,2026-01-01T00:00:03' },
      { name: 'history-3.csv', rows: 1, first: '2026-01-01 01:00,2026-01-01T00:00:06' },
    ]);
    assert.equal((await filesOf(6, 3)).length, 2);
  });

  it('says who verified a code, when, after how many wrong guesses, and what was not delivered once its reports are gone', async () => {
    const verified = { kind: 'verified' as const, at: Date.UTC(2026, 0, 1, 0, 5), by: 'U0OTHER' };
    const code = { kind: 'otp.sms', expiresAt: new Date(Date.UTC(2026, 0, 1, 0, 10)) };
    const changes = [
      { ...code, codeOutcome: verified, wrongGuesses: 2 },
      { ...code, codeOutcome: { kind: 'expired' as const, at: verified.at } },
      { notDeliveredAt: new Date(verified.at) },
    ];
    const userName = async (_: string, userId: string) => (userId === 'U0OTHER' ? 'Bola Ade' : 'Ada Obi');
    async function* changed() {
      for await (const entry of entries(changes.length)) {
        assert.ok(entry.kind === 'operation');
        yield { ...entry, operation: { ...entry.operation, ...changes[Number(entry.operation.id)] } };
      }
    }
    const [file] = await Array.fromAsync(historyFiles(changed(), { ...options(9), userName }));
    const lines = file?.content.toString('utf8').trimEnd().split('\r\n').slice(1) ?? [];
    const ends = [/,,2026-01-01 01:05,Bola Ade,2$/, /,,,,0$/, /,Not delivered,sms\.send,/];
    assert.equal(lines.length, ends.length);
    for (const [index, end] of ends.entries()) {
      assert.match(lines[index] ?? '', end);
    }
  });
});

it('every kind of operation has a word in the history', async () => {
  for await (const entry of entries(1)) {
    assert.ok(entry.kind === 'operation');
    for (const kind of Object.keys(outcomeRenderers)) {
      const word = kindOf({ ...entry, operation: { ...entry.operation, kind } });
      assert.match(word, /^[A-Z][A-Za-z -]+$|^eSIM$/, kind);
    }
  }
});
