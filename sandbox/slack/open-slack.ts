import { Installations } from './installations/installations.ts';
import { readManifest } from './manifest.ts';
import type { Person, SandboxChannel } from './protocol.ts';
import type { OAuthApp, Slack, SlackState } from './slack.ts';
import { Uploads } from './workspace/files.ts';
import { fixtureWorkspaces, team, type WorkspaceFixture } from './workspace/fixtures.ts';
import { ResponseUrls, Triggers } from './workspace/triggers.ts';
import { readSlackState, type SavedSlack, Workspace } from './workspace/workspace.ts';

/** The workspaces to create, and the app in them. */
export interface SlackContent {
  /** The app's manifest.yml: commands, shortcuts, scopes, events. */
  manifestPath: string;
  /** Installs the app in the first workspace, with all scopes of the manifest and this token. */
  botToken?: string;
  /** Lets people install the app in all workspaces, and in the enterprise. */
  oauth?: OAuthApp;
  /** The file that keeps the workspace between runs. None by default. */
  stateFile?: string;
  /** People and channels to add to the fixtures of the first workspace. */
  people?: readonly Person[];
  channels?: readonly SandboxChannel[];
}

interface OpenSlackOptions extends SlackContent {
  clock: () => Date;
  ackTimeoutMs: number;
  base: () => string;
  onChange: () => void;
}

/** Creates the workspaces from the fixtures and from what an earlier run saved. */
export function openSlack(options: OpenSlackOptions): Slack {
  const { clock, botToken, oauth, stateFile, base, onChange } = options;
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
      workspace.people.push(...(options.people ?? []));
      workspace.channels.push(...(options.channels ?? []));
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
  };
}

/** Returns what a restart keeps, for the state file. */
export function savedState({ workspaces, installations }: Slack): SavedSlack {
  return {
    workspaces: Object.fromEntries(workspaces.map(({ workspace }) => [workspace.team.id, workspace.state])),
    installations: installations.saved,
  };
}
