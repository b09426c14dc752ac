import { createAsyncCache } from '../../../lib/async-cache.ts';
import type { SlackInstallation } from '../../../store/workspaces/slack-installations.ts';
import type { ProgramContext } from '../../client/slack-context.ts';
import type { RequestPlace } from './request-place.ts';

export type ServingInstallations = ReturnType<typeof createServingInstallations>;

/** In milliseconds: how late another instance's change is noticed where its broadcast is lost. */
const cachedForMs = 5_000;
const maxWorkspaces = 1_000;

/** Finds the installation that serves a workspace: its own, otherwise its enterprise's. */
export function createServingInstallations({
  store: { slackInstallations: installations },
  time: { elapsed },
  broadcast,
}: Pick<ProgramContext, 'store' | 'time' | 'broadcast'>) {
  const cache = createAsyncCache<SlackInstallation | undefined>({
    max: maxWorkspaces,
    ttl: { ms: cachedForMs, elapsed },
  });
  /** Part of each key, so that an answer from before a change is not found after it. */
  let version = 0;

  broadcast.on('installations', () => {
    version += 1;
  });

  /** For work with only a workspace's id. */
  const ofWorkspace = (workspaceId: string) =>
    cache.get(JSON.stringify([version, workspaceId]), async () => {
      const installation = await installations.find(workspaceId);
      if (installation !== undefined) {
        return installation;
      }
      const enterpriseId = await installations.enterpriseOf(workspaceId);
      return enterpriseId === undefined ? undefined : installations.find(enterpriseId);
    });

  return {
    ofWorkspace,

    /** For a request, which also tells the enterprise: it is remembered for the workspace. */
    async ofPlace({ workspaceId, enterpriseId }: RequestPlace): Promise<SlackInstallation | undefined> {
      if (workspaceId === undefined) {
        return enterpriseId === undefined ? undefined : installations.find(enterpriseId);
      }
      const known = await ofWorkspace(workspaceId);
      if (known !== undefined || enterpriseId === undefined) {
        return known;
      }
      const wide = await installations.find(enterpriseId);
      if (wide?.isEnterpriseWide !== true) {
        return undefined;
      }
      await installations.assign(workspaceId, enterpriseId);
      version += 1;
      return wide;
    },

    /** Called when an installation has changed: the next call reads them again. */
    changed(): void {
      version += 1;
      broadcast.send('installations', '');
    },
  };
}
