import { createHmac } from 'node:crypto';
import { signingSecret, teamId, userIds } from './workspace.ts';

/**
 * Returns a function that makes the requests Slack sends for a slash command, each with its own trigger and a valid
 * signature (Slack: verifying requests).
 */
export function slashCommands(
  command: string,
  text: string,
  responseUrl: string,
): () => { headers: Record<string, string>; body: string } {
  const sameInAll = new URLSearchParams({
    token: 'obsolete',
    team_id: teamId,
    team_domain: 'bench',
    channel_id: 'C0BENCH',
    channel_name: 'support',
    user_name: 'someone',
    command,
    text,
    api_app_id: 'A0BENCH',
    is_enterprise_install: 'false',
    response_url: responseUrl,
  }).toString();
  let made = 0;
  return () => {
    made += 1;
    const person = userIds[made % userIds.length];
    const body = `${sameInAll}&user_id=${person}&trigger_id=${made}.${Date.now()}.bench`;
    const timestamp = Math.floor(Date.now() / 1000).toString();
    const signature = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
    return {
      body,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${signature}`,
      },
    };
  };
}
