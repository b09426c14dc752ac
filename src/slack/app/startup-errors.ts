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

/** Returns a StartupError that says why the program cannot listen where `settings` say, or the error itself if that is not known. */
export function listenError(
  { host, port }: { host: string; port: number },
  settings: string,
  error: unknown,
): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL'
    ? new StartupError(`Cannot listen on ${host}, port ${port} (${code}). Set ${settings} to what is free.`)
    : error;
}
