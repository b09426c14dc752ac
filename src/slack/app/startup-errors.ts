import { StartupError } from '../../lib/startup-error.ts';
import { isSlackError, neverReachedSlack, slackErrorCode } from '../client/slack-errors.ts';

/** Returns a StartupError that says why Slack did not accept `setting`, or the error itself if that is not known. */
export function startupError(setting: string, error: unknown): unknown {
  const code = slackErrorCode(error);
  if (isSlackError(error, 'bad_token')) {
    return new StartupError(
      `Slack does not accept ${setting} (${code}). Copy it again from the app’s page at api.slack.com/apps.`,
    );
  }
  if (code !== undefined) {
    return new StartupError(
      `Slack refuses to start with ${setting}: ${code}. See the app’s page at api.slack.com/apps.`,
    );
  }
  if (neverReachedSlack(error)) {
    return new StartupError('Slack cannot be reached. Check the network, and SLACK_API_URL if it is set.');
  }
  return error;
}
