import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '../../lib/json.ts';
import { lagosHour } from '../../lib/lagos-time.ts';
import { ok } from '../http/replies.ts';
import { ProviderErrorReply, phoneNumberField } from '../http/request-checks.ts';
import { type OperationHandler, operation } from '../operation.ts';
import type { DeliveryStatus } from '../state/state.ts';

/** A Nigerian mobile network. */
interface Network {
  name: string;
  /** The mobile country code (621) followed by the network code. */
  code: string;
  operatorCode: string;
  routingCode: string;
  carrierCode: string;
  prefixes: readonly string[];
}

const mtn: Network = {
  name: 'MTN Nigeria',
  code: '62130',
  operatorCode: 'MTN',
  routingCode: '61',
  carrierCode: '23461',
  prefixes: '703 704 706 7025 7026 803 806 810 813 814 816 903 906 913 916'.split(' '),
};

const networks: readonly Network[] = [
  mtn,
  {
    name: 'Airtel Nigeria',
    code: '62120',
    operatorCode: 'AIR',
    routingCode: '62',
    carrierCode: '23462',
    prefixes: '701 708 802 808 812 901 902 904 907 911 912'.split(' '),
  },
  {
    name: 'Glo Nigeria',
    code: '62150',
    operatorCode: 'GLO',
    routingCode: '65',
    carrierCode: '23465',
    prefixes: '705 805 807 811 815 905 915'.split(' '),
  },
  {
    name: '9mobile Nigeria',
    code: '62160',
    operatorCode: 'EMT',
    routingCode: '69',
    carrierCode: '23469',
    prefixes: '809 817 818 908 909'.split(' '),
  },
];

/** Returns the network of a Nigerian number by its prefix; undefined for any other number. */
export function networkOf(number: string): Network | undefined {
  return networks.find(({ prefixes }) => prefixes.some((prefix) => number.startsWith(`234${prefix}`)));
}

/** The sandbox's rule, so that a person can make up both kinds: a Nigerian number that ends in 7 is on DND. */
function onDnd(number: string): boolean {
  return networkOf(number) !== undefined && number.endsWith('7');
}

/** The sandbox's rule: a number that ends in 3 was ported. The value 1 is inferred from the facts. */
function portedOf(number: string): 0 | 1 {
  return number.endsWith('3') ? 1 : 0;
}

/** Returns the delivery status of an accepted message to one handset (API §1, §7.3). */
export function deliveryStatus(channel: string, number: string, at: Date): DeliveryStatus {
  if (channel !== 'generic') {
    return 'Delivered';
  }
  if (onDnd(number)) {
    return 'DND Active on Phone Number';
  }
  const hour = lagosHour(at);
  return networkOf(number) === mtn && (hour >= 20 || hour < 8) ? 'Failed' : 'Delivered';
}

/** API §4.8. Only Nigerian numbers of a known network are known. Any other is reported as fake. */
const queryNumber = operation({
  name: 'insight.query',
  method: 'GET',
  path: '/api/insight/number/query',
  fields: z.strictObject({
    phone_number: phoneNumberField,
    country_code: z.string().regex(/^[A-Z]{2}$/, 'must be the two capital letters of a country'),
  }),
  answer({ phone_number: number, country_code: country }, { account }) {
    if (!account.insight) {
      throw new ProviderErrorReply(
        403,
        'Number status is not active on your account. Kindly contact your account manager',
      );
    }
    const network = country === 'NG' ? networkOf(number) : undefined;
    if (!network) {
      return ok({ result: [], status: false, message: 'This number is not known' });
    }
    return ok({ result: [entry(number, network)], status: true, message: 'Successful' });
  },
});

function entry(number: string, network: Network): JsonObject {
  return {
    routeDetail: { number, ported: portedOf(number) },
    countryDetail: { countryCode: '234', mobileCountryCode: network.code.slice(0, 3), iso: 'NG' },
    operatorDetail: {
      operatorCode: network.operatorCode,
      operatorName: network.name,
      mobileNumberCode: network.code.slice(3),
      mobileRoutingCode: network.routingCode,
      carrierIdentificationCode: network.carrierCode,
      lineType: 'Mobile',
    },
    format: { universalNumberFormat: `+${number}` },
    status: 200,
    refId: randomUUID(),
  };
}

/** API §4.9. */
const checkDnd = operation({
  name: 'insight.checkDnd',
  method: 'GET',
  path: '/api/check/dnd',
  fields: z.strictObject({ phone_number: phoneNumberField }),
  answer({ phone_number: number }) {
    const network = networkOf(number);
    const active = onDnd(number);
    return ok({
      number,
      status: active ? 'DND blacklisted' : 'DND not active',
      network: network?.name ?? 'Unknown',
      network_code: network?.code ?? '',
      dnd_active: active,
      message: active ? 'DND is active on this number' : 'DND is not active on this number',
    });
  },
});

export const insightOperations: readonly OperationHandler[] = [queryNumber, checkDnd];
