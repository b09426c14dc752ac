import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject, objectsIn, parseJsonText } from '../../lib/json.ts';
import type { Installation } from '../installations/installations.ts';
import type {
  OpenView,
  Person,
  SandboxChannel,
  SandboxMessage,
  Snapshot,
  UserGroup,
  ViewValues,
} from '../protocol.ts';
import type { BotUser, Team, WorkspaceFixture } from './fixtures.ts';

/** An open view with its person and the channel that it was opened from. */
export interface HeldView extends OpenView {
  person: string;
  channel?: string;
}

export interface StoredFile {
  id: string;
  /** The id of a person, or 'app'. */
  owner: string;
  name: string;
  title: string;
  mimeType: string;
  /** The content in base64, which the state file can hold. */
  content: string;
  createdAt: string;
  /** The ids of the channels that it was shared in. */
  channels: string[];
}

type Notice = Snapshot['notices'][number];

/** What a restart keeps: everything except open modals and notices. */
interface WorkspaceState {
  channels: SandboxChannel[];
  messages: SandboxMessage[];
  homes: HeldView[];
  files: StoredFile[];
  lastTime: number;
}

const MAX_NOTICES = 20;

/** A workspace: people, channels, messages, views and files. Calls `onChange` on each change. */
export class Workspace {
  readonly team: Team;
  readonly people: Person[];
  readonly userGroups: UserGroup[];
  /** The app's user under an installation of this workspace alone. */
  readonly ownBot: BotUser;
  readonly channels: SandboxChannel[];
  readonly messages: SandboxMessage[];
  /** The modal stack of each person, the top one last. */
  readonly modals = new Map<string, HeldView[]>();
  readonly homes = new Map<string, HeldView>();
  readonly files: StoredFile[];
  readonly notices = new Map<string, Notice[]>();
  /** The state of the inputs in messages, by channel, ts and person. */
  readonly messageValues = new Map<string, ViewValues>();
  /** The types of blocks that Slack does not know in messages here, as before a roll-out. */
  readonly unknownBlocks = new Set<string>();
  readonly #installed: (team: Team) => Installation | undefined;
  readonly #clock: () => Date;
  readonly #onChange: () => void;
  #lastTime: number;
  #byId: ReadonlyMap<string, Person> = new Map();

  constructor(options: {
    fixture: WorkspaceFixture;
    /** Returns the installation of the app that serves the workspace. */
    installed: (team: Team) => Installation | undefined;
    clock: () => Date;
    onChange: () => void;
    state: WorkspaceState | undefined;
  }) {
    const { fixture, installed, clock, onChange, state } = options;
    this.#installed = installed;
    this.#clock = clock;
    this.#onChange = onChange;
    this.ownBot = fixture.bot;
    this.team = fixture.team;
    this.people = fixture.people;
    this.userGroups = fixture.userGroups;
    this.channels = state?.channels ?? fixture.channels;
    this.messages = state?.messages ?? [];
    this.files = state?.files ?? [];
    this.#lastTime = state?.lastTime ?? 0;
    for (const home of state?.homes ?? []) {
      this.homes.set(home.person, home);
    }
  }

  /** The installation of the app that serves the workspace. */
  get installation(): Installation | undefined {
    return this.#installed(this.team);
  }

  /** The app's user here. */
  get bot(): BotUser {
    return this.installation?.bot ?? this.ownBot;
  }

  get state(): WorkspaceState {
    return {
      channels: this.channels,
      messages: this.messages,
      homes: [...this.homes.values()],
      files: this.files,
      lastTime: this.#lastTime,
    };
  }

  changed(): void {
    this.#onChange();
  }

  now(): Date {
    return this.#clock();
  }

  /** Returns a unique timestamp in Slack's form: seconds with six decimals. */
  timestamp(): string {
    this.#lastTime = Math.max(this.#clock().getTime() * 1000, this.#lastTime + 1);
    const digits = String(this.#lastTime).padStart(7, '0');
    return `${digits.slice(0, -6)}.${digits.slice(-6)}`;
  }

  /** Creates an id in Slack's form, such as `V0A1B2C3D4E5`. */
  id(prefix: string): string {
    return `${prefix}0${randomBytes(5).toString('hex').toUpperCase()}`;
  }

  person(id: string | undefined): Person | undefined {
    if (this.#byId.size !== this.people.length) {
      this.#byId = new Map(this.people.map((person) => [person.id, person]));
    }
    return id === undefined ? undefined : this.#byId.get(id);
  }

  channel(id: string | undefined): SandboxChannel | undefined {
    return this.channels.find((channel) => channel.id === id);
  }

  /** Returns the direct messages of a person with the app. Opens them if needed. */
  directMessagesOf(person: string): SandboxChannel {
    const known = this.channels.find((channel) => channel.kind === 'dm' && channel.members[0] === person);
    if (known) {
      return known;
    }
    const isHome = this.person(person)?.teamId === this.team.id;
    const opened: SandboxChannel = {
      id: `D${person.slice(1)}${isHome ? '' : `AT${this.team.id.slice(2)}`}`,
      name: '',
      kind: 'dm',
      archived: false,
      members: [person],
      botIsMember: true,
    };
    this.channels.push(opened);
    this.changed();
    return opened;
  }

  post(draft: Omit<SandboxMessage, 'ts'>): SandboxMessage {
    const message = { ...draft, ts: this.timestamp() };
    this.messages.push(message);
    this.changed();
    return message;
  }

  message(channel: string | undefined, ts: string | undefined): SandboxMessage | undefined {
    return this.messages.find((message) => message.channel === channel && message.ts === ts);
  }

  /** Replaces the content of a message. */
  rewrite(message: SandboxMessage, content: { text: string; blocks: JsonObject[] }): void {
    message.text = content.text;
    message.blocks = content.blocks;
    message.editedAt = this.#clock().toISOString();
    this.changed();
  }

  remove(message: SandboxMessage): void {
    const index = this.messages.indexOf(message);
    if (index >= 0) {
      this.messages.splice(index, 1);
    }
    this.changed();
  }

  /** Removes the messages from before a time and returns them. */
  expire(before: Date): SandboxMessage[] {
    const firstKept = this.messages.findIndex(({ ts }) => Number(ts) * 1000 >= before.getTime());
    const expired = this.messages.splice(0, firstKept < 0 ? this.messages.length : firstKept);
    this.changed();
    return expired;
  }

  file(id: string): StoredFile | undefined {
    return this.files.find((file) => file.id === id);
  }

  stackOf(person: string): HeldView[] {
    return this.modals.get(person) ?? [];
  }

  notify(person: string, text: string): void {
    const notice = { id: this.id('N'), text, at: this.#clock().toISOString() };
    this.notices.set(person, [...(this.notices.get(person) ?? []), notice].slice(-MAX_NOTICES));
    this.changed();
  }
}

/** What a restart keeps. */
export interface SavedSlack {
  /** By the id of the workspace. */
  workspaces: Record<string, WorkspaceState>;
  installations: Installation[];
}

/** Reads what an earlier run saved. Returns an empty state when there is none or it cannot be read. */
export function readSlackState(path: string): SavedSlack {
  const empty = { workspaces: {}, installations: [] };
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return empty;
  }
  const saved = parseJsonText(text);
  return isSavedSlack(saved) ? saved : empty;
}

function isSavedSlack(saved: unknown): saved is SavedSlack {
  return (
    isJsonObject(saved) &&
    isJsonObject(saved.workspaces) &&
    Object.values(saved.workspaces).every(isWorkspaceState) &&
    Array.isArray(saved.installations) &&
    objectsIn(saved.installations).every(({ place, tokens }) => isJsonObject(place) && Array.isArray(tokens))
  );
}

function isWorkspaceState(state: unknown): state is WorkspaceState {
  const lists = ['channels', 'messages', 'homes', 'files'];
  return (
    isJsonObject(state) &&
    lists.every((key) => Array.isArray(state[key])) &&
    typeof state.lastTime === 'number'
  );
}
