import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { bundle } from './bundle.ts';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'dist');

/** Settings with which the program starts without a workspace and without a provider. */
const settings = {
  PROVIDER_BASE_URL: 'http://127.0.0.1:9',
  SLACK_CLIENT_ID: '1.1',
  SLACK_CLIENT_SECRET: '0'.repeat(32),
  SLACK_STATE_SECRET: '0'.repeat(44),
  SLACK_SIGNING_SECRET: '0'.repeat(32),
  ENCRYPTION_KEYS: Buffer.alloc(32).toString('base64'),
  HOST: '127.0.0.1',
  PORT: '0',
};

const addressSchema = z.object({ port: z.number() });

/**
 * Starts the bundle once as package.json does, and stops it: it leaves its compiled code beside it, which saves each later
 * start by this Node and this user a third of its time, and 10 MB.
 */
async function compile(): Promise<void> {
  const { scripts } = z
    .object({ scripts: z.object({ start: z.string() }) })
    .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
  const dataDir = mkdtempSync(join(tmpdir(), 'switchboard-build-'));
  // All that it asks of Slack is whether it answers.
  const slack = createServer((_, response) => response.end('{"ok":true}')).listen(0, '127.0.0.1');
  await once(slack, 'listening');
  const { port } = addressSchema.parse(slack.address());
  // `exec node …`
  const child = spawn(process.execPath, scripts.start.split(' ').slice(2), {
    cwd: root,
    env: { ...settings, SLACK_API_URL: `http://127.0.0.1:${port}/api/`, DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('Switchboard is ready')) {
      child.kill('SIGTERM');
    }
  }
  await ended;
  slack.close();
  rmSync(dataDir, { recursive: true, force: true });
  if (child.exitCode !== 0) {
    throw new Error('The bundle does not start.');
  }
}

// npm run build: makes the bundle in dist, which `npm start` then runs.
rmSync(folder, { recursive: true, force: true });
const { outputs } = await bundle(folder);
await compile();
const bytes = Object.entries(outputs).reduce(
  (sum, [file, { bytes }]) => sum + (file.endsWith('.mjs') ? bytes : 0),
  0,
);
console.log(
  `dist: ${(bytes / 1e6).toFixed(1)} MB of program, its source maps, its native packages and LICENSES.txt`,
);
