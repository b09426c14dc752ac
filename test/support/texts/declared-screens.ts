import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Expression, parseSync, Visitor } from 'oxc-parser';

const slack = join(import.meta.dirname, '../../../src/slack');
const readAll = (files: string) =>
  globSync(files, { cwd: slack }).map((file) => readFileSync(join(slack, file), 'utf8'));

/** Returns the names of the exported functions that build a view or a message. Each has an example. */
export function declaredBuilders(): string[] {
  const builder = /^export function (\w+(?:View|Message))\b/gm;
  return readAll('features/**/*.ts')
    .flatMap((source) => [...source.matchAll(builder)].map(([, name = '']) => name))
    .filter((name) => !name.startsWith('create'));
}

/** Functions that take the title of a modal first, and those that take an object which has it. */
const takesTitle = new Set(['notice', 'loadingView', 'performingView']);
const takesObject = new Set(['modal', 'defineForm', 'defineSettings', 'defineList', 'defineSpend']);

/** Returns the titles of modals that the code names, also by a constant. Not those that a function returns. */
export function declaredTitles(): ReadonlySet<string> {
  const constants = new Map<string, string>();
  const expressions: Expression[] = [];
  for (const source of readAll('**/*.ts')) {
    new Visitor({
      VariableDeclarator({ id, init }) {
        if (id.type === 'Identifier' && init?.type === 'Literal' && typeof init.value === 'string') {
          constants.set(id.name, init.value);
        }
      },
      CallExpression({ callee, arguments: [first, second] }) {
        const name = callee.type === 'Identifier' ? callee.name : '';
        const title = takesTitle.has(name) ? first : undefined;
        if (title !== undefined && title.type !== 'SpreadElement') {
          expressions.push(title);
        }
        for (const spec of takesObject.has(name) ? [first, second] : []) {
          for (const property of spec?.type === 'ObjectExpression' ? spec.properties : []) {
            if (
              property.type === 'Property' &&
              source.slice(property.key.start, property.key.end) === 'title'
            ) {
              expressions.push(property.value);
            }
          }
        }
      },
    }).visit(parseSync('screens.ts', source).program);
  }
  return new Set(expressions.flatMap((expression) => textsOf(expression, constants)));
}

/** The texts that an expression may be. */
function textsOf(expression: Expression, constants: ReadonlyMap<string, string>): string[] {
  switch (expression.type) {
    case 'Literal':
      return typeof expression.value === 'string' ? [expression.value] : [];
    case 'Identifier':
      return [constants.get(expression.name) ?? []].flat();
    case 'ConditionalExpression':
      return [expression.consequent, expression.alternate].flatMap((each) => textsOf(each, constants));
    case 'ParenthesizedExpression':
      return textsOf(expression.expression, constants);
    case 'LogicalExpression':
      return textsOf(expression.right, constants);
    case 'ArrowFunctionExpression':
      return expression.body.type === 'BlockStatement' ? [] : textsOf(expression.body, constants);
    default:
      return [];
  }
}
