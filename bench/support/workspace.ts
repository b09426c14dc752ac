/** The workspace of the benchmarks. */
export const teamId = 'T0BENCH';
export const signingSecret = 'bench-signing-secret-5b1f';

/** The users who type commands, in turns. */
export const userIds = Array.from({ length: 25 }, (_, index) => `U0BENCH${index}`);

/** The settings of any Slack app in this workspace. `slackUrl` has no trailing slash. */
export function slackSettings(slackUrl: string): Record<string, string> {
  return {
    SLACK_API_URL: `${slackUrl}/api/`,
    SLACK_BOT_TOKEN: 'xoxb-bench',
    SLACK_SIGNING_SECRET: signingSecret,
  };
}

/** The settings of a Slack app that workspaces install. */
export function oauthSettings(slackUrl: string): Record<string, string> {
  return {
    SLACK_API_URL: `${slackUrl}/api/`,
    SLACK_CLIENT_ID: '1.1',
    SLACK_CLIENT_SECRET: '0'.repeat(32),
    SLACK_STATE_SECRET: '0'.repeat(44),
    SLACK_SIGNING_SECRET: signingSecret,
  };
}
