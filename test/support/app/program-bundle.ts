import { createHash, randomUUID } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '../../..');
const cache = join(root, 'node_modules/.cache/switchboard');
const entries = { main: 'src/main.ts', 'store-worker': 'src/store/store-worker.ts' };

/**
 * Returns the path of the program in two files, the main thread's and the store's, made once for each state of the
 * sources. Tests that start the program dozens of times use it: it starts in a third of the time, as `src/main.ts` loads
 * some 1,400 modules. It is the same code; test/main.test.ts runs `src/main.ts` itself.
 */
export async function bundleProgram(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of [...globSync('src/**/*.ts', { cwd: root }).sort(), 'package-lock.json']) {
    hash.update(file).update(readFileSync(join(root, file)));
  }
  const folder = join(cache, hash.digest('hex').slice(0, 16));
  if (existsSync(folder)) {
    return join(folder, 'main.mjs');
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
  await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: unfinished,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    // A native module, which is found in node_modules.
    external: ['better-sqlite3'],
    // Only scripts ask whether they are the entry.
    define: { 'import.meta.main': 'false' },
    // CommonJS packages in it call `require`.
    banner: {
      js: "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);",
    },
    plugins: [
      {
        name: 'worker-file',
        setup({ onLoad }) {
          onLoad({ filter: /src[\\/]store[\\/]open-data\.ts$/ }, ({ path }) => ({
            contents: readFileSync(path, 'utf8').replace("'./store-worker.ts'", "'./store-worker.mjs'"),
            loader: 'ts',
          }));
        },
      },
    ],
    logLevel: 'error',
  });
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    if (!existsSync(folder)) {
      throw error;
    }
  }
  return join(folder, 'main.mjs');
}
