import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '../../lib/json.ts';
import { ProviderErrorReply } from '../http/error-responses.ts';
import { phoneNumberField } from '../http/fields.ts';
import { ok } from '../http/replies.ts';
import { type OperationHandler, operation } from '../operation.ts';
import { type Network, networkOf, onDnd, portedOf } from './networks.ts';

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
