/**
 * Types that describe the provider's HTTP API: one `Operation` per endpoint, one field per row. Plain data, from which
 * tests of the client and of the sandbox are generated.
 */

/** The type of a value. In a path, a query or a header, an integer is sent as text. */
export type Kind = 'string' | 'strings' | 'integer' | 'number' | 'boolean' | 'object' | 'array' | 'file';

/** The location of a request field. The API leaves it open for one key: `body or query`. */
export type Place = 'path' | 'query' | 'header' | 'body' | 'form' | 'body or query';

/** Rules of a value, with the names of JSON Schema where they exist. */
export interface Rules {
  /** The allowed values. */
  readonly enum?: readonly string[];
  /** Values of `enum` that need further, undocumented fields. */
  readonly undescribed?: readonly string[];
  /** Values of `enum` that need another field to have a certain value. */
  readonly needs?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly pattern?: RegExp;
  /** Values that break `pattern`, one for each common mistake. */
  readonly wrong?: readonly string[];
  /** `pattern` does not apply where another field has this value. */
  readonly unless?: Readonly<Record<string, string>>;
  /** File formats of a URL, by its extension. */
  readonly formats?: readonly string[];
  /** Must contain the value of this field. */
  readonly contains?: string;
  /** Must be absent where this field is present. */
  readonly notWith?: string;
  /** Allowed only where another field has this value. */
  readonly onlyWith?: Readonly<Record<string, string>>;
}

/** A field of a request. */
export interface RequestField extends Rules {
  readonly is: Kind | readonly Kind[];
  readonly required: boolean | 'not shown';
  /** A valid value. */
  readonly example: unknown;
  readonly says: string;
  /** Undocumented, but used by public clients. */
  readonly beyond?: true;
}

/** A field of a response. */
export interface ResponseField {
  readonly is: Kind;
  /** The possible values. */
  readonly enum?: readonly (string | number)[];
  /** Documented values, among others that are not documented. */
  readonly among?: readonly string[];
  readonly pattern?: RegExp;
  /** The condition under which the field is present; absent where it always is. */
  readonly when?: string;
  readonly says?: string;
}

/** By name, or by path for a nested field, such as `media.url`. */
export type RequestFields = Readonly<Record<string, RequestField>>;

/** By path, such as `data.content[].productId`, where `[]` stands for each record. */
export type ResponseFields = Readonly<Record<string, ResponseField>>;

export interface Operation {
  /** The client's name: resource and verb. */
  readonly name: string;
  readonly section: string;
  readonly does: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** A path that public clients use for this operation. */
  readonly otherPath?: string;
  readonly deprecated?: true;
  /** Whether it is harmless when it arrives twice. */
  readonly idempotent: boolean;
  readonly request: Partial<Readonly<Record<Place, RequestFields>>>;
  /** Markers of success in a 200 (§7.1), by path; empty where the status is enough. */
  readonly success: Readonly<Record<string, string | number>>;
  readonly response: ResponseFields | 'not shown';
}

/** The fields of a record under a path of a response. */
export function at(path: string, fields: ResponseFields): ResponseFields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [`${path}.${name}`, field]));
}
