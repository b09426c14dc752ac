import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, type ParamPattern, parseSync, Visitor } from 'oxc-parser';
import { z } from 'zod';

/**
 * Part of `npm run check`: measures the complexity of `src`, and fails above the limits in `house.json`. When
 * you lower a figure, lower its limit too. Exported functions count as well.
 */

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Words, numbers, strings and signs. The pieces of a template count separately. */
const token =
  /[A-Za-z_$][\w$]*|\d[\w.]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|=>|===|!==|\?\?|\?\.|&&|\|\||\.\.\.|[^\s\w]/g;

/** Whether a type has functions as members. A module's type is the `ReturnType` of its factory, and has none. */
const hasClosure = (type: string): boolean => /=>|[\w>]\??\(|: typeof |Parameters</.test(type);

function readSource(file: string) {
  const text = read(file);
  const { program, comments } = parseSync(file, text);
  const bare = comments.reduce(
    (rest, { start, end }) => rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end),
    text,
  );
  /** The module's functions: how often it uses each besides the declaration, and whether it is exported. */
  const declared = new Map<string, { isExported: boolean; uses: number }>();
  /** How often it uses each import. */
  const imported = new Map<string, number>();
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      for (const each of statement.specifiers) {
        // Without a second name, the same name is visited twice.
        const names = each.type === 'ImportSpecifier' && each.imported.start === each.local.start ? 2 : 1;
        imported.set(each.local.name, -names);
      }
    }
    const inner = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    for (const name of functionsIn(inner)) {
      declared.set(name, { isExported: inner !== statement, uses: -1 });
    }
  }
  let functions = 0;
  /** The types of what its factories are given, and the types it declares that have closures. */
  const given: string[] = [];
  const closures: string[] = [];
  const visitFunction = (node: { body: unknown; id?: { name: string } | null; params: ParamPattern[] }) => {
    functions += node.body === null ? 0 : 1;
    for (const each of /^create[A-Z]/.test(node.id?.name ?? '') ? node.params : []) {
      const { start, end } = each.type === 'AssignmentPattern' ? each.left : each;
      // Without its name, or the names of its members.
      given.push(bare.slice(start, end).replace(/^(?:\w+|\{.*?\})\??:/s, ''));
    }
  };
  const visitType = ({ id, start, end }: { id: { name: string }; start: number; end: number }) => {
    closures.push(...(hasClosure(bare.slice(start, end)) ? [id.name] : []));
  };
  new Visitor({
    FunctionDeclaration: visitFunction,
    FunctionExpression: visitFunction,
    ArrowFunctionExpression: visitFunction,
    TSInterfaceDeclaration: visitType,
    TSTypeAliasDeclaration: visitType,
    Identifier({ name }) {
      const own = declared.get(name);
      if (own !== undefined) {
        own.uses += 1;
      }
      imported.set(name, (imported.get(name) ?? Number.NaN) + 1);
    },
  }).visit(program);
  const [lines, tokens] = [text.split('\n').length - 1, bare.match(token)?.length ?? 0];
  return { file, lines, tokens, functions, given, closures, declared, imported };
}

/** The names of the functions that a statement declares. */
function functionsIn(statement: Node | null): string[] {
  if (statement?.type === 'FunctionDeclaration' && statement.id !== null) {
    return [statement.id.name];
  }
  return statement?.type === 'VariableDeclaration'
    ? statement.declarations.flatMap(({ id, init }) =>
        id.type === 'Identifier' && init?.type === 'ArrowFunctionExpression' ? [id.name] : [],
      )
    : [];
}

const sources = globSync('src/**/*.ts', { cwd: root }).map(readSource);
const sum = (count: (source: ReturnType<typeof readSource>) => number) =>
  sources.reduce((total, source) => total + count(source), 0);
const uses = new Map<string, number>();
for (const [name, count] of sources.flatMap(({ imported }) => [...imported])) {
  uses.set(name, (uses.get(name) ?? 0) + (Number.isNaN(count) ? 0 : count));
}
const isOnce = (name: string, own: { isExported: boolean; uses: number }) =>
  own.uses + (own.isExported ? (uses.get(name) ?? 0) : 0) === 1;
const usedOnce = sum(({ declared }) => [...declared].filter(([name, own]) => isOnce(name, own)).length);
// What factories are given besides modules. A type that several name counts once.
const layers = sources.filter(({ file }) => /^src\/(?:services|store)\//.test(file));
const given = layers.flatMap((each) => each.given);
const named = new Set(given.flatMap((type) => type.match(/\b[A-Z]\w+/g) ?? []));
const closures = new Set(layers.flatMap((each) => each.closures));
const tables = globSync('src/store/schema/*.ts', { cwd: root }).flatMap(
  (file) => read(file).match(/=\s*table\(/g) ?? [],
);
const figures = {
  tokens: sum(({ tokens }) => tokens),
  functions: sum(({ functions }) => functions),
  usedOncePer1000Lines: Math.round((usedOnce / sum(({ lines }) => lines)) * 10_000) / 10,
  tables: tables.length,
  moduleBags: given.filter(hasClosure).length + named.intersection(closures).size,
};
const ceilings = z.record(z.string(), z.number()).parse(JSON.parse(read('test/house.json')));
for (const [name, figure] of Object.entries(figures)) {
  const most = ceilings[name] ?? 0;
  console.log(`${name}: ${figure.toLocaleString('en')} of at most ${most.toLocaleString('en')}`);
  process.exitCode = figure > most ? 1 : process.exitCode;
}
