import { Installations } from './installations/installations.ts';
import { readManifest } from './manifest.ts';
import type { Person, SandboxChannel } from './protocol.ts';
import type { OAuthApp, Slack, SlackState } from './slack.ts';
import { Uploads } from './workspace/files.ts';
import { fixtureWorkspaces, type WorkspaceFixture } from './workspace/fixture-workspaces.ts';
import { team } from './workspace/fixtures.ts';
import { ResponseUrls } from './workspace/response-urls.ts';
import { readSlackState, type SavedSlack } from './workspace/state-file.ts';
import { Triggers } from './workspace/triggers.ts';
import { Workspace } from './workspace/workspace.ts';

export interface OpenSlackOptions {
  clock: () => Date;
  manifestPath: string;
  botToken: string | undefined;
  oauth: OAuthApp | undefined;
  stateFile: string | undefined;
  /** People and channels of the first workspace besides those of the fixtures. */
  people: readonly Person[];
  channels: readonly SandboxChannel[];
  /** How long a trigger lives, in milliseconds. */
  ackTimeoutMs: number;
  base: () => string;
  onChange: () => void;
  tellRemoval: Slack['tellRemoval'];
}

/** Creates the workspaces from the fixtures and from what an earlier run saved. */
export function openSlack(options: OpenSlackOptions): Slack {
  const { clock, botToken, oauth, stateFile, base, onChange, tellRemoval } = options;
  const saved: SavedSlack =
    stateFile === undefined ? { workspaces: {}, installations: [] } : readSlackState(stateFile);
  const manifest = readManifest(options.manifestPath);
  const installations = new Installations({
    clock,
    tokenRotation: oauth?.tokenRotation ?? manifest.tokenRotation,
    onChange,
    saved: saved.installations,
  });
  const open = (fixture: WorkspaceFixture): SlackState => {
    const workspace = new Workspace({
      fixture,
      installed: (of) => installations.covering(of),
      clock,
      onChange,
      state: saved.workspaces[fixture.team.id],
    });
    if (fixture.team.id === team.id) {
      workspace.people.push(...options.people);
      workspace.channels.push(...options.channels);
    }
    return {
      workspace,
      triggers: new Triggers(clock, options.ackTimeoutMs),
      responseUrls: new ResponseUrls(workspace, base),
      uploads: new Uploads(),
      manifest,
      offers: new Map(),
      base,
    };
  };
  const workspaces = fixtureWorkspaces().map(open);
  const first = workspaces[0]?.workspace;
  if (botToken !== undefined && first) {
    const { scopes } = manifest;
    const place = { kind: 'workspace' as const, id: first.team.id };
    installations.addFixed({ place, installedBy: 'U0ADMIN', scopes, bot: first.ownBot }, botToken);
  }
  return {
    workspaces,
    addWorkspace: (fixture) => void workspaces.push(open(fixture)),
    installations,
    manifest,
    oauth,
    now: clock,
    base,
    tellRemoval,
  };
}

/** Returns what a restart keeps, for the state file. */
export function savedState({ workspaces, installations }: Slack): SavedSlack {
  return {
    workspaces: Object.fromEntries(workspaces.map(({ workspace }) => [workspace.team.id, workspace.state])),
    installations: installations.saved,
  };
}
