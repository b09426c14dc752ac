import {
  apiKey,
  bearerToken,
  dateTime,
  dateTimeWithOffset,
  integer,
  number,
  object,
  paging,
  pagingBeyond,
  string,
} from './fields.ts';
import {
  country,
  dataPlan,
  deprecatedPlanListing,
  envelope,
  envelopeSuccess,
  page,
  planListing,
  purchasedSim,
  sim,
} from './records.ts';
import { at, type Operation, type RequestField } from './types.ts';

const iccid: RequestField = {
  is: 'string',
  required: true,
  example: '8923400000000000017',
  says: 'the eSIM',
};

const productId: RequestField = {
  is: 'string',
  required: true,
  example: 'NG-1GB-7D',
  says: 'the data plan',
};

const authenticate: Operation = {
  name: 'esims.authenticate',
  section: '§4.13.1',
  does: 'Gives the token that every other operation on eSIMs needs.',
  method: 'POST',
  path: '/api/esim/authenticate',
  idempotent: true,
  request: { body: { api_key: { ...apiKey, says: 'the account’s live API key' } } },
  success: {},
  response: { token: { is: 'string', says: 'the token; the text calls it encrytedKey, the example token' } },
};

const plans: Operation = {
  name: 'esims.plans',
  section: '§4.13.2',
  does: 'Lists data plans: all there are, or those of a country or a kind.',
  method: 'GET',
  path: '/api/esim/data/plan/fetch',
  idempotent: true,
  request: {
    header: bearerToken,
    query: {
      country: { is: 'string', required: false, example: 'Nigeria', says: 'only plans of this country' },
      type: {
        is: 'string',
        required: false,
        enum: ['LOCAL', 'REGION'],
        example: 'LOCAL',
        says: 'only plans of this kind',
      },
      ...pagingBeyond,
    },
  },
  success: envelopeSuccess,
  response: envelope(page(planListing)),
};

const plansDeprecated: Operation = {
  name: 'esims.plansDeprecated',
  section: '§4.13.3',
  does: 'Lists data plans in an older form.',
  method: 'GET',
  path: '/api/esim/data/plan/all',
  deprecated: true,
  idempotent: true,
  request: {
    header: bearerToken,
    query: {
      country: { is: 'string', required: false, example: 'Nigeria', says: 'only plans of this country' },
      region: { is: 'string', required: false, example: 'Africa', says: 'only plans of this region' },
      ...pagingBeyond,
    },
  },
  success: {},
  response: page(deprecatedPlanListing),
};

const create: Operation = {
  name: 'esims.create',
  section: '§4.13.4',
  does: 'Creates an eSIM for a data plan.',
  method: 'POST',
  path: '/api/esim/create',
  idempotent: false,
  request: {
    header: bearerToken,
    body: {
      productId,
      iso3: { is: 'string', required: 'not shown', example: 'NGA', says: 'the country' },
    },
  },
  success: {},
  response: { sim: object, ...at('sim', sim), dataPlan: object, ...at('dataPlan', dataPlan) },
};

const purchase: Operation = {
  name: 'esims.purchase',
  section: '§4.13.5',
  does: 'Buys a data plan for an eSIM, or tops it up.',
  method: 'POST',
  path: '/api/esim/data-plan/purchase',
  idempotent: false,
  request: {
    header: bearerToken,
    body: {
      iccid,
      productId,
      iso3: {
        is: 'string',
        required: true,
        pattern: /^[A-Z]{3}$/,
        wrong: ['NG', 'Nigeria', '234'],
        example: 'NGA',
        says: 'the country, as three letters (ISO 3166-1)',
      },
    },
  },
  success: envelopeSuccess,
  response: envelope({
    sim: object,
    ...at('sim', purchasedSim),
    dataPlan: object,
    ...at('dataPlan', dataPlan),
  }),
};

const qrCode: Operation = {
  name: 'esims.qrCode',
  section: '§4.13.6',
  does: 'Gives the code that a phone scans to install an eSIM.',
  method: 'GET',
  path: '/api/esim/activate/{ICCID}/qr/code',
  idempotent: true,
  request: { header: bearerToken, path: { ICCID: iccid } },
  success: {},
  response: 'not shown',
};

const profile: Operation = {
  name: 'esims.profile',
  section: '§4.13.7',
  does: 'Tells the state of an eSIM’s profile.',
  method: 'GET',
  path: '/api/esim/euicc/{ICCID}',
  idempotent: true,
  request: { header: bearerToken, path: { ICCID: iccid } },
  success: {},
  response: {
    iccid: string,
    imsi: string,
    state: string,
    last_operation_date: { is: 'integer', says: 'a timestamp' },
    reuse_remaining_count: integer,
    cc_required: { is: 'boolean', says: 'whether the phone asks for a confirmation code' },
    release_date: { is: 'integer', says: 'a timestamp' },
    activationCode: string,
    smdp: string,
  },
};

const usage: Operation = {
  name: 'esims.usage',
  section: '§4.13.8',
  does: 'Tells how much data an eSIM has, and has used.',
  method: 'GET',
  path: '/api/esim/subscriptions/usage/{ICCID}',
  idempotent: true,
  request: { header: bearerToken, path: { ICCID: iccid } },
  success: {},
  response: { data_total_gigabyte: number, data_used_gigabyte: number },
};

const planStatus: Operation = {
  name: 'esims.planStatus',
  section: '§4.13.9',
  does: 'Tells the state and the dates of an eSIM’s data plan.',
  method: 'GET',
  path: '/api/esim/iccid/{ICCID}/details',
  idempotent: true,
  request: { header: bearerToken, path: { ICCID: iccid } },
  success: envelopeSuccess,
  response: envelope({
    productId: string,
    iccid: string,
    createdDate: dateTime,
    activatedDate: { ...dateTime, when: 'the plan was activated' },
    expiryDate: { ...dateTime, when: 'the plan was activated' },
    windowActivationEndDate: { ...dateTime, says: 'until when the plan must be activated' },
    Status: { is: 'string', enum: ['NOT_ACTIVE', 'ACTIVE', 'EXPIRED'] },
    dataPlan: { is: 'string', says: 'the plan’s name' },
  }),
};

const list: Operation = {
  name: 'esims.list',
  section: '§4.13.10',
  does: 'Lists the eSIMs that were created.',
  method: 'GET',
  path: '/api/esim/fetch/esims',
  idempotent: true,
  request: { header: bearerToken, query: paging },
  success: {},
  response: page({ ...sim, purchaseDate: { ...dateTimeWithOffset, when: 'a plan was bought' } }),
};

const countries: Operation = {
  name: 'esims.countries',
  section: '§4.13.11',
  does: 'Lists the countries that have data plans.',
  method: 'GET',
  path: '/api/esim/countries/all',
  idempotent: true,
  request: { header: bearerToken, query: paging },
  success: envelopeSuccess,
  response: envelope(page(country)),
};

export const esims: readonly Operation[] = [
  authenticate,
  plans,
  plansDeprecated,
  create,
  purchase,
  qrCode,
  profile,
  usage,
  planStatus,
  list,
  countries,
];
