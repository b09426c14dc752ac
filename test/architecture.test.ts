import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, it } from 'node:test';
import { z } from 'zod';

/** Holds what docs/architecture.md says of who may import whom. A failure names both files. */

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** The layers of `src`, each with those it may import. Files directly in `src` are the composition root. */
const layers: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  domain: ['lib'],
  provider: ['lib', 'domain'],
  config: ['lib', 'domain', 'provider'],
  store: ['lib', 'domain'],
  services: ['lib', 'domain', 'config', 'provider', 'store'],
  web: ['lib', 'domain', 'config', 'store', 'services'],
  slack: ['lib', 'domain', 'config', 'provider', 'store', 'services', 'web'],
  programs: ['lib', 'domain', 'config', 'provider', 'store', 'services', 'slack'],
};

/** The rooms of `slack`, each with those it may import. `app` composes them. */
const slackRooms: Readonly<Record<string, readonly string[]>> = {
  'block-kit': [],
  client: ['block-kit'],
  navigation: ['block-kit'],
  notifier: ['block-kit', 'client'],
  middleware: ['block-kit', 'client', 'notifier', 'navigation'],
  kit: ['block-kit', 'client', 'notifier', 'middleware', 'navigation'],
  features: ['block-kit', 'client', 'notifier', 'middleware', 'navigation', 'kit'],
  app: ['block-kit', 'client', 'notifier', 'middleware', 'navigation', 'kit', 'features'],
};

/** The services that every feature of `services` may import: the audit, connections and the ledger. Of others, only types. */
const sharedServices = ['audit', 'operations', 'workspaces'];

/** The engine of the store, and the declaration of the tables. They import none of the rooms whose tables live on them. */
const storeEngine = ['schema', 'engine'];

interface Import {
  from: string;
  to: string;
  /** Whether only types are imported. */
  isType: boolean;
}

const sourcesOf = (pattern: string): string[] => globSync(pattern, { cwd: root }).sort();
const files = sourcesOf('src/**/*.ts');
const sandboxFiles = sourcesOf('sandbox/**/*.ts').filter((file) => !file.includes('node_modules/'));

function specifiersIn(file: string): string[] {
  return [...read(file).matchAll(/\bfrom '([^']+)'|\bimport '([^']+)'|\bimport\('([^']+)'\)/g)].map(
    ([, named, bare, dynamic]) => named ?? bare ?? dynamic ?? '',
  );
}

/** What a file imports of the project, and the modules that it names by their URL, such as those of threads. */
function importsOf(from: string): Import[] {
  const text = read(from);
  const urls = [...text.matchAll(/new URL\('(\.[^']+\.ts)', import\.meta\.url\)/g)].map(
    ([, url = '']) => url,
  );
  const types = new Set([...text.matchAll(/\bimport type [^;]*? from '([^']+)'/g)].map(([, named]) => named));
  return [...specifiersIn(from).filter((specifier) => specifier.startsWith('.')), ...urls].map(
    (specifier) => ({
      from,
      to: posix.join(posix.dirname(from), specifier),
      isType: types.has(specifier),
    }),
  );
}

const imports = files.flatMap(importsOf);

/** The folder of a file at a depth: for `src/slack/features/otp/command.ts`, 2 is `features`. */
const folderOf = (file: string, depth: number): string | undefined => file.split('/').slice(0, -1)[depth];

const forbidden = (isForbidden: (found: Import) => boolean): string[] =>
  imports.filter(isForbidden).map(({ from, to }) => `${from} imports ${to}`);

/** Whether an import leads from one folder at a depth to another that is not among those it may import. */
function breaks(
  { from, to }: Import,
  depth: number,
  allowed: (folder: string) => readonly string[] | undefined,
): boolean {
  const [folder, other] = [folderOf(from, depth), folderOf(to, depth)];
  if (folder === undefined || folder === other) {
    return false;
  }
  return other === undefined || allowed(folder)?.includes(other) !== true;
}

const within = (prefix: string, { from, to }: Import): boolean =>
  from.startsWith(`${prefix}/`) && to.startsWith(`${prefix}/`);

describe('the architecture', () => {
  it('lets a layer import only the layers below it', () => {
    assert.ok(imports.length > 500, 'the imports were not found');
    assert.deepEqual(
      forbidden((found) => breaks(found, 1, (layer) => layers[layer])),
      [],
    );
  });

  it('lets a room of slack import only the rooms below it', () => {
    assert.deepEqual(
      forbidden((found) => within('src/slack', found) && breaks(found, 2, (room) => slackRooms[room])),
      [],
    );
  });

  it('lets no feature of slack import another', () => {
    assert.deepEqual(
      forbidden((found) => within('src/slack/features', found) && breaks(found, 3, () => [])),
      [],
    );
  });

  it('lets a feature of services import only types of another, except of the shared ones', () => {
    assert.deepEqual(
      forbidden(
        (found) =>
          within('src/services', found) &&
          !['src/services/context.ts', 'src/services/refusal.ts'].includes(found.to) &&
          !found.isType &&
          breaks(found, 2, () => sharedServices),
      ),
      [],
    );
  });

  it('keeps the store’s engine free of the tables that live on it', () => {
    assert.deepEqual(
      forbidden(
        (found) =>
          within('src/store', found) &&
          storeEngine.includes(folderOf(found.from, 2) ?? '') &&
          folderOf(found.to, 2) !== undefined &&
          !storeEngine.includes(folderOf(found.to, 2) ?? ''),
      ),
      [],
    );
  });

  it('has no cycle of rooms in the store or in slack', () => {
    for (const layer of ['src/store', 'src/slack', 'src/services', 'src/provider']) {
      const arrows = new Map<string, Set<string>>();
      for (const found of imports.filter((each) => within(layer, each))) {
        const [room, other] = [folderOf(found.from, 2), folderOf(found.to, 2)];
        if (room !== undefined && other !== undefined && room !== other) {
          arrows.set(room, (arrows.get(room) ?? new Set()).add(other));
        }
      }
      const reachable = (from: string, seen = new Set<string>()): Set<string> => {
        for (const next of arrows.get(from) ?? []) {
          if (!seen.has(next)) {
            reachable(next, seen.add(next));
          }
        }
        return seen;
      };
      assert.deepEqual(
        [...arrows.keys()].filter((room) => reachable(room).has(room)),
        [],
        layer,
      );
    }
  });

  it('has no circle of files, of types or of threads either, in src or in the sandbox', () => {
    const all = [...files, ...sandboxFiles];
    const arrows = new Map(all.map((file) => [file, importsOf(file).map(({ to }) => to)]));
    const reachable = (from: string, seen = new Set<string>()): Set<string> => {
      for (const to of arrows.get(from) ?? []) {
        if (!seen.has(to)) {
          reachable(to, seen.add(to));
        }
      }
      return seen;
    };
    const within = new Map(all.map((file) => [file, reachable(file)]));
    const circleOf = (file: string) =>
      [...(within.get(file) ?? [])].filter((other) => within.get(other)?.has(file)).sort();
    const circles = all.map(circleOf).filter((circle) => circle.length > 0);
    assert.deepEqual([...new Set(circles.map((circle) => circle.join(', ')))], []);
  });

  it('imports in src no development dependency, no sandbox and no test', () => {
    const { dependencies } = z
      .object({ dependencies: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read('package.json')));
    const isInstalled = (specifier: string) =>
      specifier.startsWith('node:') ||
      Object.keys(dependencies).some((name) => specifier === name || specifier.startsWith(`${name}/`));
    const foreign = files.flatMap((file) =>
      specifiersIn(file)
        .filter((specifier) =>
          specifier.startsWith('.')
            ? specifier !== '../package.json' &&
              !posix.join(posix.dirname(file), specifier).startsWith('src/')
            : !isInstalled(specifier),
        )
        .map((specifier) => `${file} imports ${specifier}`),
    );
    assert.deepEqual(foreign, []);
  });

  it('keeps the types of the DOM out of src', () => {
    const { compilerOptions } = z
      .object({ compilerOptions: z.object({ lib: z.array(z.string()) }) })
      .parse(JSON.parse(read('tsconfig.json')));
    assert.deepEqual(compilerOptions.lib, ['esnext']);
    const withDom = files.filter((file) => /<reference\s+lib="dom/.test(read(file)));
    assert.deepEqual(withDom, []);
  });

  it('lets no request decide an address: no file of src reads the Host header', () => {
    const readsHost =
      /headers\??\.host\b|headers\[['"]host['"]\]|\bhost\b[^\n{}]*\} = headers\b|x-forwarded-host/i;
    assert.deepEqual(
      files.filter((file) => readsHost.test(read(file))),
      [],
    );
  });

  it('posts in Slack by the outbox alone, which knows what may be there already', () => {
    const postsBy = (words: RegExp) => files.filter((file) => words.test(read(file)));
    assert.deepEqual(
      postsBy(/\bchat\.(?:postMessage|postEphemeral|scheduleMessage|meMessage)\(|\.uploadV2\(/),
      ['src/slack/client/posting.ts'],
    );
    assert.deepEqual(postsBy(/\bplaceOfNotice\b/), [
      'src/slack/client/posting.ts',
      'src/slack/notifier/notices.ts',
    ]);
    assert.deepEqual(postsBy(/response_type: 'in_channel'|\bbrand<'PostPlace'>/), [
      'src/slack/client/posting.ts',
    ]);
  });

  it('spends only what was shown, but for an automatic answer, before which nobody is shown anything', () => {
    const declared = 'src/domain/limits/seen.ts';
    assert.deepEqual(
      files.filter((file) => file !== declared && /\bnothingShown\b/.test(read(file))),
      ['src/services/replies/stops.ts'],
    );
  });

  it('keeps src out of the sandbox', () => {
    const found = sandboxFiles.flatMap((file) =>
      specifiersIn(file)
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(file), specifier))
        .filter((target) => target.startsWith('src/'))
        .map((target) => `${file} imports ${target}`),
    );
    assert.deepEqual(found, []);
  });

  it('has one exported name for one thing', () => {
    const places = new Map<string, Set<string>>();
    // A declaration reads like the table itself: its words are short, and imported by the declarations alone.
    const named = [...files, ...sandboxFiles].filter(
      (name) => !name.startsWith('sandbox/test/') && !name.startsWith('src/store/schema/'),
    );
    for (const file of named) {
      for (const [, name = ''] of read(file).matchAll(
        /^export (?:async )?(?:function\*?|const|class|interface|type|let) (\w+)/gm,
      )) {
        places.set(name, (places.get(name) ?? new Set()).add(file));
      }
    }
    const doubles = [...places].filter(([, where]) => where.size > 1);
    assert.deepEqual(
      doubles.map(([name, where]) => `${name}: ${[...where].join(', ')}`),
      [],
    );
  });
});
