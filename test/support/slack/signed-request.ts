import { createHmac } from 'node:crypto';

/** The headers of a request signed by Slack (Slack: verifying requests). */
export function signed(signingSecret: string, body: string, contentType: string): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1000).toString();
  const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  return {
    'content-type': contentType,
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${signature}`,
  };
}

export const json = 'application/json';
export const urlEncoded = 'application/x-www-form-urlencoded';
