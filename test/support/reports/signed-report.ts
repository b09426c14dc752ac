import { createHmac } from 'node:crypto';
import { request } from 'undici';
import { profileEnv } from '../provider/profile-file.ts';

/** As the provider signs: an HMAC-SHA512 over the raw body, in hexadecimal. */
export function signReport(body: string, key: string): string {
  return createHmac('sha512', key).update(body).digest('hex');
}

export const reportHeader = 'X-Provider-Signature';

/** The setting with which reports are taken that are signed in this header. */
export const reportEnv = profileEnv({ reportSignature: { header: reportHeader } });

/** Sends a report as the provider does. Returns the status of the answer. */
export async function postReport(
  address: string,
  body: string,
  {
    key,
    signature = key === undefined ? undefined : signReport(body, key),
  }: { key?: string; signature?: string },
): Promise<number> {
  const answer = await request(address, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(signature === undefined ? {} : { [reportHeader]: signature }),
    },
    body,
  });
  await answer.body.dump();
  return answer.statusCode;
}
