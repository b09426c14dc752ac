import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readNumbersFile } from '../../../src/services/numbers/number-list.ts';
import { manyNumbers } from '../../support/slack/number-files.ts';

async function* fileOf(...pieces: string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    yield Buffer.from(piece);
  }
}

describe('a file of numbers', () => {
  it('yields each number once, and every other row with its line and the reason', async () => {
    const read = await readNumbersFile(
      fileOf('name,phone\nAda,0803 123 4567\nBo,', '+2348031234567\nCy,0803 12\nDi,\n'),
      'NG',
    );
    assert.deepEqual(read, {
      ok: true,
      read: {
        numbers: ['+2348031234567'],
        duplicates: 1,
        rejected: [
          { line: 4, text: '0803 12', reason: 'is too short for a number in Nigeria' },
          { line: 5, text: '', reason: 'has no number' },
        ],
        column: 'phone',
      },
    });
  });

  it('is refused whole if it is too long, has an error further down, or has no numbers', async () => {
    const rows = manyNumbers(300).join('\n');
    assert.deepEqual(await readNumbersFile(fileOf(rows), 'NG', 299), {
      ok: false,
      reason: 'The file has more than 299 rows: line 300 exceeds the limit. Split the file.',
    });
    assert.ok((await readNumbersFile(fileOf(rows), 'NG', 300)).ok);
    const broken = await readNumbersFile(fileOf(rows, '\n"0803', 'x'.repeat(200_000)), 'NG');
    assert.match(broken.ok ? '' : broken.reason, /can’t be read from line 301/);
    const other = await readNumbersFile(fileOf('name\nAda\n'), 'NG');
    assert.match(other.ok ? '' : other.reason, /No column of phone numbers/);
  });

  it('is not read in part if its download breaks off', async () => {
    async function* cutOff() {
      yield Buffer.from(`${manyNumbers(500).join('\n')}\n`);
      throw new Error('the file host fell silent');
    }
    await assert.rejects(readNumbersFile(cutOff(), 'NG'), /fell silent/);
  });
});
