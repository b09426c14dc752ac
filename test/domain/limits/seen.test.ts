import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Change, compareSeen, type Seen } from '../../../src/domain/limits/seen.ts';

it('only another answer than the one that was shown is a change', () => {
  const cases: [seen: Seen, now: Seen, changes: Change[]][] = [
    [{}, {}, []],
    [{}, { quietHours: true }, ['quiet_hours']],
    [{ quietHours: true }, { quietHours: true }, []],
    [{ quietHours: true }, {}, []],
    [{ sender: 'active' }, { sender: 'inactive' }, ['sender_inactive']],
    [{ sender: 'inactive' }, { sender: 'inactive' }, []],
    // The provider didn't answer at the review, but does now.
    [{}, { sender: 'inactive' }, ['sender_inactive']],
    [{}, { sender: 'active' }, []],
    [{ sender: 'active' }, {}, []],
    [{}, { approval: 'needed' }, ['approval_needed']],
    [{ approval: 'needed' }, {}, ['approval_not_needed']],
    [{ approval: 'given' }, { approval: 'needed' }, []],
    [{ approval: 'given' }, {}, []],
    [{ offer: '1 GB for 180' }, { offer: '1 GB for 180' }, []],
    [{ offer: '1 GB for 180' }, { offer: '1 GB for 1800' }, ['offer']],
    [{ codeSettings: 'six digits' }, { codeSettings: 'six digits' }, []],
    [{ codeSettings: 'six digits' }, { codeSettings: 'four digits' }, ['code_settings']],
    [{ sender: 'active' }, { sender: 'inactive', quietHours: true }, ['quiet_hours', 'sender_inactive']],
  ];
  for (const [seen, now, changes] of cases) {
    const compared = compareSeen(seen, now);
    const found = compared.kind === 'unchanged' ? [] : compared.changes;
    assert.deepEqual(found, changes, JSON.stringify({ seen, now }));
  }
});
