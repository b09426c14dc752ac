import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { z } from 'zod';
import { hashSources } from '../bin/start.mjs';
import { joinLicences } from './licences.ts';
import { packageOf, withDependencies } from './packages.ts';
import { keepSources } from './source-maps.ts';

const root = join(import.meta.dirname, '..');

/** What package.json starts, and the thread of the store. */
const entries = {
  main: 'src/main.ts',
  erase: 'src/programs/erase.ts',
  audit: 'src/programs/audit.ts',
  'migrate-store': 'src/programs/migrate-store.ts',
  restored: 'src/programs/restored.ts',
  manifest: 'src/programs/manifest.ts',
  'store-worker': 'src/store/store-worker.ts',
};

/** Packages that stay as they are: native ones, and those that are patched as they are loaded. */
const external = ['better-sqlite3'];

/**
 * Bundles the programs of package.json into a folder: with the packages that could not be bundled, the licences of all,
 * source maps of `src`, and the hash of what it was made from.
 *
 * @returns what esbuild says of it
 */
export async function bundle(folder: string): Promise<Metafile> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    external,
    // Less text is less memory. Names stay, for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'none',
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    // CommonJS packages in it call `require`.
    banner: {
      js: "import { createRequire as bundleRequire } from 'node:module'; const require = bundleRequire(import.meta.url);",
    },
    plugins: [threadFiles],
    logLevel: 'error',
  });
  mapSourcesAlone(folder);
  const bundled = Object.keys(metafile.inputs).flatMap((file) => packageOf(file) ?? []);
  const installed = withDependencies(root, externalsOf(metafile));
  for (const path of installed) {
    copyPackage(join(root, path), join(folder, path));
  }
  writeFileSync(join(folder, 'LICENSES.txt'), joinLicences(root, [...bundled, ...installed]));
  // Written last: with it, the bundle is whole.
  writeFileSync(join(folder, 'sources'), hashSources(root));
  return metafile;
}

/** The files of threads are named by URL; in the bundle they lie beside the one that names them. */
const threadFiles: Plugin = {
  name: 'thread-files',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replaceAll(
        /new URL\('[^']*?([\w-]+)\.ts', import\.meta\.url\)/g,
        "new URL('./$1.mjs', import.meta.url)",
      ),
      loader: 'ts',
    }));
  },
};

/** Takes the packages out of the source maps: a fifth is left to be read where an error is logged. */
function mapSourcesAlone(folder: string): void {
  for (const file of globSync('*.map', { cwd: folder })) {
    const path = join(folder, file);
    const map = mapSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
    const isOurs = (source: string) => relative(root, join(folder, source)).startsWith(`src${sep}`);
    writeFileSync(path, JSON.stringify(keepSources(map, isOurs)));
  }
}

const mapSchema = z.object({ version: z.number(), sources: z.array(z.string()), mappings: z.string() });

function externalsOf({ outputs }: Metafile): string[] {
  const names = Object.values(outputs).flatMap(({ imports }) =>
    imports.filter((each) => each.external === true && external.includes(each.path)).map(({ path }) => path),
  );
  return [...new Set(names)].sort();
}

/** Copies a package without what only its making needs: sources in C, and builds for other platforms. */
function copyPackage(from: string, to: string): void {
  const platform = new RegExp(`^${process.platform}(musl)?-${process.arch}\\.node$`);
  cpSync(from, to, {
    recursive: true,
    filter: (path) =>
      !/\.(cpp|c|h|hpp|gypi?|md|map|d\.[cm]?ts|tar\.gz|sh)$/.test(path) &&
      (basename(dirname(path)) !== 'prebuilds' || platform.test(basename(path))),
  });
}
