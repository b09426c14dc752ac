import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';

/** The profile of the sandbox’s provider: switches on all that is beyond the provider’s description. */
export const exampleProfile = fileURLToPath(new URL('../../provider-profile.example.yml', import.meta.url));

/**
 * Copies a profile with other fields: `unicodeType=unicode` sets one, `historyPath=` removes one, `reportSignature.key=secret` one
 * within another. Without a file, the copy has these alone. Throws with what is expected.
 */
export async function copyProfile(from: string, to: string, changes: readonly string[]): Promise<void> {
  const profile = parseDocument(from === '' ? '' : await readFile(from, 'utf8'));
  for (const change of changes) {
    const [, name = '', value = ''] = /^([\w.]+)=(.*)$/.exec(change) ?? [];
    if (name === '') {
      throw new Error('--profile takes a field and its value, such as unicodeType=unicode.');
    }
    const path = name.split('.');
    if (value !== '') {
      profile.setIn(path, value);
    } else if (profile.hasIn(path)) {
      profile.deleteIn(path);
    }
  }
  await writeFile(to, profile.toString());
}
