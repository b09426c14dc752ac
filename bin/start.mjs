// node bin/start.mjs NAME …: runs `src/main.ts` or `src/programs/NAME.ts`, or that program from the bundle of `npm run build`
// where there is one of these very sources. JavaScript, because Node’s stripping of types alone takes some 15 MB.
import './node-version.mjs';
import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
// Its names differ between versions of Node: one that is missing would end the start before the line above is run.
import module from 'node:module';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const bundle = join(root, 'dist');
/** Written last: with it, a bundle is whole. */
const hashFile = join(bundle, 'sources');
const hasBundle = existsSync(hashFile);

/**
 * Returns the hash of all that a bundle is made from.
 *
 * @param {string} folder the project’s
 */
export function hashSources(folder) {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(1 << 16);
  const sources = ['src', 'packaging']
    .filter((part) => existsSync(join(folder, part)))
    .flatMap((part) =>
      readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' }).map((name) => `${part}/${name}`),
    )
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts') || name.endsWith('.json'))
    .sort();
  for (const name of [...sources, 'package-lock.json']) {
    hash.update(`${name}\n`);
    const file = openSync(join(folder, name), 'r');
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      hash.update(buffer.subarray(0, read));
    }
    closeSync(file);
  }
  return hash.digest('hex');
}

/** Returns whether there is a bundle, and of these very sources. An image has no sources. */
export function isFresh() {
  return (
    hasBundle && (!existsSync(join(root, 'src')) || readFileSync(hashFile, 'utf8') === hashSources(root))
  );
}

/** @param {string} name */
async function run(name) {
  if (isFresh()) {
    // Code that is compiled already. Does nothing where the folder can be neither read nor written to.
    module.enableCompileCache(join(bundle, 'compiled'));
    return import(`../dist/${name}.mjs`);
  }
  if (hasBundle && name === 'main') {
    const msg = 'the bundle in dist is outdated, so the sources run instead: `npm run build` rebuilds it';
    console.log(JSON.stringify({ level: 40, time: Date.now(), msg }));
  }
  return import(name === 'main' ? '../src/main.ts' : `../src/programs/${name}.ts`);
}

const parentCheckMs = 500;

/**
 * Ends the program with the npm that started it: npm and its shell don’t forward every signal, and the program would keep
 * running beside the next one. The shell names its parent: npm can end before this line is run.
 *
 * @param {number} parent the process that started the shell
 */
function endWithNpm(parent) {
  const isOrphan = takesInOrphans(parent);
  const endIfAlone = () => {
    if (isOrphan || process.ppid !== parent) {
      clearInterval(check);
      process.kill(process.pid, 'SIGTERM');
    }
  };
  const check = setInterval(endIfAlone, parentCheckMs);
  check.unref();
  endIfAlone();
}

/**
 * Returns whether a process can’t be npm: npm ended before its shell asked for its parent, and the system took the shell over.
 * Returns false where that can’t be known, as outside Linux.
 *
 * @param {number} id of the process
 */
function takesInOrphans(id) {
  try {
    const isOfNpm = process.env.npm_config_user_agent?.startsWith('npm/');
    return isOfNpm && !/npm|node/.test(readFileSync(`/proc/${id}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}

if (import.meta.main) {
  // The program’s own arguments follow the name of the file, as if it had been started itself.
  const [name = 'main'] = process.argv.splice(2, 1);
  const parent = /^--parent=(\d+)$/.exec(process.argv[2] ?? '')?.[1];
  if (parent !== undefined) {
    process.argv.splice(2, 1);
    endWithNpm(Number(parent));
  }
  await run(name);
}
