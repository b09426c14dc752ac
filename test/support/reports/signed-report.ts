import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { request } from 'undici';
import type { TestWorkspace } from '../app/test-workspace.ts';
import { profileEnv } from '../provider/profile-file.ts';

/** As the provider signs: an HMAC-SHA512 over the raw body, in hexadecimal. */
export function signReport(body: string, key: string): string {
  return createHmac('sha512', key).update(body).digest('hex');
}

export const reportHeader = 'X-Provider-Signature';

/** The setting with which reports are taken that are signed in this header. */
export const reportEnv = profileEnv({ reportSignature: { header: reportHeader } });

/** The report of the newest message that the provider has taken: delivered, unless changed. */
export function reportOf(
  { provider }: Pick<TestWorkspace, 'provider'>,
  change: Record<string, unknown> = {},
): string {
  const message = provider.record.at(-1) ?? assert.fail('nothing was sent');
  return JSON.stringify({
    type: 'outbound',
    message_id: message.id,
    receiver: message.to[0],
    sender: message.from,
    message: message.text,
    sent_at: message.at.slice(0, 19).replace('T', ' '),
    cost: '4.25',
    status: 'DELIVERED',
    channel: 'SMS',
    ...change,
  });
}

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
