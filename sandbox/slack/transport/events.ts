import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../lib/json.ts';
import type { Installation } from '../installations/installations.ts';
import type { RemovalNotice } from '../slack.ts';
import { app } from '../workspace/fixtures.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { VERIFICATION_TOKEN } from './payloads.ts';
import { request } from './requests.ts';
import type { AppRequest } from './transport.ts';

/** Slack: Events API. `event` is the inner event. */
export function eventRequest(workspace: Workspace, event: JsonObject): AppRequest {
  const { team, bot, installation } = workspace;
  const isEnterpriseInstall = installation?.place.kind === 'enterprise';
  const enterpriseId = team.enterprise?.id ?? null;
  return eventCallback(event, workspace.now(), {
    team_id: team.id,
    ...(enterpriseId !== null && { enterprise_id: enterpriseId }),
    context_team_id: team.id,
    context_enterprise_id: enterpriseId,
    authorizations: [
      {
        enterprise_id: enterpriseId,
        team_id: team.id,
        user_id: bot.userId,
        is_bot: true,
        is_enterprise_install: isEnterpriseInstall,
      },
    ],
  });
}

/**
 * The event that the app was removed, or that its tokens were revoked. One of a whole enterprise names no workspace: its
 * `team_id` is the enterprise's id.
 */
export function removalRequest(
  { place, bot }: Installation,
  type: RemovalNotice,
  enterpriseId: string | null,
  at: Date,
): AppRequest {
  const isEnterpriseInstall = place.kind === 'enterprise';
  const event = {
    type,
    ...(type === 'tokens_revoked' && { tokens: { oauth: [], bot: [bot.userId] } }),
    event_ts: `${at.getTime() / 1000}`,
  };
  return eventCallback(event, at, {
    team_id: place.id,
    ...(enterpriseId !== null && { enterprise_id: enterpriseId }),
    authorizations: [
      {
        enterprise_id: enterpriseId,
        team_id: isEnterpriseInstall ? null : place.id,
        user_id: bot.userId,
        is_bot: true,
        is_enterprise_install: isEnterpriseInstall,
      },
    ],
  });
}

function eventCallback(event: JsonObject, at: Date, context: JsonObject): AppRequest {
  return request('events_api', `event ${event.type}`, {
    token: VERIFICATION_TOKEN,
    api_app_id: app.id,
    ...context,
    event,
    type: 'event_callback',
    event_id: `Ev${randomUUID().replaceAll('-', '').slice(0, 9).toUpperCase()}`,
    event_time: Math.floor(at.getTime() / 1000),
    is_ext_shared_channel: false,
  });
}
