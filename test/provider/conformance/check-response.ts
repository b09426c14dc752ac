import { responseFieldFaults } from '../description/check-field.ts';
import type { ResponseFields } from '../description/types.ts';

/** The values at a path of a response, and the number of records along it that lack the field. */
export function valuesAt(answer: unknown, path: string): { values: unknown[]; lacking: number } {
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

/** Every difference between a response and its description: a field that is missing, of the wrong type, or undocumented. */
export function responseFaults(fields: ResponseFields, answer: unknown): string[] {
  const faults = Object.entries(fields).flatMap(([path, field]) => {
    const { values, lacking } = valuesAt(answer, path);
    const there = field.when === undefined ? values : values.filter((value) => value !== null);
    const wrong = there.filter((value) => responseFieldFaults(field, value).length > 0);
    return [
      ...(field.when === undefined && lacking > 0 ? [`${path} is missing`] : []),
      ...wrong.map((value) => `${path} is ${JSON.stringify(value)}`),
    ];
  });
  const foreign = pathsIn(answer).filter((path) => !(path in fields));
  return [...faults, ...new Set(foreign.map((path) => `${path} is not described`))];
}

/** The path of every field of a value, once per occurrence. */
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
