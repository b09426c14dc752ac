import type { Files } from '../../client/files.ts';
import type { Authorizer } from './authorize.ts';
import { requirePermission } from './require-permission.ts';

/** Shares each file with a user only if they may have it when it is ready: one that took long may be for nobody any more. */
export function guardFiles(files: Files, { authorize }: Pick<Authorizer, 'authorize'>): Files {
  return {
    ...files,
    async share(workspaceId, destination, file) {
      if ('userId' in destination) {
        requirePermission(await authorize(workspaceId, destination.userId), destination.needed);
      }
      await files.share(workspaceId, destination, file);
    },
  };
}
