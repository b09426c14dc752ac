import type { JsonObject } from '../../../lib/json.ts';
import { ApiError } from '../../errors.ts';
import { type Installation, TOKEN_LIFETIME_SECONDS } from '../../installations/installations.ts';
import { reachOf, type Slack } from '../../slack.ts';
import { app } from '../../workspace/fixtures.ts';
import type { Arguments, Methods } from '../method.ts';

/** Slack: auth.test, auth.teams.list, api.test. */
export const auth: Methods = {
  'auth.test': {
    // The token of an enterprise is of no workspace: Slack answers with the enterprise instead.
    run: ({ base, workspace: { team }, installation: { place, bot } }) => {
      const isEnterpriseInstall = place.kind === 'enterprise';
      return {
        url: `${base()}/`,
        team: isEnterpriseInstall ? (team.enterprise?.name ?? '') : team.name,
        user: 'switchboard',
        team_id: place.id,
        ...(team.enterprise && { enterprise_id: team.enterprise.id }),
        user_id: bot.userId,
        bot_id: bot.botId,
        app_id: app.id,
        is_enterprise_install: isEnterpriseInstall,
      };
    },
  },
  'auth.teams.list': {
    run: ({ slack, installation }) => ({
      teams: reachOf(slack, installation).map(({ workspace: { team } }) => ({
        id: team.id,
        name: team.name,
      })),
      response_metadata: { next_cursor: '' },
    }),
  },
  'api.test': {
    token: 'none',
    run: (_slack, args) => {
      const error = args.text('error');
      if (error !== undefined) {
        throw new ApiError(error, [], { args: args.values });
      }
      return { args: args.values };
    },
  },
};

/** Slack: oauth.v2.access, for the code of an installation and for a refresh token. */
export const oauth: Methods = {
  'oauth.v2.access': {
    token: 'none',
    run: (slack, args) => {
      checkCredentials(slack, args);
      const { installations } = slack;
      switch (args.text('grant_type') ?? 'authorization_code') {
        case 'authorization_code':
          return granted(slack, installations.exchange(args.text('code') ?? '', args.text('redirect_uri')));
        case 'refresh_token':
          return granted(slack, installations.refresh(args.text('refresh_token') ?? ''));
        default:
          throw new ApiError('invalid_grant_type');
      }
    },
  },
};

/** Throws `invalid_client_id`, `bad_client_secret`. */
function checkCredentials({ oauth: known }: Slack, args: Arguments): void {
  if (known === undefined || args.text('client_id') !== known.clientId) {
    throw new ApiError('invalid_client_id');
  }
  if (args.text('client_secret') !== known.clientSecret) {
    throw new ApiError('bad_client_secret');
  }
}

function granted(slack: Slack, installation: Installation): JsonObject {
  const { place, installedBy, scopes, bot, tokens } = installation;
  const { accessToken, refreshToken } = tokens.at(-1) ?? { accessToken: '' };
  const team = reachOf(slack, installation)[0]?.workspace.team;
  const enterprise = team?.enterprise;
  const isEnterpriseInstall = place.kind === 'enterprise';
  return {
    app_id: app.id,
    authed_user: { id: installedBy },
    scope: scopes.join(','),
    token_type: 'bot',
    access_token: accessToken,
    ...(refreshToken !== undefined && {
      refresh_token: refreshToken,
      expires_in: TOKEN_LIFETIME_SECONDS,
    }),
    bot_user_id: bot.userId,
    team: team && !isEnterpriseInstall ? { id: team.id, name: team.name } : null,
    enterprise: enterprise ? { id: enterprise.id, name: enterprise.name } : null,
    is_enterprise_install: isEnterpriseInstall,
  };
}
