import { z } from 'zod';
import { phoneNumber } from './fields.ts';
import { networkOf, onDnd } from './networks.ts';
import { operation } from './operation.ts';
import { ok } from './replies.ts';

/** API §4.9. */
export const checkDnd = operation({
  name: 'insight.checkDnd',
  method: 'GET',
  path: '/api/check/dnd',
  fields: z.strictObject({ phone_number: phoneNumber }),
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
