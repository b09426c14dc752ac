import { ApiError } from '../../api-error.ts';
import { reachOf } from '../../slack.ts';
import { app } from '../../workspace/fixtures.ts';
import type { Methods } from '../method.ts';

/** Slack: auth.test, auth.teams.list, auth.revoke, api.test. */
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
  'auth.revoke': {
    run: ({ slack, installation }, args) => {
      if (args.flag('test')) {
        return { revoked: false };
      }
      slack.installations.revoke(installation);
      slack.tellRemoval(installation, ['tokens_revoked']);
      return { revoked: true };
    },
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
