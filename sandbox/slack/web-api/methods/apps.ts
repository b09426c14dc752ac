import { removeApp } from '../../installations/remove-app.ts';
import type { Methods } from '../method.ts';
import { checkCredentials } from './oauth.ts';

/** Slack: apps.uninstall. */
export const apps: Methods = {
  'apps.uninstall': {
    run: ({ slack, installation }, args) => {
      checkCredentials(slack, args);
      removeApp(slack, installation);
      slack.tellRemoval(installation, ['tokens_revoked', 'app_uninstalled']);
      return {};
    },
  },
};
