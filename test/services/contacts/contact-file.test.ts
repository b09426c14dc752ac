import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readContactFile } from '../../../src/services/contacts/contact-uploads.ts';

it('a file of more than 10,000 contacts is refused with the line that exceeds the limit', async () => {
  const rows = Array.from({ length: 10_001 }, (_, index) => `+234${8_051_230_000 + index}\n`);
  const read = (count: number) => {
    async function* file() {
      yield Buffer.from(`Phone\n${rows.slice(0, count).join('')}`);
    }
    return readContactFile(file(), 'NG');
  };
  const full = await read(10_000);
  assert.ok(full.ok && full.table.contacts.length === 10_000);
  const over = await read(10_001);
  assert.equal(
    over.ok ? 'read' : over.reason,
    'The file has more than 10,000 contacts: line 10002 exceeds the limit. Split the file.',
  );
});
