import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isJsonObject, type JsonObject, objectsIn, stringAt } from '../lib/json.ts';
import { Installations } from './installations/installations.ts';
import type { SlackOptions } from './server.ts';
import type { Slack, SlackState } from './slack.ts';
import { Uploads } from './workspace/files.ts';
import { fixtureWorkspaces, team, type WorkspaceFixture } from './workspace/fixtures.ts';
import { ResponseUrls, Triggers } from './workspace/triggers.ts';
import { readSlackState, type SavedSlack, Workspace } from './workspace/workspace.ts';

type Passed = 'manifestPath' | 'botToken' | 'oauth' | 'stateFile' | 'people' | 'channels';

interface OpenSlackOptions extends Pick<SlackOptions, Passed> {
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

/** The parts of an app's manifest that Slack uses. */
export interface Manifest {
  name: string;
  commands: { command: string; description: string; usageHint: string }[];
  shortcuts: { callbackId: string; name: string; type: 'message' | 'global' }[];
  scopes: string[];
  /** Those of the scopes that a person may leave out. */
  optionalScopes: string[];
  tokenRotation: boolean;
  events: string[];
  homeTab: boolean;
}

/** The text that was parsed last: hundreds of workspaces that a process starts have the same. */
let last: { text: string; content: unknown } | undefined;

function parsed(text: string): unknown {
  if (last?.text !== text) {
    last = { text, content: parse(text) };
  }
  return last.content;
}

/** Reads an app manifest (YAML or JSON). Throws for a missing file or one that is not a manifest. */
function readManifest(path: string): Manifest {
  const content = parsed(readFileSync(path, 'utf8'));
  if (!isJsonObject(content)) {
    throw new Error(`${path} is not an app manifest.`);
  }
  const features = part(content, 'features');
  const scopes = part(part(content, 'oauth_config'), 'scopes');
  const settings = part(content, 'settings');
  return {
    name: stringAt(part(content, 'display_information'), 'name') ?? 'App',
    commands: objectsIn(features.slash_commands).map((entry) => ({
      command: stringAt(entry, 'command') ?? '',
      description: stringAt(entry, 'description') ?? '',
      usageHint: stringAt(entry, 'usage_hint') ?? '',
    })),
    shortcuts: objectsIn(features.shortcuts).map((entry) => ({
      callbackId: stringAt(entry, 'callback_id') ?? '',
      name: stringAt(entry, 'name') ?? '',
      type: entry.type === 'message' ? 'message' : 'global',
    })),
    scopes: texts(scopes.bot),
    optionalScopes: texts(scopes.bot_optional),
    tokenRotation: settings.token_rotation_enabled === true,
    events: texts(part(settings, 'event_subscriptions').bot_events),
    homeTab: part(features, 'app_home').home_tab_enabled === true,
  };
}

function part(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
