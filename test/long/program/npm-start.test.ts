import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { startProcess } from '../../support/app/app-process.ts';
import { startSandboxes } from '../../support/app/program-harness.ts';
import { eventually } from '../../support/campaigns.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');
const path = [dirname(process.execPath), process.env.PATH].join(delimiter);

/** Starts `npm start` over HTTP, and returns it with the id of the program's own process. */
async function startByNpm(test: TestContext, database: Record<string, string> = {}) {
  const { env: settings } = await startSandboxes(test, () => 0);
  const dataDir = join(temporaryFolder(test), 'data');
  const env = { HOME: process.env.HOME, PATH: path, ...settings, ...database, DATA_DIR: dataDir };
  const npm = startProcess(test, ['npm', 'start'], { cwd: root, env });
  await npm.ready();
  const pid: number = JSON.parse(readFileSync(join(dataDir, 'lock.json'), 'utf8')).pid;
  test.after(() => void (isRunning(pid) && process.kill(pid, 'SIGKILL')));
  return { npm, pid };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('npm start', () => {
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGKILL'] as const) {
    it(`stops the program in order when npm gets ${signal}`, async (test) => {
      const { npm, pid } = await startByNpm(test);
      assert.notEqual(pid, npm.pid);
      process.kill(npm.pid ?? 0, signal);
      await npm.says('Switchboard has stopped');
      await eventually(() => !isRunning(pid), 'the end of the program');
    });
  }
});

it('a signal to npm and to the program, as a supervisor sends it, stops the program in order', async (test) => {
  const created = await createPostgresDatabase({ empty: true });
  test.after(() => created.drop());
  // On PostgreSQL a stop takes five seconds at least.
  const { npm, pid } = await startByNpm(test, { DATABASE_URL: created.url.reveal() });
  process.kill(pid, 'SIGTERM');
  const { output } = await npm.stop('SIGTERM');
  assert.match(output, /Switchboard has stopped/);
  assert.ok(!isRunning(pid));
});

describe('on another Node', () => {
  it('says that Node 24 is needed, and how to get it', async (test) => {
    const older =
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.11.1" } })';
    for (const words of [
      [join(root, 'bin/start.mjs'), 'main'],
      ['--import', join(root, 'bin/node-version.mjs'), join(root, 'sandbox/main.ts')],
    ]) {
      const command = [process.execPath, '--import', `data:text/javascript,${older}`, ...words];
      const { code, stderr } = await startProcess(test, command, { env: {} }).ends();
      assert.equal(code, 1);
      assert.match(stderr, /^Switchboard needs Node 24, and this is Node 20\.11\.1\.\n.*--ignore-scripts/);
    }
  });
});
