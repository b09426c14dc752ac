import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { type ProviderSandbox, startProvider } from '../../sandbox/provider/server.ts';
import { type SlackSandbox, startSlack } from '../../sandbox/slack/server.ts';
import { portIn, type RunningProgram, runProgram } from '../support/app/app-process.ts';
import { createPostgresDatabase } from '../support/store/databases.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** One running program of some version. */
export interface RunningVersion {
  port: number;
  /** Stops it in order, and asserts that it did. */
  stop(): Promise<void>;
}

/**
 * One PostgreSQL database, empty at first, on which programs of several versions run side by side. The test fails where one
 * of them logged an error.
 */
export interface Versions {
  slack: SlackSandbox;
  provider: ProviderSandbox;
  /** Starts a program, with settings besides the shared ones, and resolves when it is ready. */
  start(file: string, env?: Record<string, string>): Promise<RunningVersion>;
  /** From now on, what people do in Slack goes there. */
  serveBy(version: RunningVersion): void;
  /** The names of the migrations that the database has. */
  migrations(): Promise<string[]>;
}

interface Test {
  after(end: () => void | Promise<void>): void;
}

const botToken = 'xoxb-sandbox-1111';
const signingSecret = 'sandbox-signing-secret-7d40';
/** Of pino: an error, and worse. */
const errorLevel = 50;

export async function startVersions(test: Test): Promise<Versions> {
  let port = 1;
  const postgres = await createPostgresDatabase({ empty: true });
  const client = new pg.Client(postgres.url.reveal());
  await client.connect();
  const provider = await startProvider();
  const slack = await startSlack({
    manifestPath: fileURLToPath(new URL('../../manifest.yml', import.meta.url)),
    botToken,
    delivery: { mode: 'http', eventsUrl: () => `http://127.0.0.1:${port}/slack/events`, signingSecret },
  });
  const programs: RunningProgram[] = [];
  test.after(async () => {
    const errors: string[] = [];
    for (const { child, ended } of programs) {
      child.kill('SIGKILL');
      errors.push(...errorsIn((await ended).output));
    }
    await slack.stop();
    await provider.stop();
    await client.end();
    await postgres.drop();
    assert.equal(errors.join('\n'), '');
  });
  const env = {
    DATABASE_URL: postgres.url.reveal(),
    DATABASE_POOL: '4',
    PROVIDER_BASE_URL: provider.url,
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: botToken,
    SLACK_SIGNING_SECRET: signingSecret,
    ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
    HOST: '127.0.0.1',
    PORT: '0',
  };
  const folder = temporaryFolder(test);
  return {
    slack,
    provider,
    async start(file, more = {}) {
      const dataDir = join(folder, `instance-${programs.length}`);
      const program = runProgram(test, { ...env, DATA_DIR: dataDir, ...more }, file);
      programs.push(program);
      return {
        port: portIn(await program.says('Switchboard is ready')),
        async stop() {
          program.child.kill('SIGTERM');
          const { code, output } = await program.ended;
          assert.equal(code, 0, output);
        },
      };
    },
    serveBy(version) {
      port = version.port;
    },
    async migrations() {
      const { rows } = await client.query<{ name: string }>(
        'select name from kysely_migration order by name',
      );
      return rows.map(({ name }) => name);
    },
  };
}

/** Returns the lines of a log that say that something failed, and those that are no lines of a log. */
function errorsIn(output: string): string[] {
  return output
    .trimEnd()
    .split('\n')
    .filter((line) => Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? errorLevel) >= errorLevel);
}
