import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createLog } from '../../src/lib/log.ts';

/** Returns how the log describes an error, without its time, whose digits vary. */
function written(error: unknown): string {
  let text = '';
  const log = createLog('info', {
    write: (line: string) => {
      text += line;
    },
  });
  log.error({ err: error }, 'it went wrong');
  return JSON.stringify(JSON.parse(text).err);
}

describe('an error in the log', () => {
  it('has its redacted message, type, code and location, and those of its cause', () => {
    const cause = Object.assign(new TypeError('bad text "Your code\nis 4711"'), { code: 'ERR_BAD' });
    const text = written(new Error('no answer for +234 803 123 4567\nxoxb-1-secret', { cause }));
    assert.match(text, /"message":"no answer for \[digits\]/);
    assert.match(text, /"type":"TypeError"/);
    assert.match(text, /"code":"ERR_BAD"/);
    assert.match(text, /log\.test\.ts/);
    assert.doesNotMatch(text, /803|4711|Your code|xoxb-1/);
  });

  it('has where it was thrown, and nothing of a message that resembles a stack', () => {
    const words = fc.constantFrom(
      '+2348031234567',
      'xoxb-1-secret',
      '"code 4711"',
      'ada@example.com',
      'src/app.ts:1:2',
    );
    const line = fc
      .tuple(fc.constantFrom('', ' ', '    at ', '\tat async '), words)
      .map((parts) => parts.join(''));
    const message = fc.array(line, { minLength: 1, maxLength: 20 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(message, message, fc.boolean(), (first, then, changes) => {
        const error = new Error(first);
        if (changes) {
          error.message = then;
        }
        const text = written(error);
        assert.doesNotMatch(text, /2348031234567|xoxb-1|4711|ada@/);
        const { at } = JSON.parse(text);
        const isCut = changes && first.includes(then);
        assert.ok(isCut || at.every((frame: string) => !frame.includes('src/app.ts')), text);
        assert.ok(changes || at.some((frame: string) => frame.includes('log.test.ts')), text);
      }),
    );
  });

  it('names the package that it was thrown in', () => {
    const error = new Error('it went wrong');
    error.stack =
      'Error: it went wrong\n    at post (file:///app/node_modules/@slack/web-api/dist/client.js:10:20)';
    assert.match(written(error), /node_modules\/@slack\/web-api\/dist\/client\.js:10:20/);
  });

  it('has only its type if it is not an `Error`', () => {
    assert.match(written('+2348031234567'), /^\{"type":"string"\}$/);
  });
});
