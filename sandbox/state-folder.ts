import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const secretsSchema = z.object({
  signingSecret: z.string(),
  botToken: z.string(),
  appToken: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  stateSecret: z.string(),
  encryptionKeys: z.string(),
});

/** The secrets that Slack and the operator would hand out, generated once for this sandbox. */
type Secrets = z.infer<typeof secretsSchema>;

/** The folder in which the sandbox keeps its state between runs. */
export interface StateFolder {
  path: string;
  secrets: Secrets;
  /** State of the provider and of Slack. */
  providerFile: string;
  slackFile: string;
  /** The app's DATA_DIR. */
  appData: string;
  appLog: string;
  manifest: string;
  /** The app's PROVIDER_PROFILE, where it is not the example. */
  profile: string;
}

/** Opens the folder, emptied first with `reset`. Throws when it cannot be written or its secrets cannot be read. */
export async function openStateFolder(path: string, options: { reset?: boolean } = {}): Promise<StateFolder> {
  if (options.reset) {
    await rm(path, { recursive: true, force: true });
  }
  await mkdir(path, { recursive: true, mode: 0o700 });
  return {
    path,
    secrets: await readSecrets(join(path, 'secrets.json')),
    providerFile: join(path, 'provider.json'),
    slackFile: join(path, 'slack.json'),
    appData: join(path, 'app'),
    appLog: join(path, 'app.log'),
    manifest: join(path, 'manifest.yml'),
    profile: join(path, 'provider-profile.yml'),
  };
}

async function readSecrets(file: string): Promise<Secrets> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  });
  if (text !== undefined) {
    return secretsSchema.parse(JSON.parse(text));
  }
  const hex = (bytes: number) => randomBytes(bytes).toString('hex');
  const secrets: Secrets = {
    signingSecret: hex(16),
    botToken: `xoxb-sandbox-${hex(12)}`,
    appToken: `xapp-sandbox-${hex(12)}`,
    clientId: '1111111111.2222222222',
    clientSecret: hex(16),
    stateSecret: hex(16),
    encryptionKeys: randomBytes(32).toString('base64'),
  };
  await writeFile(file, JSON.stringify(secrets, undefined, 2), { mode: 0o600 });
  return secrets;
}

const runningSchema = z.object({ pid: z.number(), url: z.url() });

/** Thrown when another sandbox runs on the same folder. */
export class AlreadyRunningError extends Error {
  override readonly name = 'AlreadyRunningError';
  constructor(url: string, pid: number) {
    super(`A sandbox is running on this folder already: ${url} (process ${pid}). Stop it first, or use it.`);
  }
}

const fileIn = (folder: string): string => join(folder, 'running.json');

/** Throws AlreadyRunningError if a sandbox runs on the folder. Ignores the mark of a sandbox that was killed. */
export async function assertSingleInstance(folder: string): Promise<void> {
  const text = await readFile(fileIn(folder), 'utf8').catch(() => undefined);
  const running = text === undefined ? undefined : runningSchema.safeParse(JSON.parse(text)).data;
  if (!running || running.pid === process.pid) {
    return;
  }
  const answers = await fetch(new URL('/sandbox/controls', running.url)).then(
    (response) => response.ok,
    () => false,
  );
  if (answers) {
    throw new AlreadyRunningError(running.url, running.pid);
  }
}

/** Marks the folder as used by this process. Returns a function that removes the mark. */
export async function markRunning(folder: string, url: string): Promise<() => Promise<void>> {
  await writeFile(fileIn(folder), JSON.stringify({ pid: process.pid, url }));
  return () => rm(fileIn(folder), { force: true });
}
