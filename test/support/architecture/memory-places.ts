import { parseSync } from 'oxc-parser';

/** Something in a source file that keeps a state for longer than one call. */
export interface MemoryPlace {
  /** The variable, or `Class#field`. */
  name: string;
  /** The function that it is kept for, or the class; empty for a module. */
  of: string;
}

/** What makes something that keeps a state, whatever is called of it. */
const makers = new Set([
  'LRUCache',
  'WeakMap',
  'AsyncLocalStorage',
  'createAsyncCache',
  'createKeyedMutex',
  'createKeyedSemaphore',
  'createAccountListCache',
  'createListeners',
]);
const containers = new Set(['Map', 'Set', 'WeakSet']);
/** The methods that change a container, or a list. */
const changing = new Set(['set', 'add', 'delete', 'clear', 'push', 'pop', 'shift', 'unshift', 'splice']);

interface Node {
  type: string;
  [property: string]: unknown;
}

/**
 * `maker`: see `makers`. `empty`: a container that something fills, here or elsewhere. `container`: one whose methods may
 * change it. `variable`: only assigning to it does.
 */
type Kind = 'maker' | 'empty' | 'container' | 'variable';

interface Scope {
  names: Map<string, { kind: Kind; place: MemoryPlace }>;
  /** Of functions within functions: a block has the depth of its function. */
  depth: number;
}

/**
 * Finds every variable that a function declares, or a module, and that a function within it changes: it lives on with that
 * function. And the fields of classes that can change.
 */
export function memoryPlacesIn(file: string, source: string): MemoryPlace[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) {
    throw new Error(`${file} cannot be parsed`);
  }
  const found = new Map<string, MemoryPlace>();
  const scopes: Scope[] = [];
  let depth = 0;

  const keep = (place: MemoryPlace) => found.set(`${place.of}.${place.name}`, place);

  /** Keeps the place of a variable of an outer function that is used in one of these ways. */
  function use(name: string, ...kinds: readonly Kind[]): void {
    const scope = scopes.findLast(({ names }) => names.has(name));
    const known = scope?.names.get(name);
    if (scope !== undefined && scope.depth < depth && known !== undefined && kinds.includes(known.kind)) {
      keep(known.place);
    }
  }

  function within(node: Node, scope: { isFunction: boolean; named: string }): void {
    depth += scope.isFunction ? 1 : 0;
    const names: Scope['names'] = new Map();
    scopes.push({ names, depth });
    declareAll(node, scope.named, names);
    for (const child of childrenOf(node)) {
      visit(child, scope.named);
    }
    scopes.pop();
    depth -= scope.isFunction ? 1 : 0;
  }

  /** Variables are known before they are declared, as functions may use them. */
  function declareAll(node: Node, of: string, names: Scope['names']): void {
    for (const child of childrenOf(node)) {
      if (child.type === 'VariableDeclaration') {
        for (const declaration of nodesIn(child.declarations)) {
          for (const name of namesIn(declaration.id)) {
            names.set(name, { kind: kindOf(declaration.init), place: { name, of } });
          }
        }
      }
      if (child.type === 'ExportNamedDeclaration') {
        declareAll(child, of, names);
      }
    }
    for (const name of nodesIn(node.params).flatMap((parameter) => namesIn(parameter))) {
      // A parameter hides a variable of the same name.
      names.set(name, { kind: 'variable', place: { name, of: `${of} (parameter)` } });
    }
  }

  function visit(node: Node, of: string): void {
    switch (node.type) {
      case 'FunctionDeclaration':
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        within(node, { isFunction: true, named: of === '' ? nameOf(node.id) : of });
        return;
      case 'BlockStatement':
      case 'FunctionBody':
      case 'ForStatement':
      case 'ForOfStatement':
      case 'SwitchCase':
        within(node, { isFunction: false, named: of });
        return;
      case 'VariableDeclarator':
        // A function that is a variable of a module has its name.
        for (const child of childrenOf(node)) {
          visit(child, of === '' && child.type === 'ArrowFunctionExpression' ? nameOf(node.id) : of);
        }
        return;
      case 'ClassDeclaration':
        visitFields(node);
        break;
      case 'AssignmentExpression':
        useAll(namesIn(node.left));
        break;
      case 'UpdateExpression':
        useAll(namesIn(node.argument));
        break;
      case 'CallExpression':
        useCalled(node);
        break;
      case 'Identifier':
        use(nameOf(node), 'maker', 'empty');
        break;
    }
    for (const child of childrenOf(node)) {
      visit(child, of);
    }
  }

  function useAll(names: readonly string[]): void {
    for (const name of names) {
      use(name, 'variable');
    }
  }

  function useCalled({ callee }: Node): void {
    if (isNode(callee) && callee.type === 'MemberExpression' && changing.has(nameOf(callee.property))) {
      use(nameOf(callee.object), 'empty', 'container');
    }
  }

  function visitFields(node: Node): void {
    const of = nameOf(node.id);
    for (const field of nodesIn(isNode(node.body) ? node.body.body : [])) {
      const isContainer = isNode(field.value) && field.value.type === 'NewExpression';
      if (field.type === 'PropertyDefinition' && (field.readonly !== true || isContainer)) {
        keep({ name: `#${nameOf(field.key)}`, of });
      }
    }
  }

  within({ ...program }, { isFunction: false, named: '' });
  return [...found.values()].filter(({ of }) => !of.endsWith(' (parameter)'));
}

function kindOf(value: unknown): Kind {
  const made = isNode(value) && (value.type === 'NewExpression' || value.type === 'CallExpression');
  if (made && makers.has(nameOf(value.callee))) {
    return 'maker';
  }
  if (made && containers.has(nameOf(value.callee))) {
    return nodesIn(value.arguments).length === 0 ? 'empty' : 'container';
  }
  if (isNode(value) && value.type === 'ArrayExpression') {
    return nodesIn(value.elements).length === 0 ? 'empty' : 'container';
  }
  return 'variable';
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

function nodesIn(value: unknown): Node[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

function childrenOf(node: Node): Node[] {
  return Object.values(node).flatMap((value) => (isNode(value) ? [value] : nodesIn(value)));
}

function nameOf(node: unknown): string {
  return isNode(node) && typeof node.name === 'string' ? node.name : '';
}

/** The names in a pattern. */
function namesIn(pattern: unknown): string[] {
  if (!isNode(pattern)) {
    return [];
  }
  switch (pattern.type) {
    case 'Identifier':
      return [nameOf(pattern)];
    case 'AssignmentPattern':
      return namesIn(pattern.left);
    case 'RestElement':
      return namesIn(pattern.argument);
    case 'ObjectPattern':
      return nodesIn(pattern.properties).flatMap((property) => namesIn(property.value ?? property));
    case 'ArrayPattern':
      return nodesIn(pattern.elements).flatMap(namesIn);
    default:
      return [];
  }
}
