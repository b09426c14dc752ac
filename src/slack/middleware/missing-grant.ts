import { link, type Markup, mrkdwn } from '../block-kit/text.ts';
import type { MissingGrant } from '../client/granted-scopes.ts';
import { neededScope, slackErrorCode } from '../client/slack-errors.ts';
import type { AppContext } from './app-context.ts';
import type { Authorizer } from './authorize.ts';

/** Returns what Slack does not let the app do. A view is whole without it, so a failure is only logged. */
export async function findMissingGrant(
  { missingGrant, log }: Pick<AppContext, 'missingGrant' | 'log'>,
  workspaceId: string,
): Promise<MissingGrant | undefined> {
  try {
    return await missingGrant(workspaceId);
  } catch (error) {
    log.warn({ err: error }, 'the scopes that Slack granted could not be checked');
    return undefined;
  }
}

/** How an admin has Slack grant the missing permissions. */
export function describeReinstall(installAddress: URL | undefined): Markup {
  return installAddress === undefined
    ? mrkdwn`Reinstall Switchboard on its page at api.slack.com/apps. Everything is kept.`
    : mrkdwn`${link(installAddress, 'Reinstall Switchboard')}. Everything is kept.`;
}

export function describeScopes(scopes: MissingGrant['scopes']): Markup[] {
  return scopes.map(({ scope, use }) => mrkdwn`• \`${scope}\`: ${use}`);
}

/**
 * Returns a function that returns what to tell a user whose request lacks a scope; undefined for any other error. It never
 * rejects. An admin gets the way to reinstall the app. So does everybody where Slack does not let it see who they are, as an admin
 * could not be told from the others; the page is public.
 */
export function createMissingScopeExplanation({
  recall,
  installAddress,
}: {
  recall: Authorizer['recall'];
  installAddress: URL | undefined;
}) {
  return async (
    error: unknown,
    { workspaceId, userId }: { workspaceId: string | undefined; userId: string },
  ): Promise<Markup | undefined> => {
    if (slackErrorCode(error) !== 'missing_scope' || workspaceId === undefined) {
      return undefined;
    }
    const known = await recall(workspaceId, userId);
    const scope = neededScope(error);
    const lacking = scope === undefined ? mrkdwn`` : mrkdwn`: it lacks the permission \`${scope}\``;
    if (known === undefined) {
      const reinstall =
        installAddress === undefined
          ? 'reinstall Switchboard'
          : link(installAddress, 'reinstall Switchboard');
      return mrkdwn`Slack doesn’t let Switchboard see who you are${lacking}. An admin of this workspace can ${reinstall}. Everything is kept.`;
    }
    if (!known.permissions.has('administer')) {
      return mrkdwn`Slack doesn’t let Switchboard do this${lacking}. Ask an admin of this workspace to reinstall Switchboard.`;
    }
    return installAddress === undefined
      ? mrkdwn`Slack doesn’t let Switchboard do this${lacking}. Reinstall Switchboard on its page at api.slack.com/apps. Everything is kept.`
      : mrkdwn`Slack doesn’t let Switchboard do this${lacking}. ${link(installAddress, 'Reinstall Switchboard')}. Everything is kept.`;
  };
}
