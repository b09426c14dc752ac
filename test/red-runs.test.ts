import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { temporaryFolder } from './support/temporary-folder.ts';

/** By file: what is in it, and what its failure says. */
const faults = {
  'assertion.test.mjs': ["it('fails', () => { throw new Error('expected'); });", 'expected'],
  'loading.test.mjs': ["it('passes', () => {}); throw new Error('loading');", 'loading'],
  'rejection.test.mjs': [
    "it('passes', () => { setImmediate(() => Promise.reject(new Error('late'))); });",
    'late',
  ],
  'exit.test.mjs': [
    "it('passes', () => void process.on('exit', () => { process.exitCode = 7; }));",
    'status 7',
  ],
  'killed.test.mjs': ["it('is killed', () => process.kill(process.pid, 'SIGKILL'));", 'ended before'],
} as const;

it('npm test is red, and names the file, for each way in which tests can fail', async (t) => {
  const folder = temporaryFolder(t);
  for (const [file, [source, said]] of Object.entries(faults)) {
    const path = join(folder, file);
    writeFileSync(path, `import { it } from 'node:test';\n${source}`);
    const child = spawn(process.execPath, ['test/run.ts', 'test', path], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [printed, [status]] = await Promise.all([text(child.stdout), once(child, 'close')]);
    assert.equal(status, 1, printed);
    const [, lastLines = ''] = printed.split('One file again');
    assert.match(lastLines, new RegExp(`^✖ .*/${file}:`, 'm'));
    assert.ok(lastLines.includes(said), lastLines);
    assert.match(lastLines, /\b1 failed, 0 skipped\n$/);
  }
});
