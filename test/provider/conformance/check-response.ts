import { faultsOfResponse } from '../description/check-field.ts';
import type { ResponseFields } from '../description/types.ts';

/** What an answer has at a path, and how many of the records along it lack what the path names. */
export function lookUp(answer: unknown, path: string): { values: unknown[]; lacking: number } {
  let found: unknown[] = [answer];
  let lacking = 0;
  for (const step of path.split('.')) {
    const name = step.replace(/\[\]$/, '');
    const holders = found.filter((holder) => typeof holder === 'object' && holder !== null);
    const held = holders.filter((holder) => Object.hasOwn(holder, name));
    lacking += found.length - held.length;
    const values = held.map((holder): unknown => Reflect.get(holder, name));
    found = step.endsWith('[]') ? values.flat() : values;
  }
  return { values: found, lacking };
}

/** Where an answer differs from the data: a field that is missing, of another kind, or not described. */
export function faultsOfAnswer(fields: ResponseFields, answer: unknown): string[] {
  const faults = Object.entries(fields).flatMap(([path, field]) => {
    const { values, lacking } = lookUp(answer, path);
    const there = field.when === undefined ? values : values.filter((value) => value !== null);
    const wrong = there.filter((value) => faultsOfResponse(field, value).length > 0);
    return [
      ...(field.when === undefined && lacking > 0 ? [`${path} is missing`] : []),
      ...wrong.map((value) => `${path} is ${JSON.stringify(value)}`),
    ];
  });
  const foreign = pathsIn(answer).filter((path) => !(path in fields));
  return [...faults, ...new Set(foreign.map((path) => `${path} is not described`))];
}

/** The path of every field of a value, each as often as it occurs. */
function pathsIn(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => pathsIn(item, `${path}[]`));
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  return Object.entries(value).flatMap(([name, held]) => {
    const within = path === '' ? name : `${path}.${name}`;
    return [within, ...pathsIn(held, within)];
  });
}
