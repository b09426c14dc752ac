import { kindsOf } from '../check-field.ts';
import { type RequestRow, requestRows, responseFields } from '../request-rows.ts';
import type { Operation } from '../types.ts';
import type { ReadOperation } from './operations.ts';
import { disagreements } from './rule-patterns.ts';

/* Each returns one line for each difference between the data and the documentation. */

export function compareRequest(read: ReadOperation, data: Operation): string[] {
  const rows = requestRows(data).filter(({ field }) => !field.beyond);
  const extra = rows.filter(({ name }) => !read.request.has(name));
  const lacking = [...read.request].flatMap(([name, { kinds, required, place }]) => {
    const row = rows.find((candidate) => candidate.name === name);
    if (!row) {
      return [`${name} is missing`];
    }
    return [
      ...(row.place === place ? [] : [`${name} stands in the ${place}`]),
      ...(row.field.required === required ? [] : [`${name} is required: ${required}`]),
      ...(kinds.length === 0 || same(kindsOf(row.field), kinds) ? [] : [`${name} is ${kinds.join(' or ')}`]),
    ];
  });
  return labelled(data, [...extra.map(({ name }) => `${name} is not described`), ...lacking]);
}

export function compareRules(read: ReadOperation, data: Operation): string[] {
  const problems = ({ name, field }: RequestRow) => {
    const words = read.request.get(name)?.words;
    return words === undefined ? [] : disagreements(words, field).map((problem) => `${name}: ${problem}`);
  };
  return labelled(data, requestRows(data).flatMap(problems));
}

/** Texts whose backticks quote something other than values of the field. */
const notValues = /in the deprecated listing|names the field/;

export function compareAnswer({ response }: ReadOperation, data: Operation): string[] {
  const fields = responseFields(data);
  if (response === 'not shown') {
    return labelled(data, Object.keys(fields));
  }
  const extra = Object.keys(fields).filter((path) => !response.has(path));
  const lacking = [...response].flatMap(([path, { kinds, words }]) => {
    const field = fields[path];
    if (!field) {
      return [`${path} is missing`];
    }
    const values = notValues.test(words) ? [] : (words.match(/(?<=`)\w+(?=`)/g) ?? []);
    const unknown = values.filter((value) => !knows(field, value));
    return [
      ...(kinds.length === 0 || kinds.includes(field.is) ? [] : [`${path} is ${kinds.join(' or ')}`]),
      ...(words.includes('YYYY-MM-DD') && !field.pattern ? [`${path} is a date`] : []),
      ...unknown.map((value) => `${path} may be ${value}`),
    ];
  });
  return labelled(data, [...extra.map((path) => `${path} is not described`), ...lacking]);
}

function knows(
  field: { enum?: readonly (string | number)[]; among?: readonly string[] },
  value: string,
): boolean {
  return [...(field.enum ?? []), ...(field.among ?? [])].map(String).includes(value);
}

function labelled({ section, name }: Operation, problems: readonly string[]): string[] {
  return problems.map((problem) => `${section} ${name}: ${problem}`);
}

function same(one: readonly string[], other: readonly string[]): boolean {
  return [...one].sort().join() === [...other].sort().join();
}
