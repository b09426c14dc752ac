import { type Markup, mrkdwn, timeFor } from '../../block-kit/text.ts';
import type { MissingGrant } from '../../client/granted-scopes.ts';
import { describeReinstall, describeScopes } from '../../middleware/missing-grant.ts';

/**
 * Tells an admin what Slack does not let the app do, and what to do about it; undefined where it lacks nothing that it
 * cannot do without. What was left out otherwise stands in the settings.
 */
export function describeMissingGrant(missing: MissingGrant): Markup | undefined {
  const { scopes, endsAt, installAddress } = missing;
  if (scopes.length === 0 && endsAt === undefined) {
    return undefined;
  }
  return mrkdwn`${[
    ...(scopes.length === 0
      ? []
      : [
          mrkdwn`:warning: *Slack hasn’t granted all that Switchboard needs.* Missing:`,
          ...describeScopes(scopes),
        ]),
    ...(endsAt === undefined
      ? []
      : [mrkdwn`:warning: *Switchboard’s access to Slack ends* ${timeFor(endsAt)}: Slack doesn’t renew it.`]),
    describeReinstall(installAddress),
  ]}`;
}
