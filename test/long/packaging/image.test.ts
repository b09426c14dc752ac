import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { From } from 'dockerfile-ast';
import { z } from 'zod';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { startProcess } from '../../support/app/app-process.ts';
import { startSandboxes } from '../../support/app/program-harness.ts';
import { socketSettings, startSocketSlack } from '../../support/app/socket-settings.ts';
import {
  assembleImage,
  type Image,
  placeNode,
  readDockerfile,
  removeStage,
} from '../../support/packaging/image.ts';
import { createPostgresDatabase } from '../../support/store/databases.ts';
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
    // An image has no npm that the program has to end with.
    const withNpm = ['exec', ...JSON.parse(command?.getArgumentsContent() ?? ''), '--parent=$PPID'];
    assert.deepEqual(withNpm, scripts.start.split(' '));
  });
});

test('the files of the image run every program of production, read-only and as another user', async (t) => {
  // In the order in which they are registered: what is read-only could not be removed.
  let made: Image | undefined;
  t.after(() => made && void execFileSync('chmod', ['-R', 'u+w', made.workdir]));
  const folder = temporaryFolder(t);
  // Another user has to get to the image.
  chmodSync(folder, 0o755);
  const image = assembleImage(folder);
  made = image;
  removeStage(folder, 'build');
  placeNode(image);
  holdsOnlyWhatRuns(image);
  execFileSync('chmod', ['-R', 'a-w', image.workdir]);

  await t.test('starts as deploy/kubernetes has it', pods, (test) => startsAsPod(test, image));

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
    startProcess(t, [node, ...programs, program, ...rest], options(settings)).ends();
  const isHealthy = async (port: number) => {
    const health = startProcess(t, image.health, options({ HOST: settings.HOST, PORT: String(port) }));
    return (await health.ends()).code === 0;
  };

  assert.match((await run('migrate-store')).stderr, /DATABASE_URL is missing/);
  const program = startProcess(t, image.command, options(settings));
  const port = await program.ready();
  await program.says('"program":"main.mjs"');
  assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
  assert.ok(await isHealthy(port));

  const { code, signal } = await program.stop(image.stopSignal === 'SIGTERM' ? 'SIGTERM' : 'SIGKILL');
  assert.deepEqual([code, signal], [0, null]);
  assert.ok(!(await isHealthy(port)));
  assert.match((await run('audit', 'verify')).stdout, /check/i);
  assert.match((await run('erase', '+2348031234567')).stdout, /Removed: /);
  const [volume = ''] = image.volumes;
  assert.ok(
    readdirSync(join(image.root, volume)).includes('switchboard.db'),
    'the data is not in the volume',
  );
});

const pods = { skip: process.getuid?.() !== 0 && 'only root can mount, and become another user' };

/** What a container has of `deploy/kubernetes`, with a volume as kubelet makes it for `fsGroup`: root's, and of its group. */
const podScript = `
  mount -o remount,ro,bind /
  mount -t tmpfs -o size=64m,gid=1000,mode="$VOLUME_MODE" none "$DATA_DIR"
  mkdir -m 700 "$DATA_DIR/lost+found"
  exec setpriv --reuid=1000 --regid=1000 --groups=1000 --no-new-privs --bounding-set=-all --inh-caps=-all "$@"`;

async function startsAsPod(test: TestContext, image: Image): Promise<void> {
  const { env } = await startSandboxes(test, () => 0);
  const folder = temporaryFolder(test);
  const start = (volumeMode: string, database: Record<string, string>) =>
    startProcess(test, ['unshare', '--mount', 'sh', '-ceu', podScript, 'sh', ...image.command], {
      cwd: image.workdir,
      env: {
        ...{ ...image.env, ...env, ...database, METRICS_PORT: '0' },
        ...{ DATA_DIR: folder, VOLUME_MODE: volumeMode },
        PATH: [join(image.root, 'usr/local/bin'), '/usr/bin:/bin:/usr/sbin:/sbin'].join(delimiter),
      },
    });
  const created = await createPostgresDatabase({ empty: true });
  test.after(() => created.drop());

  const withPostgres = start('2777', { DATABASE_URL: `${created.url.reveal()}?connection_limit=1` });
  const port = await withPostgres.ready();
  assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200);
  const status = readFileSync(`/proc/${withPostgres.pid}/status`, 'utf8');
  assert.match(status, /^Uid:\t1000\t1000/m);
  assert.match(status, /^CapBnd:\t0+$/m);
  const peakKilobytes = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]);
  assert.ok(peakKilobytes < 512 * 1024, `${peakKilobytes} kB`);
  const stopped = await withPostgres.stop();
  assert.equal(stopped.code, 0);
  assert.match(stopped.stdout, /"level":40,.*DATABASE_URL has connection_limit after its/);

  const withSqlite = start('2775', {});
  await withSqlite.ready();
  const { code, output } = await withSqlite.stop();
  assert.equal(code, 0);
  assert.equal(output.match(/the group of the data folder can use it too/g)?.length, 1);

  const writtenByAll = await start('2777', {}).ends();
  assert.equal(writtenByAll.code, 1);
  assert.match(
    writtenByAll.stderr,
    /can be read by others.*Set DATA_DIR to a folder inside it, such as .*switchboard/,
  );
}

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
