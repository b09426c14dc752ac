import type { HomeView, ModalView, Option } from '@slack/types';
import type { Permission, Role } from '../../domain/access/roles.ts';
import type { SlackMessage } from '../block-kit/message.ts';
import type { Markup } from '../block-kit/text.ts';
import type { FormValues } from '../block-kit/view-state.ts';

/** The user who makes a request, once authorized. */
export interface User {
  workspaceId: string;
  userId: string;
  roles: ReadonlySet<Role>;
  permissions: ReadonlySet<Permission>;
  /** Whether roles may be missing, because Slack did not say who is in a user group. */
  isPartial: boolean;
  /** IANA time zone, or an offset such as `+05:30`. */
  zone: string;
}

/**
 * Replaces the content of an open modal, unless the user has acted in it since. Resolves with false where the content is
 * dropped; a user who has closed the modal usually misses nothing.
 */
export type ReplaceView = (view: ModalView) => Promise<boolean>;

/** Shows a modal. The function it returns replaces the modal's content, once what takes time is available. */
export type ShowModal = (view: ModalView) => Promise<ReplaceView>;

/** A slash command or a message shortcut. */
export interface CommandRequest {
  user: User;
  /** What was typed after the command, or of a shortcut the text of its message, as a reader sees it in Slack. */
  text: string;
  /** Of a shortcut: whether `text` has only the beginning of a file of its message. */
  isCut?: boolean;
  channelId: string;
  /** Of a shortcut: the message that begins the thread of its message, or that message itself. No command has one. */
  threadTs?: string | undefined;
  /** The same when the request is received again, different for any other. It has the epoch of the data, see `withEpoch`. */
  requestId: string;
  /** Shows a message to the user alone, in place of the previous one. */
  reply(message: SlackMessage): Promise<void>;
  open: ShowModal;
}

/**
 * Resolves with the result of `work` if it is available while Slack waits for the acknowledgement; otherwise with
 * undefined.
 */
export type BeforeAckDeadline = <Result>(work: Promise<Result>) => Promise<Result | undefined>;

export interface SubmissionRequest {
  user: User;
  /** The same for all submissions of one view, different for any other. It has the epoch of the data, see `withEpoch`. */
  requestId: string;
  values: FormValues;
  /** The view's private metadata. */
  metadata: unknown;
  /** An error found before the deadline can be shown beside its field; slower work belongs in `background`. */
  beforeAckDeadline: BeforeAckDeadline;
}

/** Errors by the name of a field, which is the id of its block. */
export type FieldErrors = Readonly<Record<string, string | undefined>>;

/** A view that asks again, because what it showed has changed: nothing was done. */
export interface AskAgain {
  view: ModalView;
  ifClosed: Markup;
}

/**
 * What a submitted view becomes. Errors appear beside their fields, which have the names of their blocks.
 *
 * `background` does slow work after the acknowledgement. It may `show` progress, and the view that it returns replaces the
 * shown one. If that view asks for another step, `ifClosed` goes to a user who has closed the modal. If it throws, the user
 * gets the submitted view back with its values, except the blocks in `secrets`. A final UserError shows only its message.
 */
export type SubmissionResponse =
  | { errors: FieldErrors }
  | {
      view: ModalView;
      background?: (show: ReplaceView) => Promise<ModalView | AskAgain | undefined>;
      secrets?: readonly string[];
    };

export interface ActionRequest {
  user: User;
  /** A button's value, or the chosen or typed value of the element. */
  value: string;
  /** The id of the block that the element is in. */
  blockId: string;
  requestId: string;
  /** By Slack's clock: milliseconds since 1970. */
  clickedAt: number;
  /** The channel of the message that the element is in. */
  channelId: string | undefined;
  /** The modal that the element is in. */
  view: ActionView | undefined;
  /** Replaces the message that the element is in. */
  replaceMessage(message: SlackMessage): Promise<void>;
  /** Shows the user a line beside the element: in its modal, or under its message, where only they see it. Not in the Home. */
  showLine(text: Markup): Promise<void>;
  open: ShowModal;
  /** Replaces the modal that the element is in. From a message or the Home, it opens one. */
  show: ShowModal;
  /**
   * Pushes a modal over the one that the element is in; replaces that one where Slack allows no further modal. From a message
   * or the Home, it opens one.
   */
  push: ShowModal;
}

export interface ActionView {
  id: string;
  values: FormValues;
  /** The values, including fields that a choice has removed, for when another choice restores them. */
  rememberedValues(): Promise<FormValues>;
  metadata: unknown;
  /** Replaces the modal's content, unless the user has acted in it since. */
  replace: ReplaceView;
}

export interface ClosedRequest {
  /** Whose modal it was. Not authorized: anyone may close their own modal. */
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
  /** A heading above the options, for what the user should know about them. */
  note?: string | undefined;
}
