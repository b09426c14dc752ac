import { StartupError } from '../../lib/startup-error.ts';
import { neverReachedSlack } from '../client/web-client.ts';
import { isSlackError } from '../middleware/errors.ts';

const badToken = ['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired'];

/** Puts into words why the connection to Slack that `setting` opens could not be made. */
export function startupError(setting: string, error: unknown): unknown {
  if (isSlackError(error, ...badToken)) {
    return new StartupError(
      `Slack does not accept ${setting} (${error.data.error}). Copy it again from the app’s page at api.slack.com/apps.`,
    );
  }
  if (isSlackError(error)) {
    return new StartupError(
      `Slack refuses to start with ${setting}: ${error.data.error}. See the app’s page at api.slack.com/apps.`,
    );
  }
  if (neverReachedSlack(error)) {
    return new StartupError('Slack cannot be reached. Check the network, and SLACK_API_URL if it is set.');
  }
  return error;
}

/** Puts into words why the program cannot listen. */
export function listenError(host: string, port: number, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EADDRINUSE' || code === 'EACCES' || code === 'EADDRNOTAVAIL'
    ? new StartupError(`Cannot listen on ${host}, port ${port} (${code}). Set HOST and PORT to what is free.`)
    : error;
}
