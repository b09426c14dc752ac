import { createHmac } from 'node:crypto';
import { request } from 'undici';

/** As the provider signs: an HMAC-SHA512 over the raw body, in hexadecimal. */
export function signReport(body: string, key: string): string {
  return createHmac('sha512', key).update(body).digest('hex');
}

export const reportHeader = 'X-Provider-Signature';

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
