import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLog } from '../../../src/lib/log.ts';
import type { Files } from '../../../src/slack/client/files.ts';
import { readDroppedFile, smallFile } from '../../../src/slack/middleware/dropped-file.ts';
import { steppedTimers } from '../../support/stepped-timers.ts';

const dropped = { id: 'F1', name: 'list.csv', url_private_download: 'https://files.slack.com/list.csv' };
const limits = { ...smallFile, remedy: 'Split the file.' };
const notHandedOver = {
  ok: false,
  reason: 'Slack didn’t deliver this file. Upload the file again.',
};

/** What a form shares with its reader of files, and what is logged. */
function contextOf(stream: Files['stream']) {
  const lines: string[] = [];
  const timers = steppedTimers();
  const log = createLog('warn', { write: (line: string) => void lines.push(line) });
  return { files: { share: async () => {}, stream }, timers, log, lines };
}

async function readText(content: AsyncIterable<Uint8Array>) {
  return { ok: true as const, text: Buffer.concat(await Array.fromAsync(content)).toString() };
}

describe('a file dropped into a form', () => {
  it('is read as a stream', async () => {
    const context = contextOf(async function* () {
      yield Buffer.from('Phone\n');
      yield Buffer.from('08031234567\n');
    });
    assert.deepEqual(
      await readDroppedFile({ workspaceId: 'T0SWITCH', dropped: dropped }, limits, context, readText),
      {
        ok: true,
        text: 'Phone\n08031234567\n',
      },
    );
    assert.equal(context.timers.pending(), 0);
  });

  it('is given up after 30 s', async () => {
    const awaited = Promise.withResolvers<void>();
    const context = contextOf(async function* (_workspaceId, _file, _maxBytes, signal) {
      yield Buffer.from('0803');
      awaited.resolve();
      await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    });
    const reading = readDroppedFile({ workspaceId: 'T0SWITCH', dropped: dropped }, limits, context, readText);
    await awaited.promise;
    await context.timers.advance(29_999);
    assert.equal(context.timers.pending(), 1);
    await context.timers.advance(1);
    assert.deepEqual(await reading, notHandedOver);
    assert.match(context.lines.join(''), /could not be fetched.*30000 ms/);
  });

  it('is refused without a request when it is too large', async () => {
    const context = contextOf(() => assert.fail('it is requested'));
    const large = { ...dropped, size: 2_000_001 };
    assert.deepEqual(
      await readDroppedFile({ workspaceId: 'T0SWITCH', dropped: large }, limits, context, readText),
      {
        ok: false,
        reason: 'This file is too large: up to 2 MB. Split the file.',
      },
    );
  });

  it('is not blamed for an error of its reader', async () => {
    const context = contextOf(async function* () {
      yield Buffer.from('0803');
    });
    const reader = async () => {
      throw new TypeError('a fault of ours');
    };
    await assert.rejects(
      readDroppedFile({ workspaceId: 'T0SWITCH', dropped: dropped }, limits, context, reader),
      TypeError,
    );
    assert.deepEqual(context.lines, []);
  });
});
