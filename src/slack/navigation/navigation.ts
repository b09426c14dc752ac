import type { KnownBlock, ModalView } from '@slack/types';
import type { Permission, Role } from '../../domain/access/roles.ts';
import type { AudiencePart } from '../../domain/campaigns/audience.ts';
import type { Route } from '../../domain/messages/routes.ts';
import type { PhoneNumber } from '../../domain/phone/phone-number.ts';
import type { DraftContent } from '../../services/messages/drafts.ts';
import type { Approval } from '../../store/approvals/approvals.ts';
import type { DestinationChoice } from '../block-kit/inputs/destination-input.ts';
import type { SlackMessage } from '../block-kit/message.ts';
import type { Markup } from '../block-kit/text.ts';

/** The user a view is made for. */
export interface Viewer {
  workspaceId: string;
  userId: string;
  permissions: ReadonlySet<Permission>;
  /** IANA time zone, or an offset such as `+05:30`. */
  zone: string;
}

/** What the form of a message begins with. */
interface MessageStart {
  recipients: string;
  text?: string | undefined;
  /** Whether it is sent without accents. */
  withoutAccents?: boolean;
  route?: Route | undefined;
  senderId?: string;
  /** The sender on the chat route. */
  device?: string;
  /** Whether it is for later, and where its result is shown. */
  timing?: 'later';
  destination?: DestinationChoice;
}

/** A message for later that is a draft: as a campaign, of this version. */
export interface ScheduledDraft {
  id: string;
  version: string;
}

/** What was written in the form of a message for later, with the numbers that its recipients are. */
export interface MessageForLater {
  recipients: string;
  text: string;
  withoutAccents: boolean;
  route: Route;
  senderId?: string | undefined;
  device?: string | undefined;
  destination: DestinationChoice;
}

/** What one feature opens of another: each function returns the other feature's view. */
export interface Navigation {
  /** Returns the list of the workspace's templates. */
  templates(viewer: Viewer): Promise<ModalView>;
  /**
   * Returns the form of a message, from the sender and on the route that the viewer used last, unless they are given.
   * `draftId` is the id of the draft it writes, `origin` the channel it is opened from, `scheduled` the draft that it changes.
   */
  messageForm(
    viewer: Viewer,
    form: MessageStart,
    opening: { draftId: string; origin?: string | undefined; scheduled?: ScheduledDraft | undefined },
  ): Promise<ModalView>;
  /** Keeps a message for later as a draft, and returns its review, where its time is chosen; or faults by field. */
  scheduleMessage(
    viewer: Viewer,
    message: MessageForLater,
    opening: {
      draft: { id: string; version?: string | undefined };
      origin?: string | undefined;
      /** Resolves with undefined where Slack cannot wait for it. */
      beforeAckDeadline<Result>(work: Promise<Result>): Promise<Result | undefined>;
    },
  ): Promise<
    | { faults: Readonly<Partial<Record<'recipients' | 'text' | 'route' | 'senderId' | 'device', string>>> }
    | {
        view: ModalView;
        background?: (
          show: (view: ModalView) => Promise<boolean>,
        ) => Promise<ModalView | { view: ModalView; ifClosed: Markup } | undefined>;
      }
  >;
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
    reply: { threadId: string; draftId: string; text?: string; withoutAccents?: boolean },
  ): Promise<ModalView>;
  /** Looks a number up, and returns its card. `requestId` names the lookup. */
  numberCard(viewer: Viewer, number: PhoneNumber, requestId: string): Promise<ModalView>;
  /** Returns the empty form of a campaign, with the phonebook chosen if one is named. */
  campaignForm(
    viewer: Viewer,
    opening: { requestId: string; origin?: string | undefined; phonebookId?: string | undefined },
  ): Promise<ModalView>;
  /** Returns a request for approval: its content, its state, and what the viewer can do. */
  approval(viewer: Viewer, approval: Approval): ModalView;
  /** Returns the list of the viewer's campaigns; an admin sees everyone's. */
  campaigns(viewer: Viewer): Promise<ModalView>;
  /** Returns the history, or the conversation with the number that was typed. */
  history(viewer: Viewer, search: { typed: string }): Promise<ModalView>;
  /** Returns the last messages to and from a number, as the viewer may see them. For the viewer alone, as texts are in it. */
  conversation(viewer: Viewer, number: PhoneNumber): Promise<KnownBlock[]>;
  /** Shows a person their Home again, after something on it has changed. Never rejects. */
  refreshHome(viewer: Viewer & { roles: ReadonlySet<Role> }): Promise<undefined>;
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
   * Returns blocks about the result.
   */
  campaignDraft(viewer: Viewer, requestId: string, draft: CampaignDraft): Promise<KnownBlock[]>;
  /**
   * Keeps a draft, and returns its review. If it isn't ready, says what to choose in the form first, or asks whether to send it
   * without accents.
   */
  messageDraft(
    viewer: Viewer,
    draftId: string,
    typed: { recipients: string; text: string; senderId?: string | undefined },
  ): Promise<{ content: SlackMessage; state: 'ready' | 'incomplete' | 'accented' }>;
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
