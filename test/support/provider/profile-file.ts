import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ProviderProfileInput } from '../../../src/config/provider-profile.ts';

let folder: string | undefined;
/** The file of each text: tests with the same one share an app. */
const files = new Map<string, string>();

/** The setting that names a file with this profile, which is deleted when the process exits. */
export function profileEnv(profile: ProviderProfileInput): { PROVIDER_PROFILE: string } {
  return { PROVIDER_PROFILE: profileFile(JSON.stringify(profile)) };
}

/** Writes a file for `PROVIDER_PROFILE`, and returns its path. */
export function profileFile(text: string): string {
  folder ??= temporaryUntilExit();
  const file = files.get(text) ?? join(folder, `${files.size + 1}.yml`);
  files.set(text, file);
  writeFileSync(file, text);
  return file;
}

function temporaryUntilExit(): string {
  const made = mkdtempSync(join(tmpdir(), 'switchboard-profile-'));
  process.once('exit', () => rmSync(made, { recursive: true, force: true }));
  return made;
}
