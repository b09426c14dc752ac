import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, parseSync, Visitor } from 'oxc-parser';
import { z } from 'zod';

/**
 * Part of `npm run check`: measures the complexity of `src`, and fails above the limits in `house.json`. When
 * you lower a figure, lower its limit too. Moving or exporting a function changes nothing: exported ones
 * count as well.
 */

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Words, numbers, strings and signs. The pieces of a template count separately. */
const token =
  /[A-Za-z_$][\w$]*|\d[\w.]*|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|=>|===|!==|\?\?|\?\.|&&|\|\||\.\.\.|[^\s\w]/g;

interface Source {
  file: string;
  lines: number;
  tokens: number;
  functions: number;
  /** Types whose members are closures of another module, which hide the flow from the call graph. */
  bags: number;
  /** The module's functions: how often it uses each besides the declaration, and whether it is exported. */
  declared: Map<string, { isExported: boolean; uses: number }>;
  /** How often it uses each import. */
  imported: Map<string, number>;
}

function readSource(file: string): Source {
  const text = read(file);
  const { program, comments } = parseSync(file, text);
  const bare = comments.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
  const source: Source = {
    file,
    lines: text.split('\n').length - 1,
    tokens: bare.match(token)?.length ?? 0,
    functions: 0,
    bags: 0,
    declared: new Map(),
    imported: new Map(),
  };
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      for (const each of statement.specifiers) {
        // Without a second name, the same name is visited twice.
        const names = each.type === 'ImportSpecifier' && each.imported.start === each.local.start ? 2 : 1;
        source.imported.set(each.local.name, -names);
      }
    }
    const inner = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    for (const name of functionsIn(inner)) {
      source.declared.set(name, { isExported: inner !== statement, uses: -1 });
    }
  }
  const countFunction = (node: { body: unknown }) => {
    source.functions += node.body === null ? 0 : 1;
  };
  const countBag = ({ id: { name } }: { id: { name: string } }) => {
    source.bags += name.endsWith('Others') ? 1 : 0;
  };
  new Visitor({
    FunctionDeclaration: countFunction,
    FunctionExpression: countFunction,
    ArrowFunctionExpression: countFunction,
    TSInterfaceDeclaration: countBag,
    TSTypeAliasDeclaration: countBag,
    Identifier({ name }) {
      const own = source.declared.get(name);
      if (own !== undefined) {
        own.uses += 1;
      }
      source.imported.set(name, (source.imported.get(name) ?? Number.NaN) + 1);
    },
  }).visit(program);
  return source;
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
const sum = (count: (source: Source) => number) => sources.reduce((total, each) => total + count(each), 0);
const uses = new Map<string, number>();
for (const [name, count] of sources.flatMap(({ imported }) => [...imported])) {
  uses.set(name, (uses.get(name) ?? 0) + (Number.isNaN(count) ? 0 : count));
}
const usedOnce = sum(
  ({ declared }) =>
    [...declared].filter(([name, own]) => own.uses + (own.isExported ? (uses.get(name) ?? 0) : 0) === 1)
      .length,
);
const figures = {
  tokens: sum(({ tokens }) => tokens),
  functions: sum(({ functions }) => functions),
  usedOncePer1000Lines: Math.round((usedOnce / sum(({ lines }) => lines)) * 10_000) / 10,
  tables: globSync('src/store/schema/*.ts', { cwd: root }).flatMap(
    (file) => read(file).match(/=\s*table\(/g) ?? [],
  ).length,
  moduleBags: sum(({ bags }) => bags),
};
const ceilings = z.record(z.string(), z.number()).parse(JSON.parse(read('test/house.json')));
for (const [name, figure] of Object.entries(figures)) {
  const most = ceilings[name] ?? 0;
  console.log(`${name}: ${figure.toLocaleString('en')} of at most ${most.toLocaleString('en')}`);
  process.exitCode = figure > most ? 1 : process.exitCode;
}
