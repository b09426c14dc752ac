import type { Context } from '../context.ts';
import { createConnections } from './connections.ts';
import { createPreferences } from './preferences.ts';
import { createWorkspaceSettings } from './workspace-settings.ts';

/** What is set for a workspace and its people: the provider's key, defaults, and what each person chose last. */
export type Workspaces = ReturnType<typeof createWorkspaces>;

export function createWorkspaces(
  context: Context,
  {
    onAccountChange,
  }: {
    /** Called when a key was connected or removed: from then on, the account may be another one. */
    onAccountChange: (workspaceId: string) => Promise<void>;
  },
) {
  const { forget: forgetConnection, ...connections } = createConnections(context, { onAccountChange });
  const { forget: forgetSettings, ...settings } = createWorkspaceSettings(context);

  /** Drops what is cached of a workspace, as it was changed or deleted; without one, of all. */
  function forget(workspaceId?: string): void {
    forgetConnection(workspaceId);
    forgetSettings(workspaceId);
  }
  context.broadcast.on('settings', forget);

  return { ...connections, ...settings, ...createPreferences(context), forget };
}
