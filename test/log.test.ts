import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLog } from '../src/log.ts';

/** What the log holds after an error was written to it. */
function written(error: unknown): string {
  let text = '';
  const log = createLog('info', {
    write: (line: string) => {
      text += line;
    },
  });
  log.error({ err: error }, 'it went wrong');
  return text;
}

describe('an error in the log', () => {
  it('says what it was and where, and nothing of what it repeats, nor of what caused it', () => {
    const cause = Object.assign(new TypeError('bad text "Your code\nis 4711"'), { code: 'ERR_BAD' });
    const text = written(new Error('no answer for +234 803 123 4567\nxoxb-1-secret', { cause }));
    assert.match(text, /"message":"no answer for \[digits\]/);
    assert.match(text, /"type":"TypeError"/);
    assert.match(text, /"code":"ERR_BAD"/);
    assert.match(text, /log\.test\.ts/);
    assert.doesNotMatch(text, /803|4711|Your code|xoxb-1/);
  });

  it('that is no error at all leaves only its kind', () => {
    assert.match(written('+2348031234567'), /"err":\{"type":"string"\}/);
  });
});
