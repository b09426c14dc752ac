import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';

const root = join(import.meta.dirname, '../../..');

/** The version that an upgrade is tested from: a commit of this project's history. Each release names the one before it. */
export const previousRelease = {
  commit: '48f486ea4f4ff9527aa8a3e68ece3b067558d59d',
  /** The last of its migrations. */
  migration: '0021-jobs',
} as const;

/**
 * Writes the files of the previous release into a folder of the test, beside the packages of this one, and returns the path
 * of its program. Undefined where the history has no such commit, as in an archive of the sources or a shallow clone.
 */
export function previousProgram(test: { after(remove: () => void): void }): string | undefined {
  const { commit } = previousRelease;
  const folder = temporaryFolder(test);
  const archive = join(folder, 'release.tar');
  try {
    const paths = ['package.json', 'manifest.yml', 'src'];
    execFileSync('git', ['archive', `--output=${archive}`, commit, ...paths], { cwd: root, stdio: 'pipe' });
  } catch {
    return undefined;
  }
  execFileSync('tar', ['-xf', archive, '-C', folder]);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'dir');
  return join(folder, 'src/main.ts');
}
