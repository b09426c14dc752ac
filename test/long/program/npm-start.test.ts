import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { startProcess } from '../../support/app/app-process.ts';
import { startSandboxes } from '../../support/app/program-harness.ts';
import { eventually } from '../../support/campaigns.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');
const path = [dirname(process.execPath), process.env.PATH].join(delimiter);

/** Returns the settings of a program over HTTP. */
async function environment(test: TestContext, database: Record<string, string> = {}) {
  const { env } = await startSandboxes(test, () => 0);
  const dataDir = join(temporaryFolder(test), 'data');
  return { HOME: process.env.HOME, PATH: path, ...env, ...database, DATA_DIR: dataDir };
}

const startNpm = (test: TestContext, env: NodeJS.ProcessEnv) =>
  startProcess(test, ['npm', 'start'], { cwd: root, env });

/** Starts `npm start`, and returns it with the id of the program's own process once that is ready. */
async function startByNpm(test: TestContext, database: Record<string, string> = {}) {
  const env = await environment(test, database);
  const npm = startNpm(test, env);
  await npm.ready();
  const pid: number = JSON.parse(readFileSync(join(env.DATA_DIR, 'lock.json'), 'utf8')).pid;
  killAtEnd(test, pid);
  return { npm, pid };
}

function killAtEnd(test: TestContext, pid: number): void {
  test.after(() => void (isRunning(pid) && process.kill(pid, 'SIGKILL')));
}

/** Returns the first process that another one has started; undefined until then. */
function childOf(pid: number | undefined): number | undefined {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ', 1)[0]) || undefined;
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

  const skip = process.platform !== 'linux' && 'processes are found in /proc';

  for (const afterMs of [0, 20, 100]) {
    it(`leaves no program behind when npm is killed ${afterMs} ms after it began it`, {
      skip,
    }, async (test) => {
      const npm = startNpm(test, await environment(test));
      await eventually(() => childOf(npm.pid) !== undefined, 'npm’s shell');
      const pid = childOf(npm.pid) ?? assert.fail();
      killAtEnd(test, pid);
      await setTimeout(afterMs);
      process.kill(npm.pid ?? 0, 'SIGKILL');
      await eventually(() => !isRunning(pid), 'the end of the program');
      assert.doesNotMatch((await npm.ended).output, /Switchboard is ready/);
    });
  }

  it('does not begin where npm ended before its shell, and the system took that over', {
    skip,
  }, async (test) => {
    const env = await environment(test);
    // The words of this shell name neither npm nor Node, like the system’s first process.
    const command = `${process.execPath} ${join(root, 'bin/start.mjs')} main`;
    const shell = startProcess(test, ['sh', '-c', '$COMMAND --parent=$$; echo "ended with $?"'], {
      env: { ...env, COMMAND: command, npm_config_user_agent: 'npm/11.0.0 node/v24.0.0', PORT: '0' },
    });
    const { stdout } = await shell.ends();
    assert.match(stdout, /^ended with 143$/m);
    assert.doesNotMatch(stdout, /Switchboard is ready/);
  });
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
