import { ApiError } from '../../api-error.ts';
import { app, enterprise, team } from '../../workspace/fixtures.ts';
import type { Methods } from '../method.ts';

/** Slack: auth.test, api.test. */
export const auth: Methods = {
  'auth.test': {
    run: ({ base }) => ({
      url: `${base()}/`,
      team: team.name,
      user: 'switchboard',
      team_id: team.id,
      enterprise_id: enterprise.id,
      user_id: app.userId,
      bot_id: app.botId,
      app_id: app.id,
      is_enterprise_install: false,
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
