import type { StoredState } from './campaigns.ts';
import { count, encrypted, flag, id, instant, integer, optional, table, text, word } from './declare.ts';

/**
 * - `waiting`: for an approver;
 * - `approved`: an approver said yes, and it is done;
 * - `rejected`: an approver said no;
 * - `withdrawn`: by the person who asked;
 * - `expired`: nobody decided in time;
 * - `void`: its subject has changed.
 */
export type ApprovalState = 'waiting' | 'approved' | 'rejected' | 'withdrawn' | 'expired' | 'void';

/**
 * Why a request is void:
 *
 * - `changed`: its campaign has changed;
 * - `moved_on`: its campaign was started otherwise, edited or discarded;
 * - `price`, `plan_gone`: the plan has another price, or is no longer on sale;
 * - `purchases_off`: eSIMs can no longer be bought;
 * - `not_permitted`: the person who asked may no longer do it;
 * - `cancelled`, `limited`, `not_connected`, `late`: it was approved and could not be done;
 * - `restored`: decisions since the backup are lost.
 */
export type VoidCause =
  | 'changed'
  | 'moved_on'
  | 'price'
  | 'plan_gone'
  | 'purchases_off'
  | 'not_permitted'
  | 'cancelled'
  | 'limited'
  | 'not_connected'
  | 'late'
  | 'restored';

/**
 * - `operation`: how an operation ended;
 * - `operation_resolved`: the outcome of an operation that was reported as unconfirmed;
 * - `delivery`: new delivery statuses, for the Slack message that shows an operation;
 * - `campaign`: the message that shows a campaign; due once the campaign has ended;
 * - `campaign_news`: a campaign ended or needs a person, in a separate message;
 * - `campaign_reports`: new delivery statuses of an ended campaign, for its message;
 * - `campaign_resolved`: the outcomes of recipients that were reported as unconfirmed;
 * - `campaign_missed`: missed runs of a repeating campaign;
 * - `import`: an import was interrupted because the program stopped;
 * - `restored`: the data was restored or copied;
 * - `approval`: a request for approval, in its channel;
 * - `approval_end`: the decision, in the same message;
 * - `approval_news`: the decision, for the person who asked;
 * - `post`: content that a person requested and nothing else stores, see `createPostStore`;
 * - `limits`: most of a budget is used;
 * - `watch`: one message about alerts that were raised, changed or resolved;
 * - `digest`: the daily digest of open alerts;
 * - `reply`: an incoming message;
 * - `reply_thread`: the parent message of a number's thread is out of date.
 */
export type NoticeSubject =
  | 'operation'
  | 'operation_resolved'
  | 'delivery'
  | 'campaign'
  | 'campaign_news'
  | 'campaign_reports'
  | 'campaign_resolved'
  | 'campaign_missed'
  | 'import'
  | 'restored'
  | 'approval'
  | 'approval_end'
  | 'approval_news'
  | 'post'
  | 'limits'
  | 'watch'
  | 'digest'
  | 'reply'
  | 'reply_thread';

/** A request for approval, see `Approval`. */
export const approval = table(
  {
    workspaceId: id(),
    id: id(),
    kind: word<'campaign' | 'esim'>(),
    subject: id(),
    requestedBy: id(),
    owner: id(),
    channelId: id(),
    content: encrypted('personal', {
      as: 'approval_content',
      to: ['workspaceId', 'id'],
      area: () => 'request for approval',
    }),
    /** Of campaigns alone, as `recipients` and `suppressed`. */
    campaignState: optional(word<Exclude<StoredState, 'discarded'>>()),
    recipients: optional(integer()),
    /** The reviewed version, see `versionOf`. */
    campaignVersion: optional(text('plain')),
    state: word<ApprovalState>(),
    cause: optional(word<VoidCause>()),
    reason: optional(
      encrypted('personal', {
        as: 'approval_reason',
        to: ['workspaceId', 'id'],
        area: () => 'request for approval',
      }),
    ),
    createdAt: instant(),
    expiresAt: instant(),
    endedAt: optional(instant()),
    endedBy: optional(id()),
    /** When the approved action was performed: with the approval itself for a campaign. */
    performedAt: optional(instant()),
    messageChannel: optional(id()),
    messageTs: optional(id()),
  },
  {
    key: ['workspaceId', 'id'],
    removal: 'at_once',
    checks: {
      state: "state in ('waiting', 'approved', 'rejected', 'withdrawn', 'expired', 'void')",
      ended: "(state = 'waiting') = (ended_at is null)",
    },
    // At most one of a campaign or an order waits, however many people ask.
    indexes: {
      waiting: { on: ['workspaceId', 'kind', 'subject'], isUnique: true, where: "state = 'waiting'" },
    },
  },
);

/** See `Notice`. A row is deleted once it is delivered. */
export const outbox = table(
  {
    workspaceId: id(),
    subject: word<NoticeSubject>(),
    subjectId: id(),
    userId: id(),
    channelId: optional(id()),
    channelProblem: optional(text('plain')),
    repeated: flag(),
    /** The name of a list. */
    title: optional(text('personal')),
    attempts: count(),
    nextAttemptAt: instant(),
    /** Names the delivery that is in progress, see `NoticeLeases`. */
    lease: optional(id()),
    /** By the database's clock where instances share it. */
    leaseUntil: optional(instant()),
    /** Counts its renewals: a delivery does not show what came after it began. */
    version: count(),
  },
  {
    key: ['workspaceId', 'subject', 'subjectId'],
    removal: 'at_once',
    indexes: { due: { on: ['attempts', 'nextAttemptAt'] } },
  },
);
