import { link, type Markup, mrkdwn } from '../block-kit/text.ts';
import type { MissingGrant } from '../client/granted-scopes.ts';
import type { AppContext } from './app-context.ts';

/** Returns what Slack does not let the app do. A view is whole without it, so a failure is only logged. */
export async function findMissingGrant(
  { missingGrant, log }: Pick<AppContext, 'missingGrant' | 'log'>,
  workspaceId: string,
): Promise<MissingGrant | undefined> {
  try {
    return await missingGrant(workspaceId);
  } catch (error) {
    log.warn({ err: error }, 'what Slack has granted could not be compared');
    return undefined;
  }
}

/** How an admin has Slack grant what is missing. */
export function describeReinstall(installAddress: URL | undefined): Markup {
  return installAddress === undefined
    ? mrkdwn`Reinstall Switchboard on its page at api.slack.com/apps. Everything is kept.`
    : mrkdwn`${link(installAddress, 'Reinstall Switchboard')}. Everything is kept.`;
}

export function describeScopes(scopes: MissingGrant['scopes']): Markup[] {
  return scopes.map(({ scope, use }) => mrkdwn`• \`${scope}\`: ${use}`);
}
