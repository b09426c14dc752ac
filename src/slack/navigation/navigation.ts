import type { KnownBlock, ModalView } from '@slack/types';
import type { Permission } from '../../domain/access/roles.ts';
import type { AudiencePart } from '../../domain/campaigns/audience.ts';
import type { Route } from '../../domain/messages/routes.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { DraftContent } from '../../services/messages/drafts.ts';
import type { Approval } from '../../store/approvals/approvals.ts';
import type { SlackMessage } from '../block-kit/message.ts';

/** The user a view is made for. */
export interface Viewer {
  workspaceId: string;
  userId: string;
  permissions: ReadonlySet<Permission>;
  /** IANA time zone. */
  zone: string;
}

/** What the form of a message begins with. */
interface MessageStart {
  recipients: string;
  text?: string | undefined;
  route?: Route | undefined;
  senderId?: string;
  /** The sender on the chat route. */
  device?: string;
}

/** What one feature opens of another: each function returns the other feature's view. */
export interface Navigation {
  /** Returns the list of the workspace's templates. */
  templates(viewer: Viewer): Promise<ModalView>;
  /**
   * Returns the form of a message, from the sender and on the route that the viewer used last, unless they are given.
   * `draftId` is the id of the draft it writes, `origin` the channel it is opened from.
   */
  messageForm(
    viewer: Viewer,
    form: MessageStart,
    opening: { draftId: string; origin?: string | undefined },
  ): Promise<ModalView>;
  /**
   * Keeps a message as a draft, and returns its review; where that takes time, by `background`. Of a draft that was sent,
   * its outcome.
   */
  messageReview(
    viewer: Viewer,
    draftId: string,
    content: DraftContent,
  ): Promise<{ view: ModalView; background?: () => Promise<ModalView> }>;
  /** Returns the form of a reply in a thread of a number. `draftId` is the id of the draft it writes. */
  replyForm(
    viewer: Viewer,
    reply: { threadId: string; draftId: string; text?: string | undefined },
  ): Promise<ModalView>;
  /** Looks a number up, and returns its card. `requestId` names the lookup. */
  numberCard(viewer: Viewer, number: PhoneNumber, requestId: string): Promise<ModalView>;
  /** Returns the empty form of a campaign, with the phonebook chosen if one is named. */
  campaignForm(
    viewer: Viewer,
    opening: { requestId: string; origin?: string | undefined; phonebookId?: string | undefined },
  ): Promise<ModalView>;
  /** Returns a request for approval: what is asked for, how it stands, and what the viewer can do. */
  approval(viewer: Viewer, approval: Approval): ModalView;
  /** Returns the list of the viewer's campaigns; an admin sees everyone's. */
  campaigns(viewer: Viewer): Promise<ModalView>;
  /** Returns what the history has of the number that was typed. */
  history(viewer: Viewer, search: { typed: string }): Promise<ModalView>;
  /** Returns the last messages that went to a number, as the viewer may see them. For the viewer alone, as texts are in it. */
  sentTo(viewer: Viewer, number: PhoneNumber): Promise<KnownBlock[]>;
  /** Sends the history as a message for the viewer alone: as a table, which no modal can have. */
  sendHistory(viewer: Viewer, send: (message: SlackMessage) => Promise<void>): Promise<void>;
  /** Returns the suppression list, and whether the number that was typed is on it. */
  suppressionList(viewer: Viewer, search: { typed: string }): Promise<ModalView>;
}

/** What Slackbot’s tools show of other features, as a channel sees it, and draft by them, for the person alone. */
export interface ToolContent {
  checkNumbers(viewer: Viewer, numbers: readonly PhoneNumber[]): Promise<SlackMessage>;
  numberCard(viewer: Viewer, number: PhoneNumber, requestId: string): Promise<SlackMessage>;
  /** Returns how far the campaigns are that have this part in their name. */
  campaignProgress(viewer: Viewer, part: string): Promise<KnownBlock[]>;
  esimStatus(viewer: Viewer, iccid: string): Promise<KnownBlock[]>;
  /** Returns the plans of a country and a type, each with its id. */
  listPlans(viewer: Viewer, text: string): Promise<KnownBlock[]>;
  /** Returns a message with a plan, named by its id or its name, and the button that opens the confirmation of its order. */
  orderDraft(viewer: Viewer, offer: EsimOffer): Promise<SlackMessage>;
  /**
   * Makes a campaign of a template and recipients of another one, both by their names, whose review is posted to the person.
   * Returns what came of it.
   */
  campaignDraft(viewer: Viewer, requestId: string, draft: CampaignDraft): Promise<KnownBlock[]>;
  /** Keeps a draft, and returns its review; of one that is not ready, what is to be chosen in the form first. */
  messageDraft(
    viewer: Viewer,
    draftId: string,
    typed: { recipients: string; text: string; senderId?: string | undefined },
  ): Promise<{ content: SlackMessage; isReady: boolean }>;
}

/** The names of a template and a campaign, and which of its recipients. */
export interface CampaignDraft {
  template: string;
  campaign: string;
  part: AudiencePart;
  /** Of those who answered with it. */
  word?: string | undefined;
}

/** A plan that is listed for a country, to create an eSIM with, or to top up the one with this ICCID. */
export interface EsimOffer {
  country: string;
  plan: string;
  iccid?: string | undefined;
}
