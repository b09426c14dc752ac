import { registerHooks } from 'node:module';
import { type Node, parseSync, Visitor } from 'oxc-parser';
import { addSteps } from './steps.ts';

const sourceFolder = new URL('../../../src/', import.meta.url).href;

/** What counted sources call. */
declare global {
  var countStep: () => void;
  var countSpread: <T>(items: T) => T;
}

/** Counts each call of a function, each round of a loop, and each spread item of the sources loaded from here on. */
export function countSources(): void {
  globalThis.countStep = () => addSteps(1);
  globalThis.countSpread = (items) => {
    addSteps(sizeOf(items));
    return items;
  };
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      return url.startsWith(sourceFolder) ? { ...loaded, source: withCounts(String(loaded.source)) } : loaded;
    },
  });
}

/** An object, and what is undefined, may be spread too. */
function sizeOf(items: unknown): number {
  if (typeof items === 'string' || Array.isArray(items)) {
    return items.length;
  }
  return items instanceof Set || items instanceof Map ? items.size : 1;
}

function withCounts(source: string): string {
  const insertions: { at: number; text: string }[] = [];
  const insert = (at: number, text: string) => void insertions.push({ at, text });
  const wrap = ({ start, end }: Node, before: string, after: string) => {
    insert(start, before);
    insert(end, after);
  };
  const countBody = ({ body }: { body: Node | null }) => {
    if (body?.type === 'BlockStatement') {
      insert(body.start + 1, 'countStep();');
    } else if (body !== null) {
      wrap(body, '(countStep(), ', ')');
    }
  };
  new Visitor({
    FunctionDeclaration: countBody,
    FunctionExpression: countBody,
    ArrowFunctionExpression: countBody,
    ForStatement: countBody,
    ForInStatement: countBody,
    ForOfStatement: countBody,
    WhileStatement: countBody,
    DoWhileStatement: countBody,
    SpreadElement({ argument }) {
      wrap(argument, 'countSpread(', ')');
    },
  }).visit(parseSync('source.ts', source).program);
  let counted = '';
  let done = 0;
  for (const { at, text } of insertions.toSorted((one, other) => one.at - other.at)) {
    counted += source.slice(done, at) + text;
    done = at;
  }
  return counted + source.slice(done);
}
