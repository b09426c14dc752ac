import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { From } from 'dockerfile-ast';
import { z } from 'zod';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { portIn } from '../../support/app/app-process.ts';
import { socketSettings, startSocketSlack } from '../../support/app/socket-settings.ts';
import {
  assembleImage,
  type Image,
  placeNode,
  readDockerfile,
  removeStage,
} from '../../support/packaging/image.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const project = join(import.meta.dirname, '../../..');

describe('the Dockerfile', () => {
  test('starts from images of this very Node', () => {
    const images = readDockerfile().filter((each) => each instanceof From);
    assert.ok(images.length > 1);
    for (const image of images) {
      assert.match(`${image.getImage()}`, new RegExp(`^node:${process.versions.node}-\\w+-slim$`));
    }
  });

  test('starts the program as `npm start` does', () => {
    const { scripts } = z
      .object({ scripts: z.object({ start: z.string() }) })
      .parse(JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')));
    const command = readDockerfile().find((each) => each.getKeyword() === 'CMD');
    assert.deepEqual(JSON.parse(command?.getArgumentsContent() ?? ''), scripts.start.split(' '));
  });
});

test('the files of the image run every program of production, read-only and as another user', async (t) => {
  // In the order in which they are registered: what is read-only could not be removed.
  let made: Image | undefined;
  t.after(() => made && promisify(execFile)('chmod', ['-R', 'u+w', made.workdir]));
  const folder = temporaryFolder(t);
  // Another user has to get to the image.
  chmodSync(folder, 0o755);
  const image = assembleImage(folder);
  made = image;
  removeStage(folder, 'build');
  placeNode(image);
  holdsOnlyWhatRuns(image);
  await promisify(execFile)('chmod', ['-R', 'a-w', image.workdir]);

  // Ended first: the sandbox waits for its connections.
  let child: ChildProcess | undefined;
  t.after(() => child?.kill('SIGKILL'));
  const provider = await startProvider();
  t.after(() => provider.stop());
  const slack = await startSocketSlack(t);
  const settings = socketSettings({ providerUrl: provider.url, slackApiUrl: slack.apiUrl });
  const options = (env: Record<string, string>) => ({
    cwd: image.workdir,
    env: { ...image.env, ...env, PATH: join(image.root, 'usr/local/bin') },
    ...userOf(image),
  });
  const [node = '', ...words] = image.command;
  const programs = words.slice(0, -1);
  /** Runs a program of the image to its end, as `docker exec` does. */
  const run = (program: string, ...rest: string[]) =>
    promisify(execFile)(node, [...programs, program, ...rest], options(settings));
  const isHealthy = (port: number) => {
    const [file = '', ...health] = image.health;
    return promisify(execFile)(file, health, options({ HOST: settings.HOST, PORT: String(port) })).then(
      () => true,
      () => false,
    );
  };

  await assert.rejects(run('migrate-store'), /DATABASE_URL is missing/);
  child = spawn(node, words, { ...options(settings), stdio: ['ignore', 'pipe', 'inherit'] });
  const { stdout } = child;
  assert.ok(stdout !== null);
  let output = '';
  stdout.on('data', (bytes: Buffer) => {
    output += bytes;
  });
  while (!output.includes('Switchboard is ready')) {
    await Promise.race([
      once(stdout, 'data'),
      once(child, 'close').then(() => assert.fail(`it ended: ${output}`)),
    ]);
  }
  const port = portIn(output);
  assert.ok(output.includes('"program":"main.mjs"'), output);
  assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
  assert.ok(await isHealthy(port));

  const closed = once(child, 'close');
  child.kill(image.stopSignal === 'SIGTERM' ? 'SIGTERM' : 'SIGKILL');
  assert.deepEqual(await closed, [0, null]);
  assert.ok(!(await isHealthy(port)));
  assert.match((await run('audit', 'verify')).stdout, /check/i);
  assert.match((await run('erase', '+2348031234567')).stdout, /Removed: /);
  const [volume = ''] = image.volumes;
  assert.ok(
    readdirSync(join(image.root, volume)).includes('switchboard.db'),
    'the data is not in the volume',
  );
});

/** Returns the user as whom the image runs: one who is not root, and cannot write in it. Only root can become another. */
function userOf({ user }: Image): { uid?: number; gid?: number } {
  const [uid = 0, gid = 0] = user.split(':').map(Number);
  assert.ok(uid > 0 && gid > 0, 'it runs as root');
  return process.getuid?.() === 0 ? { uid, gid } : {};
}

/** The image has the bundle, the launcher, and of the packages only those that are loaded from their own files. */
function holdsOnlyWhatRuns({ root, workdir }: Image): void {
  assert.deepEqual(readdirSync(workdir).sort(), ['LICENSE', 'bin', 'dist']);
  assert.deepEqual(readdirSync(join(root, 'usr/local/bin')), ['node']);
  const { packages } = z
    .object({ packages: z.record(z.string(), z.object({ dev: z.boolean().optional() })) })
    .parse(JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')));
  const installed = globSync('dist/**/node_modules/{*,@*/*}/package.json', { cwd: workdir }).map(dirname);
  assert.ok(installed.includes('dist/node_modules/better-sqlite3'));
  for (const folder of installed) {
    const entry = packages[folder.slice('dist/'.length)];
    assert.ok(entry !== undefined && entry.dev !== true, `${folder} is of no use in production`);
  }
  const files = globSync('**/*', { cwd: workdir }).map((file) => statSync(join(workdir, file)).size);
  const megabytes = files.reduce((sum, size) => sum + size, 0) / 1e6;
  assert.ok(megabytes < 40, `${megabytes} MB besides Node`);
}
