import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { JsonObject } from '../../lib/json.ts';
import { ok } from '../http/replies.ts';
import { operation } from '../operation.ts';

/** Facts: a token is valid for a day. */
const lifetimeSeconds = 24 * 60 * 60;

/** API §4.13.1. The token has the name of the example and the form of a JWT. Its signature is random. */
export const answerAuthenticate = operation({
  name: 'esims.authenticate',
  method: 'POST',
  path: '/api/esim/authenticate',
  fields: z.strictObject({}),
  answer(_fields, { account, state, now }) {
    const issued = Math.floor(now.getTime() / 1000);
    const expires = issued + lifetimeSeconds;
    const token = [
      encode({ alg: 'HS256', typ: 'JWT' }),
      encode({ sub: String(account.applicationId), iat: issued, exp: expires }),
      randomBytes(32).toString('base64url'),
    ].join('.');
    state.esimTokens.push({ token, account: account.key, expiresAt: new Date(expires * 1000).toISOString() });
    return ok({ token });
  },
});

function encode(part: JsonObject): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}
