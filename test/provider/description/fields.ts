import type { ResponseField } from './types.ts';

/* Fields that many requests share. */

/** §5.1: never in a header. Its location depends on the operation. */
export const apiKey = {
  is: 'string',
  required: true,
  example: 'sandbox-key',
  says: 'the account’s API key',
} as const;

/** §5.2: for every eSIM operation except the authentication. */
export const bearerToken = {
  'X-Token': {
    is: 'string',
    required: true,
    example: 'header.payload.signature',
    says: 'the token that the authentication gave, as it is',
  },
} as const;

/** §4: one number, or each number of a list. */
export const phoneNumber = {
  pattern: /^\d+$/,
  wrong: ['+2348030000011', '234 803 000 0011', '234-803-000-0011', 'PalmMarket'],
  example: '2348030000011',
} as const;

/** §2.4: 3 to 11 letters and digits, or only digits. */
export const senderId = {
  pattern: /^(?:[A-Za-z0-9]{3,11}|\d+)$/,
  wrong: ['Pa', 'PalmMarketNG', 'Palm Sale', 'Palm-Sale', 'Pálmsale'],
  example: 'PalmMarket',
} as const;

/** A code of digits. */
export const digits = {
  pattern: /^\d+$/,
  wrong: ['48a21', '48 21', '-4821'],
  example: '48217',
} as const;

export const countryCallingCode = {
  pattern: /^\d+$/,
  wrong: ['+234', 'NG'],
  example: '234',
} as const;

/** §2.3, for §4.4 and §4.5. */
export const pin = {
  pin_type: {
    is: 'string',
    required: true,
    enum: ['NUMERIC', 'ALPHANUMERIC'],
    example: 'NUMERIC',
    says: 'digits alone, or letters and digits',
  },
  pin_attempts: {
    is: 'integer',
    required: true,
    minimum: 1,
    example: 3,
    says: 'how many guesses the recipient has',
  },
  pin_time_to_live: {
    is: 'integer',
    required: true,
    minimum: 0,
    maximum: 60,
    example: 10,
    says: 'minutes until the pin is void',
  },
  pin_length: {
    is: 'integer',
    required: true,
    minimum: 4,
    maximum: 8,
    example: 6,
    says: 'characters of the pin',
  },
} as const;

/** The page and its size. Documented for two lists of §4.13 only. */
export const paging = {
  page: { is: 'integer', required: false, example: 0, says: 'which page, counted from zero' },
  size: { is: 'integer', required: false, example: 5, says: 'how many records a page holds' },
} as const;

/** The same, where the API does not document the paging parameters. */
export const pagingBeyond = {
  page: { ...paging.page, beyond: true },
  size: { ...paging.size, beyond: true },
} as const;

/* Types of response fields. */

export const string: ResponseField = { is: 'string' };
export const integer: ResponseField = { is: 'integer' };
export const number: ResponseField = { is: 'number' };
export const boolean: ResponseField = { is: 'boolean' };
export const object: ResponseField = { is: 'object' };
export const array: ResponseField = { is: 'array' };

/** A local date and time, without a zone. */
export const dateTime: ResponseField = {
  is: 'string',
  pattern: /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/,
  says: 'YYYY-MM-DD HH:MM:SS',
};

/** A date and time with an offset. */
export const dateTimeWithOffset: ResponseField = {
  is: 'string',
  pattern: /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:?\d{2})$/,
  says: 'ISO 8601 with an offset',
};
