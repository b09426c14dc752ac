import { array, boolean, dateTime, dateTimeWithOffset, integer, number, object, string } from './fields.ts';
import { at, type ResponseField, type ResponseFields } from './types.ts';

const sort: ResponseFields = { empty: boolean, sorted: boolean, unsorted: boolean };

/** §2.1: a page of records. */
export function page(records: ResponseFields): ResponseFields {
  return {
    content: array,
    ...at('content[]', records),
    pageable: object,
    ...at('pageable', {
      pageNumber: integer,
      pageSize: integer,
      offset: integer,
      paged: boolean,
      unpaged: boolean,
      sort: object,
      ...at('sort', sort),
    }),
    totalElements: integer,
    totalPages: integer,
    last: boolean,
    first: boolean,
    size: { is: 'integer', says: 'records that a page holds; 15 where nothing else was asked for' },
    number: { is: 'integer', says: 'index of this page, counted from zero' },
    numberOfElements: integer,
    empty: boolean,
    sort: object,
    ...at('sort', sort),
  };
}

/** §4.13: the envelope of most responses about eSIMs. */
export function envelope(data: ResponseFields): ResponseFields {
  return {
    status: { is: 'string', enum: ['Success'] },
    code: { is: 'integer', enum: [200] },
    data: object,
    ...at('data', data),
    message: string,
    timestamp: dateTime,
  };
}

/** The markers of success of `envelope` (§7.1). */
export const envelopeSuccess = { status: 'Success', code: 200 } as const;

/** §2.2, for the three operations that send messages. */
export const sendResult: ResponseFields = {
  code: { is: 'string', enum: ['ok'] },
  balance: { is: 'number', says: 'what is left on the account' },
  message_id: { is: 'string', says: 'up to 25 digits, which no JSON number would keep' },
  message_id_str: { is: 'string', says: 'the same as message_id' },
  message: string,
  user: { is: 'string', says: 'the account’s label' },
};

/** §2.4. Blocked sender IDs are listed with an undocumented status. */
export const senderIdRecord: ResponseFields = {
  sender_id: string,
  status: { is: 'string', among: ['active', 'pending'] },
  country: string,
  createdAt: dateTime,
  company: { is: 'string', when: 'the sender ID is pending' },
  usecase: { is: 'string', when: 'the sender ID is pending' },
};

/** §2.5. */
export const phonebook: ResponseFields = {
  id: string,
  applicationId: string,
  description: string,
  createdAt: dateTime,
  phonebook_name: string,
  total_contact: integer,
  total_campaign: integer,
};

const ifGiven: ResponseField = { is: 'string', when: 'it was given' };

/** §2.6: optional fields of a contact. */
export const contactDetails: ResponseFields = {
  email_address: ifGiven,
  first_name: ifGiven,
  last_name: ifGiven,
  company: ifGiven,
};

/** §2.6, in a list. */
export const contact: ResponseFields = {
  id: string,
  pid: { is: 'string', says: 'the phonebook it stands in' },
  phone_number: { is: 'string', says: 'in international format' },
  contact_list_key_value: array,
  'contact_list_key_value[].key': string,
  'contact_list_key_value[].value': string,
  ...contactDetails,
  created_at: dateTime,
  updated_at: dateTime,
};

/** §2.8. */
export const sim: ResponseFields = {
  id: integer,
  iccid: string,
  productId: string,
  imsi: string,
  state: { is: 'string', among: ['RELEASED', 'INACTIVE'] },
  lastOperationDate: dateTime,
  activationCode: string,
  smdp: { is: 'string', says: 'the server that the phone fetches its profile from' },
};

/** §2.8, after a purchase. */
export const purchasedSim: ResponseFields = { ...sim, purchaseDate: dateTimeWithOffset };

/** §2.9, beside a SIM. The units of the allowances are not documented. */
export const dataPlan: ResponseFields = {
  productId: string,
  name: string,
  dataUsageAllowance: number,
  timeAllowance: number,
  country: string,
  iso3: string,
  region: string,
  dataPlanType: { is: 'string', enum: ['LOCAL', 'REGION'] },
};

/** §2.9, in the list of plans. */
export const planListing: ResponseFields = {
  productId: string,
  name: string,
  dataUsageAllowance: number,
  timeAllowance: number,
  dataPlanType: { is: 'string', enum: ['LOCAL', 'REGION'] },
  price: number,
  currency: string,
  supportedCountries: array,
  'supportedCountries[].country': string,
  'supportedCountries[].iso3': string,
};

/** §2.9, in the deprecated list of plans. */
export const deprecatedPlanListing: ResponseFields = {
  id: integer,
  uuid: string,
  active: boolean,
  version: integer,
  createdAt: dateTime,
  updatedAt: dateTime,
  productId: string,
  name: string,
  dataUsageAllowance: number,
  timeAllowance: number,
  country: string,
  countryIso3: string,
  region: string,
  dataPlanType: { is: 'string', enum: ['LOCAL', 'REGION', 'DESTINATION'] },
};

/** §2.10. */
export const country: ResponseFields = {
  id: integer,
  uuid: string,
  active: boolean,
  version: integer,
  createdAt: dateTime,
  updatedAt: dateTime,
  name: string,
  iso2: string,
  iso3: string,
  region: string,
};
