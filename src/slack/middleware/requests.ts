import type { HomeView, ModalView, Option } from '@slack/types';
import type { SlackMessage } from '../block-kit/message.ts';
import type { FormValues } from '../block-kit/view-state.ts';
import type { Role } from './authorization/authorize.ts';
import type { BeforeAckDeadline } from './router/ack-deadline.ts';

/** Who asks, after it was made sure that they may. */
export interface User {
  workspaceId: string;
  userId: string;
  role: Role;
  /** Their time zone (IANA). */
  zone: string;
}

/**
 * Shows another view in place of one that is open, unless the person has done something in that one since. False: it is
 * not shown; who closed a view meanwhile usually misses nothing.
 */
export type ReplaceView = (view: ModalView) => Promise<boolean>;

/** A command, or a shortcut in the menu of a message. */
export interface CommandRequest {
  user: User;
  /** What was typed after the command, untouched; of a shortcut, what a reader sees of its message. */
  text: string;
  channelId: string;
  /** The same for the same request received again, different for any other. It has the epoch of the data, see `keyIn`. */
  requestId: string;
  /** Shows a message to the person alone, in place of the one shown before. */
  reply(message: SlackMessage): Promise<void>;
  /** Opens a modal. What it gives replaces the modal's content, once what takes time is there. */
  open(view: ModalView): Promise<ReplaceView>;
}

export interface SubmissionRequest {
  user: User;
  /** The same for all submissions of one view, different for any other. It has the epoch of the data, see `keyIn`. */
  requestId: string;
  values: FormValues;
  /** The view's private metadata. */
  metadata: unknown;
  /** What is there soon may stand beside its field; what is not is for `afterwards`. */
  beforeAckDeadline: BeforeAckDeadline;
}

/**
 * What a submitted view becomes. Errors stand beside their fields, by block id. `afterwards` is for what can be slow:
 * it starts once Slack has its answer, may `show` its progress, and the view it gives, if any, replaces the one shown.
 * Where it throws, the person gets the submitted view back as they filled it in, but for `secrets`: the blocks of what
 * is never shown again. Of a Refusal that is final they get the words alone.
 */
export type SubmissionResponse =
  | { errors: Record<string, string> }
  | {
      view: ModalView;
      background?: (show: ReplaceView) => Promise<ModalView | undefined>;
      secrets?: readonly string[];
    };

export interface ActionRequest {
  user: User;
  /** A button's value, or what was chosen or typed in the element. */
  value: string;
  requestId: string;
  /** The channel of the message that the element is in. */
  channelId: string | undefined;
  /** The modal that the element is in. */
  view: ActionView | undefined;
  /** Replaces the message that the element is in. */
  replaceMessage(message: SlackMessage): Promise<void>;
  /** Opens a modal. What it gives replaces the modal's content, once what takes time is there. */
  open(view: ModalView): Promise<ReplaceView>;
  /** Lays a modal over the one that the element is in; where Slack has no room for another, in its place. */
  push(view: ModalView): Promise<ReplaceView>;
}

export interface ActionView {
  id: string;
  values: FormValues;
  /** The values, and those of fields that a choice took away, for when another one brings them back. */
  rememberedValues(): FormValues;
  metadata: unknown;
  /** Replaces the modal, unless the person has done something else in it since: then that has its own answer. */
  replace(view: ModalView): Promise<boolean>;
}

export interface ClosedRequest {
  /** Whose modal it was. What they may do now does not matter. */
  user: Pick<User, 'workspaceId' | 'userId'>;
  /** The view's private metadata. */
  metadata: unknown;
}

export interface HomeRequest {
  user: User;
  publish(view: HomeView): Promise<void>;
}

export interface OptionsRequest {
  user: User;
  query: string;
}

export interface OptionsResponse {
  options: Option[];
  /** A heading over the options, for what the person should know of them. */
  note?: string;
}

/**
 * Where features hear what people do. Each request is acknowledged before anything that can be slow, its person is
 * turned away unless they may, and whatever a handler throws is told to the person in the place where they are.
 */
export interface Router {
  command(name: string, handle: (call: CommandRequest) => Promise<void>, help: () => SlackMessage): void;
  submission(callbackId: string, handle: (call: SubmissionRequest) => Promise<SubmissionResponse>): void;
  action(actionId: string, handle: (call: ActionRequest) => Promise<void>): void;
  options(actionId: string, handle: (call: OptionsRequest) => Promise<OptionsResponse>): void;
  /** A shortcut in the menu of a message. */
  shortcut(callbackId: string, handle: (call: CommandRequest) => Promise<void>): void;
  /** A person closes a modal that was made with `notifyOnClose`: anybody may, and nothing can be shown to them there. */
  closed(callbackId: string, handle: (call: ClosedRequest) => Promise<void>): void;
  /** A person opens the app's Home. */
  home(handle: (call: HomeRequest) => Promise<void>): void;
  /** Resolves when every request taken so far is done with. */
  settled(): Promise<void>;
}
