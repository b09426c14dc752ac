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
