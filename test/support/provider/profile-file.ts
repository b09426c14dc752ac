import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProviderProfileInput } from '../../../src/config/provider-profile.ts';

let folder: string | undefined;
let files = 0;

/** The setting that names a file with this profile, which is deleted when the process exits. */
export function profileEnv(profile: ProviderProfileInput): { PROVIDER_PROFILE: string } {
  return { PROVIDER_PROFILE: profileFile(JSON.stringify(profile)) };
}

/** Writes a file for `PROVIDER_PROFILE`, and returns its path. */
export function profileFile(text: string): string {
  if (folder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'switchboard-profile-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  files += 1;
  const file = join(folder, `${files}.yml`);
  writeFileSync(file, text);
  return file;
}
