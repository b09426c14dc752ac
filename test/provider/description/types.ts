/**
 * The words in which the provider's HTTP API is written down here: one `Operation` per endpoint, one field per row.
 * Plain data, so that tests of the client and of the sandbox can be made out of it.
 */

/** What a value is. In a path, a query or a header everything travels as text, also an integer. */
export type Kind = 'string' | 'strings' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'file';

/** Where a field of a request stands. The description leaves it open for one key: `body or query`. */
export type Place = 'path' | 'query' | 'header' | 'body' | 'form' | 'body or query';

/** What must be true of a value, named as JSON Schema names it where it has a name for it. */
export interface Rules {
  /** The values there are; any other is wrong. */
  readonly enum?: readonly string[];
  /** Of `enum`: values that need further fields, whose names the description does not show. */
  readonly undescribed?: readonly string[];
  /** Of `enum`: values that need another field to have a certain value. */
  readonly needs?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: RegExp;
  /** Values that break `pattern`, one for each way in which people break it. */
  readonly wrong?: readonly string[];
  /** Where another field has a certain value, `pattern` does not hold. */
  readonly unless?: Readonly<Record<string, string>>;
  /** What kind of file an address may lead to, told by its ending where it has one. */
  readonly formats?: readonly string[];
  /** Holds the value of this other field. */
  readonly contains?: string;
  /** Must be left out where this other field is given. */
  readonly notWith?: string;
  /** Goes only where another field has a certain value. */
  readonly onlyWith?: Readonly<Record<string, string>>;
}

/** A field that goes in. */
export interface RequestField extends Rules {
  readonly is: Kind | readonly Kind[];
  readonly required: boolean | 'not shown';
  /** A value that breaks no rule. */
  readonly example: unknown;
  readonly says: string;
  /** Not in the description, but seen in public clients of such a provider. */
  readonly beyond?: true;
}

/** A field that comes out. */
export interface ResponseField {
  readonly is: Kind;
  /** The values there are. */
  readonly enum?: readonly (string | number)[];
  /** Values that are named, among others that are not. */
  readonly among?: readonly string[];
  readonly pattern?: RegExp;
  /** Where the field is not in every answer: in which it is. */
  readonly when?: string;
  readonly says?: string;
}

/** By name; a nested field by its path, such as `media.url`. */
export type RequestFields = Readonly<Record<string, RequestField>>;

/** By path, such as `data.content[].productId`, where `[]` stands for each record. */
export type ResponseFields = Readonly<Record<string, ResponseField>>;

export interface Operation {
  /** The resource and what is done with it, as the client calls it. */
  readonly name: string;
  readonly section: string;
  readonly does: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** A path that public clients use for the same operation. */
  readonly otherPath?: string;
  readonly deprecated?: true;
  /** Whether it does no harm when it arrives twice. */
  readonly idempotent: boolean;
  readonly request: Partial<Readonly<Record<Place, RequestFields>>>;
  /** What must stand in a 200 for it to be a success (§7.1), by path; nothing where the status alone says it. */
  readonly success: Readonly<Record<string, string | number>>;
  readonly response: ResponseFields | 'not shown';
}

/** The fields of a record that stands at a path of an answer. */
export function at(path: string, fields: ResponseFields): ResponseFields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [`${path}.${name}`, field]));
}
