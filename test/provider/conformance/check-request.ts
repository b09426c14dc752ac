import type { Arrival } from '../../../sandbox/provider/http/requests.ts';
import { kindsOf, requestFieldFaults } from '../description/check-field.ts';
import { type RequestRow, requestRows } from '../description/request-rows.ts';
import type { Operation, Place, RequestField } from '../description/types.ts';
import type { Part } from './send-parts.ts';
import type { Values } from './valid-requests.ts';

/** The values of the documented fields of a request. */
export function valuesIn(operation: Operation, arrival: Arrival): Values {
  const parts = partsIn(operation, arrival);
  return Object.fromEntries(
    requestRows(operation).flatMap(({ name }) => {
      const part = parts.find((candidate) => candidate.name === name);
      return part ? [[name, part.value]] : [];
    }),
  );
}

/** Every difference between a request and the description of its operation. */
export function requestFaults(operation: Operation, arrival: Arrival): string[] {
  const rows = requestRows(operation);
  const parts = partsIn(operation, arrival);
  const values = valuesIn(operation, arrival);
  const lacking = rows.filter(
    ({ name, field }) => field.required === true && !(name in values) && !(`${field.notWith}` in values),
  );
  return [
    ...faultsOfHead(operation, arrival),
    ...parts.flatMap((part) => faultsOfPart(part, rows, values)),
    ...lacking.map(({ name }) => `lacks ${name}`),
  ];
}

/** Headers that every request may have. */
const common = [
  'accept',
  'connection',
  'content-length',
  'content-type',
  'host',
  'transfer-encoding',
  'user-agent',
];

function faultsOfHead(operation: Operation, { method, path, headers, text }: Arrival): string[] {
  const described = Object.keys(operation.request.header ?? {}).map((name) => name.toLowerCase());
  const strange = Object.keys(headers).filter((name) => ![...common, ...described].includes(name));
  const type = headers['content-type']?.split(';')[0];
  const bodyType = operation.request.form ? 'multipart/form-data' : 'application/json';
  return [
    ...(method === operation.method ? [] : [`is a ${method}`]),
    ...(pathPattern(operation).test(path) ? [] : [`goes to ${path}`]),
    // The provider may not respond to a content type without a body.
    ...(type === (text === '' ? undefined : bodyType) ? [] : [`has the content type ${type}`]),
    ...strange.map((name) => `has the header ${name}`),
  ];
}

function faultsOfPart({ name, place, value }: Part, rows: readonly RequestRow[], values: Values): string[] {
  const row = rows.find((candidate) => candidate.name === name);
  if (!row?.place.includes(place)) {
    return [`has ${name} in its ${place}`];
  }
  const { field } = row;
  const broken = requestFieldFaults(field, value);
  const kept = holds(field.unless, values) ? broken.filter((rule) => rule !== 'pattern') : broken;
  return [...kept, ...faultsBetween(field, value, values)].map((rule) => `breaks ${rule} of ${name}`);
}

/** The broken rules between a value and other fields. */
function faultsBetween(field: RequestField, value: unknown, values: Values): string[] {
  const { contains, notWith, onlyWith, undescribed, needs } = field;
  const needed = needs?.[String(value)];
  const faults = {
    contains: contains !== undefined && !String(value).includes(String(values[contains])),
    notWith: notWith !== undefined && notWith in values,
    onlyWith: onlyWith !== undefined && !holds(onlyWith, values),
    needs: needed !== undefined && !holds(needed, values),
    undescribed: undescribed?.includes(String(value)) ?? false,
  };
  return Object.entries(faults).flatMap(([rule, broken]) => (broken ? [rule] : []));
}

function holds(conditions: Readonly<Record<string, string>> | undefined, values: Values): boolean {
  if (conditions === undefined) {
    return false;
  }
  return Object.entries(conditions).every(([name, value]) => values[name] === value);
}

function pathPattern({ path }: Operation): RegExp {
  return new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}

/** Every value of a request, by its field name. */
function partsIn(operation: Operation, { path, query, headers, body, parts = [] }: Arrival): Part[] {
  const rows = requestRows(operation);
  const inPlace = (place: Place, values: object): Part[] =>
    Object.entries(values).map(([name, value]) => {
      const row = rows.find((candidate) => candidate.name === name);
      return { place, name, value: row ? readText(row, value) : value };
    });
  const token = headers['x-token'];
  return [
    ...inPlace('path', pathPattern(operation).exec(path)?.groups ?? {}),
    ...inPlace('query', query),
    ...inPlace('header', token === undefined ? {} : { 'X-Token': token }),
    ...inPlace('body', flat(body)),
    ...inPlace('form', Object.assign({}, ...parts.map(readPart))),
  ];
}

/** Converts a whole number from text where the field is an integer. */
function readText({ place, field }: RequestRow, value: unknown): unknown {
  const isText = place !== 'body' && place !== 'form' && /^\d+$/.test(String(value));
  return isText && kindsOf(field).includes('integer') ? Number(value) : value;
}

type FormPart = NonNullable<Arrival['parts']>[number];

function readPart({ name, filename, type, content }: FormPart): Values {
  const text = content.toString();
  if (type === 'application/json') {
    return flat({ [name]: JSON.parse(text) });
  }
  return { [name]: filename === undefined ? text : new Blob([text]) };
}

/** The fields of an object, and those of nested objects by path. */
function flat(value: unknown): Values {
  if (typeof value !== 'object' || value === null) {
    return {};
  }
  const within = Object.entries(value).flatMap(([name, held]) =>
    Array.isArray(held) ? [] : Object.entries(flat(held)).map(([inner, one]) => [`${name}.${inner}`, one]),
  );
  return { ...value, ...Object.fromEntries(within) };
}
