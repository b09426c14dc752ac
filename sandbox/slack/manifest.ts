import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { isJsonObject, type JsonObject, objectsIn, stringAt } from '../lib/json.ts';

/** The parts of an app's manifest that Slack uses. */
export interface Manifest {
  name: string;
  commands: { command: string; description: string; usageHint: string }[];
  shortcuts: { callbackId: string; name: string; type: 'message' | 'global' }[];
  scopes: string[];
  /** The scopes that a person may leave out. */
  optionalScopes: string[];
  tokenRotation: boolean;
  events: string[];
  homeTab: boolean;
  /** Whether people can’t write in their conversation with the app. */
  readOnlyMessages: boolean;
}

/** The last text that was parsed: a process starts hundreds of workspaces with the same manifest. */
let last: { text: string; content: unknown } | undefined;

function parsed(text: string): unknown {
  if (last?.text !== text) {
    last = { text, content: parse(text) };
  }
  return last.content;
}

/** Reads an app manifest (YAML or JSON). Throws if the file is missing or isn't a manifest. */
export function readManifest(path: string): Manifest {
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
    readOnlyMessages: part(features, 'app_home').messages_tab_read_only_enabled === true,
  };
}

function part(object: JsonObject, key: string): JsonObject {
  const value = object[key];
  return isJsonObject(value) ? value : {};
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
