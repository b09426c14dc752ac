import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CsvFault, type CsvRow, readCsv } from '../../../src/domain/csv/read-csv.ts';
import { readCsvFile } from '../../support/csv-rows.ts';

const bytes = (text: string) => new TextEncoder().encode(text);

async function read(content: string | Uint8Array): Promise<CsvRow[]> {
  const file = await readCsvFile(typeof content === 'string' ? bytes(content) : content);
  assert.ok(file.ok, file.ok ? '' : file.reason);
  return file.rows;
}

async function reasonOf(content: string | Uint8Array): Promise<string> {
  const file = await readCsvFile(typeof content === 'string' ? bytes(content) : content);
  return file.ok ? '' : file.reason;
}

describe('reading CSV', () => {
  it('reads a single column as one, whatever digits repeat in it', async () => {
    const rows = await read('08031234567\n08051234567');
    assert.deepEqual(
      rows.map(({ cells }) => cells),
      [['08031234567'], ['08051234567']],
    );
  });

  it('uses the separator that a spreadsheet declares in the first line', async () => {
    assert.deepEqual(await read('sep=;\r\na,b;c\r\n'), [{ line: 2, cells: ['a,b', 'c'] }]);
  });

  it('accepts quotation marks doubled, after a space, and inside a word', async () => {
    assert.deepEqual(await read('"He said ""hi""", "a,b",5" pipe'), [
      { line: 1, cells: ['He said "hi"', 'a,b', '5" pipe'] },
    ]);
  });

  it('names the line of an unclosed quotation mark, also in a large file', async () => {
    assert.match(await reasonOf('a,b\n1,2\n"3,4\n5,6'), /from line 3 on: a quotation mark/);
    assert.match(await reasonOf(`a,b\n"1,2\n${'5,6\n'.repeat(50_000)}`), /from line 2 on: a quotation mark/);
  });

  it('says what to do with a spreadsheet and with a picture', async () => {
    assert.match(await reasonOf('PK\u0003\u0004…'), /Save it as CSV/);
    assert.match(await reasonOf(Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1)), /not a text file/);
    // Both halves of these letters are empty somewhere, and nothing tells which half comes first.
    const wide = Buffer.from('ĀaĀaĀaĀaĀa,0803\n', 'utf16le');
    assert.match(await reasonOf(wide), /seems to be UTF-16 text\. Save the list as CSV in UTF-8/);
  });

  it('reads no row from an empty file', async () => {
    assert.deepEqual(await read('\n\n , \n'), []);
    assert.deepEqual(await read(''), []);
  });

  it('yields the rows of a stream before it reports an error further down', async () => {
    const rows: CsvRow[] = [];
    const reading = async () => {
      for await (const row of readCsv([bytes('a,b\n'.repeat(30)), bytes('c,"d')])) {
        rows.push(row);
      }
    };
    await assert.rejects(reading, (error) => error instanceof CsvFault && /line 31/.test(error.reason));
    assert.equal(rows.length, 30);
  });

  it('rejects with the error of its source, which is no fault of the file', async () => {
    async function* source() {
      yield bytes('a,b\n');
      throw new Error('connection lost');
    }
    await assert.rejects(async () => {
      for await (const row of readCsv(source())) {
        assert.ok(row);
      }
    }, /connection lost/);
  });
});
