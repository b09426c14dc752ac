import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      dependencies: z.record(z.string(), z.string()).optional(),
      optionalDependencies: z.record(z.string(), z.string()).optional(),
    }),
  ),
});

/** Returns the folder of the package that a file belongs to, such as `node_modules/@slack/bolt`. */
export function packageOf(file: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

/** Returns the folders of packages and of all that they need, by the lock file. */
export function withDependencies(root: string, names: readonly string[]): string[] {
  const { packages } = lockSchema.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const found = new Set<string>();
  const add = (name: string, from: string) => {
    const path = resolve(name, from, (each) => each in packages);
    const entry = path === undefined ? undefined : packages[path];
    if (path === undefined || entry === undefined || found.has(path)) {
      return;
    }
    found.add(path);
    for (const needed of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      add(needed, path);
    }
  };
  for (const name of names) {
    add(name, '');
  }
  return [...found].sort();
}

/** Looks where Node does: in the package’s own folder of packages, and in those above it. */
function resolve(name: string, from: string, isThere: (path: string) => boolean): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const path = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`;
    if (isThere(path)) {
      return path;
    }
    if (folder === '') {
      return undefined;
    }
  }
}
