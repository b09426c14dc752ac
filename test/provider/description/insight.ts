import { apiKey, array, boolean, object, phoneNumber, string } from './fields.ts';
import type { Operation } from './types.ts';

const query: Operation = {
  name: 'insight.query',
  section: '§4.8',
  does: 'Tells a number’s network, and whether it is fake or ported, on accounts that the provider has activated.',
  method: 'GET',
  path: '/api/insight/number/query',
  idempotent: true,
  request: {
    query: {
      api_key: apiKey,
      phone_number: { ...phoneNumber, is: 'string', required: true, says: 'the number' },
      country_code: {
        is: 'string',
        required: true,
        pattern: /^[A-Z]{2}$/,
        wrong: ['NGA', '234', 'Nigeria'],
        example: 'NG',
        says: 'its country, as two letters (ISO 3166-1)',
      },
    },
  },
  success: {},
  response: {
    result: array,
    'result[].routeDetail': object,
    'result[].routeDetail.number': string,
    'result[].routeDetail.ported': { is: 'integer', says: 'what its values mean is not shown' },
    'result[].countryDetail': object,
    'result[].countryDetail.countryCode': string,
    'result[].countryDetail.mobileCountryCode': string,
    'result[].countryDetail.iso': string,
    'result[].operatorDetail': object,
    'result[].operatorDetail.operatorCode': string,
    'result[].operatorDetail.operatorName': string,
    'result[].operatorDetail.mobileNumberCode': string,
    'result[].operatorDetail.mobileRoutingCode': string,
    'result[].operatorDetail.carrierIdentificationCode': string,
    'result[].operatorDetail.lineType': string,
    'result[].format': object,
    'result[].format.universalNumberFormat': string,
    'result[].status': { is: 'integer', says: 'like a status of HTTP' },
    'result[].refId': string,
    status: boolean,
    message: string,
  },
};

const checkDnd: Operation = {
  name: 'insight.checkDnd',
  section: '§4.9',
  does: 'Tells whether Do-Not-Disturb is active on a number.',
  method: 'GET',
  path: '/api/check/dnd',
  idempotent: true,
  request: {
    query: {
      api_key: apiKey,
      phone_number: { ...phoneNumber, is: 'string', required: true, says: 'the number' },
    },
  },
  success: {},
  response: {
    number: string,
    network_code: string,
    dnd_active: boolean,
    message: string,
    status: string,
    network: string,
  },
};

export const insight: readonly Operation[] = [query, checkDnd];
