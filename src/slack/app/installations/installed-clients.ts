import { WebClient, type WebClientOptions } from '@slack/web-api';
import { LRUCache } from 'lru-cache';
import type { WorkspaceClients } from '../../client/workspace-clients.ts';
import type { BotTokens } from './tokens.ts';

const maxClients = 1_000;

/** A client for each workspace, with the token that its installation has now. */
export function createInstalledClients(options: {
  tokens: BotTokens;
  clientOptions: WebClientOptions;
}): WorkspaceClients {
  const { tokens, clientOptions } = options;
  const clients = new LRUCache<string, WebClient>({ max: maxClients });
  return {
    async for(workspaceId) {
      const { token, isEnterpriseWide, ownerId } = await tokens.of(workspaceId);
      const known = clients.get(workspaceId);
      if (known?.token === token) {
        return known;
      }
      // The token of an enterprise is for all its workspaces: each call says for which one.
      const team = isEnterpriseWide && workspaceId !== ownerId ? { teamId: workspaceId } : {};
      const client = new WebClient(token, { ...clientOptions, ...team });
      clients.set(workspaceId, client);
      return client;
    },
  };
}
