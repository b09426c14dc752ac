import type { ClientFields } from './types.ts';

export const insight = {
  'insight.query': {
    takes: { phone_number: 'phoneNumber', country_code: 'countryCode' },
    gives: {
      result: 'result',
      'result[].routeDetail': 'result[].routeDetail',
      'result[].routeDetail.number': 'result[].routeDetail.number',
      'result[].routeDetail.ported': 'result[].routeDetail.ported',
      'result[].countryDetail': 'result[].countryDetail',
      'result[].countryDetail.countryCode': 'result[].countryDetail.countryCode',
      'result[].countryDetail.mobileCountryCode': 'result[].countryDetail.mobileCountryCode',
      'result[].countryDetail.iso': 'result[].countryDetail.iso',
      'result[].operatorDetail': 'result[].operatorDetail',
      'result[].operatorDetail.operatorCode': 'result[].operatorDetail.operatorCode',
      'result[].operatorDetail.operatorName': 'result[].operatorDetail.operatorName',
      'result[].operatorDetail.mobileNumberCode': 'result[].operatorDetail.mobileNumberCode',
      'result[].operatorDetail.mobileRoutingCode': 'result[].operatorDetail.mobileRoutingCode',
      'result[].operatorDetail.carrierIdentificationCode':
        'result[].operatorDetail.carrierIdentificationCode',
      'result[].operatorDetail.lineType': 'result[].operatorDetail.lineType',
      'result[].format': 'result[].format',
      'result[].format.universalNumberFormat': 'result[].format.universalNumberFormat',
      'result[].status': 'result[].status',
      'result[].refId': 'result[].refId',
      status: 'status',
      message: 'message',
    },
  },
  'insight.checkDnd': {
    takes: { phone_number: 'phoneNumber' },
    gives: {
      number: 'number',
      network_code: 'networkCode',
      dnd_active: 'dndActive',
      message: 'message',
      status: 'status',
      network: 'network',
    },
  },
} as const satisfies Readonly<Record<string, ClientFields>>;
