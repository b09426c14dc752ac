import type { WebClientOptions } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import { isShutOut } from '../../../../store/slack-installations/installation-record.ts';
import { NotInstalledError, type WorkspaceClients } from '../../../client/workspace-clients.ts';
import type { BotTokens } from './bot-tokens.ts';
import { WatchedClient } from './watched-client.ts';

const maxClients = 1_000;

/** A client for each workspace, with the token that its installation has now. None where Slack refuses that. */
export function createInstalledClients(options: {
  tokens: BotTokens;
  clientOptions: WebClientOptions;
  /** Called with the owner of an installation whose token Slack does not accept, or not in one of its workspaces. */
  onRefused: (ownerId: string) => void;
}): WorkspaceClients {
  const { tokens, clientOptions, onRefused } = options;
  const clients = new LRUCache<string, WatchedClient>({ max: maxClients });
  return {
    async for(workspaceId) {
      const installation = await tokens.of(workspaceId);
      if (isShutOut(installation, workspaceId)) {
        throw new NotInstalledError();
      }
      const { token, isEnterpriseWide, ownerId } = installation;
      const known = clients.get(workspaceId);
      if (known?.token === token) {
        return known;
      }
      // The token of an enterprise is for all its workspaces: each call says for which one.
      const team = isEnterpriseWide && workspaceId !== ownerId ? { teamId: workspaceId } : {};
      const client = new WatchedClient(token, { ...clientOptions, ...team }, () => onRefused(ownerId));
      clients.set(workspaceId, client);
      return client;
    },
  };
}
