import type { Operation, Place, RequestField, ResponseFields } from './types.ts';

/** A request field and its location. */
export interface RequestRow {
  readonly name: string;
  readonly place: Place;
  readonly field: RequestField;
}

const places: readonly Place[] = ['path', 'query', 'header', 'body', 'form', 'body or query'];

export function requestRows({ request }: Operation): RequestRow[] {
  return places.flatMap((place) =>
    Object.entries(request[place] ?? {}).map(([name, field]) => ({ name, place, field })),
  );
}

/** The fields of a response; empty where it is not documented. */
export function responseFields({ response }: Operation): ResponseFields {
  return response === 'not shown' ? {} : response;
}
