import { link, type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import type { MissingGrant } from '../../client/granted-scopes.ts';
import type { AppContext } from '../../middleware/app-context.ts';

/** Tells an admin what Slack does not let the app do, and what to do about it. */
export function describeMissingGrant({ scopes, endsAt, installAddress }: MissingGrant): Markup {
  const uses = scopes.map(({ scope, use }) => mrkdwn`• \`${scope}\`: ${use}`);
  return mrkdwn`${[
    ...(scopes.length === 0
      ? []
      : [mrkdwn`:warning: *Slack hasn’t granted all that Switchboard needs.* Missing:`, ...uses]),
    ...(endsAt === undefined
      ? []
      : [mrkdwn`:warning: *Switchboard’s access to Slack ends* ${timeFor(endsAt)}: Slack doesn’t renew it.`]),
    installAddress === undefined
      ? mrkdwn`Reinstall Switchboard on its page at api.slack.com/apps. Everything is kept.`
      : mrkdwn`${link(installAddress, 'Reinstall Switchboard')}. Everything is kept.`,
  ]}`;
}

/** Home is whole without it, so a failure is only logged. */
export async function findMissingGrant(
  { missingGrant, log }: Pick<AppContext, 'missingGrant' | 'log'>,
  workspaceId: string,
): Promise<Markup | undefined> {
  try {
    const missing = await missingGrant(workspaceId);
    return missing && describeMissingGrant(missing);
  } catch (error) {
    log.warn({ err: error }, 'what Slack has granted could not be compared');
    return undefined;
  }
}
