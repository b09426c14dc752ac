/**
 * What the sandbox's page and the tests say to the stand-in for Slack, and what it shows them.
 * Blocks and views are held as the plain JSON that the app sent, after they passed Slack's checks.
 */

import type { Json, JsonObject } from '../lib/json.ts';

export interface Person {
  id: string;
  /** The name in a mention, without the @. */
  name: string;
  realName: string;
  role: 'owner' | 'admin' | 'member' | 'guest' | 'stranger';
  /** The person's home: for a stranger a workspace of another organisation, for some another one of the enterprise. */
  teamId: string;
  timeZone: string;
}

export interface SandboxChannel {
  id: string;
  name: string;
  kind: 'public' | 'private' | 'dm';
  archived: boolean;
  /** Ids of people; `botIsMember` tells of the app. */
  members: string[];
  botIsMember: boolean;
}

export interface SandboxMessage {
  ts: string;
  channel: string;
  /** A person's id, or 'app'. */
  from: string;
  text: string;
  blocks: JsonObject[];
  threadTs?: string;
  /** Set on an ephemeral message: the one person who sees it. */
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
  /** Exactly as the app sent it. */
  view: JsonObject;
  /** What is filled in so far, as Slack's `view.state.values`. */
  values: ViewValues;
  /** The app's `response_action: errors`, by block id. */
  errors: Record<string, string>;
  /** Set after a submission that the app did not answer in time or answered wrongly. */
  trouble?: string;
}

/** `values[block_id][action_id]` is the element's state in Slack's own shape. */
export type ViewValues = Record<string, Record<string, JsonObject>>;

/** Everything one person can see, for the page. */
export interface Snapshot {
  team: { id: string; name: string };
  me: Person;
  people: Person[];
  channels: SandboxChannel[];
  /** Of all channels the person is in, oldest first; ephemeral ones only if they are for the person. */
  messages: SandboxMessage[];
  /** The person's stack of modals, the top one last. */
  modals: OpenView[];
  home?: OpenView;
  commands: { command: string; description: string; usageHint: string }[];
  shortcuts: { callbackId: string; name: string; type: 'message' | 'global' }[];
  /** Short notices to the person, such as Slack's "/sms failed with the error dispatch_failed". */
  notices: { id: string; text: string; at: string }[];
}

/** Where a block action happens. */
export type Container = { type: 'message'; channel: string; ts: string } | { type: 'view'; viewId: string };

/** What a person does. Sent by the page as `POST /sandbox/actions`, called directly by tests. */
export type UserAction =
  | { do: 'command'; person: string; channel: string; command: string; text: string }
  | { do: 'message'; person: string; channel: string; text: string; threadTs?: string }
  /** `state` is the element's new state in Slack's shape, e.g. {type:'plain_text_input', value:'x'}; a button needs none. */
  | {
      do: 'action';
      person: string;
      container: Container;
      blockId: string;
      actionId: string;
      state?: JsonObject;
    }
  /** Sets an input's value without telling the app (no dispatch_action). */
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
  | { do: 'home'; person: string };

/**
 * How a action went: `status` is the app's HTTP status (200 over a socket), `answer` what it acknowledged with,
 * `trouble` Slack's words when it did not answer in time or wrongly.
 */
export interface UserActionResult {
  status: number;
  answer: Json;
  milliseconds: number;
  trouble?: string;
}
