import { App, type AuthorizeSourceData, type Logger, type Receiver } from '@slack/bolt';
import type { WebClientOptions } from '@slack/web-api';
import type { Log } from '../../lib/log.ts';
import type { Secret } from '../../lib/secret.ts';
import type { Identity } from './identity.ts';

/** Bolt's app for the one workspace that the bot token belongs to. */
export function createBoltApp(options: {
  receiver: Receiver;
  botToken: Secret;
  identity: () => Promise<Identity>;
  clientOptions: WebClientOptions;
  logger: Logger;
  log: Log;
}): App {
  const { receiver, botToken, identity, clientOptions, logger, log } = options;
  const app = new App({
    receiver,
    logger,
    clientOptions,
    convoStore: false,
    authorize: async (source) => {
      const own = await identity();
      if (!isForWorkspace(own, source)) {
        throw new Error('a request from another workspace');
      }
      const { teamId, botId, botUserId } = own;
      return { botToken: botToken.reveal(), botId, botUserId, teamId };
    },
  });
  app.error(async (error) => log.warn({ err: error }, 'a request was not handled'));
  return app;
}

/**
 * Whether a request is for this workspace. A request may name an Enterprise Grid organisation in place of a workspace;
 * the workspace Bolt reads is then the user's, and the authorizer decides whether that user belongs here.
 */
function isForWorkspace(
  own: Identity,
  { teamId, enterpriseId, isEnterpriseInstall }: AuthorizeSourceData<boolean>,
): boolean {
  const isForOrganisation =
    isEnterpriseInstall && own.enterpriseId !== undefined && enterpriseId === own.enterpriseId;
  return teamId === own.teamId || isForOrganisation;
}
