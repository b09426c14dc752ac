/**
 * The protocol between the sandbox's Slack and its users, the page and the tests. Blocks and views are the plain JSON
 * that the app sent, after Slack's checks.
 */

import type { Json, JsonObject } from '../lib/json.ts';

export interface Person {
  id: string;
  /** The name in mentions, without the @. */
  name: string;
  realName: string;
  role: 'owner' | 'admin' | 'member' | 'guest' | 'stranger';
  /** The home workspace: for a stranger of another organisation, for some people another one of the enterprise. */
  teamId: string;
  /** The IANA name. For a person of whom Slack knows the offset alone, that, such as `+05:30`. */
  timeZone: string;
  isEnterpriseAdmin?: boolean;
  isBot?: boolean;
  /** An account that was deactivated. */
  deactivated?: boolean;
}

/** People who are addressed together, such as `@campaigners`. Slack: user groups. */
export interface UserGroup {
  id: string;
  /** The name in mentions, without the @. */
  handle: string;
  name: string;
  /** The ids of people. */
  users: string[];
  disabled?: boolean;
}

export interface SandboxChannel {
  id: string;
  name: string;
  kind: 'public' | 'private' | 'dm';
  archived: boolean;
  /** The ids of people. For the app see `botIsMember`. */
  members: string[];
  botIsMember: boolean;
}

export interface SandboxMessage {
  ts: string;
  channel: string;
  /** The id of a person, or 'app'. */
  from: string;
  text: string;
  blocks: JsonObject[];
  threadTs?: string;
  /** Whether the channel sees a reply in a thread too. */
  isBroadcast?: boolean;
  /** The only person who sees an ephemeral message. */
  onlyFor?: string;
  editedAt?: string;
  files?: { id: string; name: string; mimeType: string; url: string }[];
}

export interface OpenView {
  id: string;
  rootId: string;
  previousId?: string;
  type: 'modal' | 'home';
  hash: string;
  /** As the app sent it. */
  view: JsonObject;
  /** The state of the inputs, as Slack's `view.state.values`. */
  values: ViewValues;
  /** The app's `response_action: errors`, by block id. */
  errors: Record<string, string>;
  /** The message after a submission that the app answered late or wrongly. */
  trouble?: string;
}

/** `values[block_id][action_id]` is the state of an element in Slack's shape. */
export type ViewValues = Record<string, Record<string, JsonObject>>;

/** Everything that one person sees, for the page. */
export interface Snapshot {
  team: { id: string; name: string };
  me: Person;
  people: Person[];
  /** Those that the person has joined. */
  channels: SandboxChannel[];
  /** The public channels that the person has not joined: texts can mention them. */
  otherChannels: { id: string; name: string }[];
  /** Of the person's channels, the oldest first, with the ephemeral messages for the person. */
  messages: SandboxMessage[];
  /** The person's modal stack, the top one last. */
  modals: OpenView[];
  home?: OpenView;
  commands: { command: string; description: string; usageHint: string }[];
  shortcuts: { callbackId: string; name: string; type: 'message' | 'global' }[];
  /** Slack's notices to the person, such as "/sms failed with the error dispatch_failed". */
  notices: { id: string; text: string; at: string }[];
  /** What the app is installed in that serves this workspace: itself, or its enterprise. */
  installation?: { id: string; name: string };
  /** The workspaces in which the app can be installed by OAuth. None without OAuth. */
  workspaces: WorkspaceLink[];
}

/** A workspace to switch to. */
export interface WorkspaceLink {
  id: string;
  name: string;
  enterprise?: string;
  /** Who one is there: the same person if they are in it, else its first administrator. */
  person: string;
}

/** The message or view of a block action. */
export type Container = { type: 'message'; channel: string; ts: string } | { type: 'view'; viewId: string };

/**
 * An action of a person. Sent by the page as `POST /sandbox/actions`, performed directly by tests. `team` is the workspace
 * in which a person of several ones acts: by default the one of the channel or view, else the first.
 */
export type UserAction = { team?: string } & (
  | { do: 'command'; person: string; channel: string; command: string; text: string }
  | { do: 'message'; person: string; channel: string; text: string; threadTs?: string }
  /** `state` is the new state in Slack's shape, such as {type:'plain_text_input', value:'x'}. None for a button. */
  | {
      do: 'action';
      person: string;
      container: Container;
      blockId: string;
      actionId: string;
      state?: JsonObject;
    }
  /** Sets the state of an input without dispatch_action, which the app does not see. */
  | { do: 'fill'; person: string; viewId: string; blockId: string; actionId: string; state: JsonObject }
  | { do: 'submit'; person: string; viewId: string }
  | { do: 'close'; person: string; viewId: string; all?: boolean }
  | { do: 'options'; person: string; container: Container; blockId: string; actionId: string; query: string }
  | {
      do: 'shortcut';
      person: string;
      callbackId: string;
      message?: { channel: string; ts: string };
      channel?: string;
    }
  | { do: 'home'; person: string }
  /** Slackbot lists the tools of the app, or uses one with what the person gave. The answer is that of the app. */
  | { do: 'tools'; person: string }
  | { do: 'tool'; person: string; tool: string; input: JsonObject }
);

/**
 * The result of an action: the app's HTTP status (200 over a socket, 0 without a request), its acknowledgement, and
 * Slack's message when the app answered late or wrongly.
 */
export interface UserActionResult {
  status: number;
  answer: Json;
  milliseconds: number;
  trouble?: string;
}
