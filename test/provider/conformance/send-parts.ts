import { requestRows } from '../description/request-rows.ts';
import type { Operation, Place } from '../description/types.ts';
import type { Values } from './valid-requests.ts';

/** A value of a request and its location. */
export interface Part {
  readonly place: Place;
  readonly name: string;
  readonly value: unknown;
}

export function partsOf(operation: Operation, values: Values): Part[] {
  return requestRows(operation).flatMap(({ name, place }) =>
    name in values ? [{ name, place, value: values[name] }] : [],
  );
}

/** Sends a request made of its parts, valid or not. */
export function send(url: string, { method, path }: Operation, parts: readonly Part[]): Promise<Response> {
  const at = (...places: Place[]) => parts.filter(({ place }) => places.includes(place));
  const target = new URL(
    url +
      path.replace(/\{(\w+)\}/g, (braces, name) => {
        const part = at('path').find((candidate) => candidate.name === name);
        return part ? encodeURIComponent(String(part.value)) : braces;
      }),
  );
  for (const { name, value } of at('query', 'body or query')) {
    for (const each of [value].flat()) {
      target.searchParams.append(name, String(each));
    }
  }
  const headers = new Headers(at('header').map(({ name, value }) => [name, String(value)]));
  const form = at('form');
  if (form.length > 0) {
    return fetch(target, { method, headers, body: formOf(form) });
  }
  if (method !== 'POST') {
    return fetch(target, { method, headers });
  }
  headers.set('content-type', 'application/json');
  return fetch(target, { method, headers, body: JSON.stringify(nested(at('body'))) });
}

function formOf(parts: readonly Part[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(nested(parts))) {
    if (value instanceof Blob) {
      form.set(name, value, 'contacts.csv');
    } else if (typeof value !== 'object') {
      form.set(name, String(value));
    } else {
      form.set(name, new Blob([JSON.stringify(value)], { type: 'application/json' }));
    }
  }
  return form;
}

/** Builds a JSON object from the parts: `media.url` becomes `url` within `media`. */
function nested(parts: readonly Part[]): Record<string, unknown> {
  const whole: Record<string, unknown> = {};
  for (const { name, value } of parts) {
    const [outer = '', inner] = name.split('.');
    const holder = whole[outer];
    if (inner === undefined) {
      whole[outer] = value;
    } else if (typeof holder === 'object' && holder !== null) {
      whole[outer] = { ...holder, [inner]: value };
    }
  }
  return whole;
}
