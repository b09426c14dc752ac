/** The workspace in which the benchmarks take place. */
export const teamId = 'T0BENCH';
export const signingSecret = 'bench-signing-secret-5b1f';

/** Those who type. They take turns, as in a workspace where some are at work at the same time. */
export const people = Array.from({ length: 25 }, (_, index) => `U0BENCH${index}`);

/** What any Slack app in this workspace is told of it. `slackUrl` has no slash at its end. */
export function slackSettings(slackUrl: string): Record<string, string> {
  return {
    SLACK_API_URL: `${slackUrl}/api/`,
    SLACK_BOT_TOKEN: 'xoxb-bench',
    SLACK_SIGNING_SECRET: signingSecret,
  };
}
