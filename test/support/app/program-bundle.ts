import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashSources } from '../../../bin/start.mjs';
import { bundle } from '../../../packaging/bundle.ts';
import { mainFile } from './app-process.ts';

const root = join(import.meta.dirname, '../../..');
const cache = join(root, 'node_modules/.cache/switchboard');

/**
 * Returns the path of the program in the bundle of `npm run build`, made once for each state of the sources. Tests that
 * start the program dozens of times use it: it starts in a third of the time, as `src/main.ts` loads some 1,400 modules.
 */
export async function bundleProgram(): Promise<string> {
  return join(await bundleOnce(), 'main.mjs');
}

/** Returns the folder of that bundle. */
export async function bundleOnce(): Promise<string> {
  const folder = join(cache, hashSources(root).slice(0, 16));
  if (existsSync(folder)) {
    return folder;
  }
  // Bundles of earlier states of the sources.
  for (const name of existsSync(cache) ? readdirSync(cache) : []) {
    if (/^[0-9a-f]{16}$/.test(name)) {
      rmSync(join(cache, name), { recursive: true, force: true });
    }
  }
  // Made apart and then renamed, as several processes may make it at once.
  const unfinished = join(cache, randomUUID());
  mkdirSync(unfinished, { recursive: true });
  await bundle(unfinished);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) {
      throw error;
    }
  }
  return folder;
}

/** What runs while developing, and in production: tests of the program as a process are held by both. */
export async function programs(): Promise<{ name: string; file: string }[]> {
  return [
    { name: 'src/main.ts', file: mainFile },
    { name: 'the bundle', file: await bundleProgram() },
  ];
}
