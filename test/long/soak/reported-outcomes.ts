import type { SandboxMessage } from '../../../sandbox/slack/protocol.ts';
import { sendSummarySchema } from '../../../src/services/messages/message-service.ts';
import type { Campaign } from '../../../src/store/campaigns/campaigns.ts';
import type { Operation } from '../../../src/store/operations/operation.ts';
import { wordsOf } from '../../support/slack/slack-user.ts';

/** Collects the outcomes shown in Slack: messages by their masked number, which each of them has alone, campaigns by name. */
export interface ReportedOutcomes {
  read(messages: readonly SandboxMessage[]): void;
  summarize(ended: {
    operations: readonly Pick<Operation, 'summary'>[];
    campaigns: readonly Pick<Campaign, 'name'>[];
  }): {
    reported: number;
    /** Shown with a doubt: it may be shown elsewhere, or twice. */
    uncertain: number;
    /** Shown nowhere. */
    silent: string[];
    /** Posted twice in channels, while the first one stood there. */
    twice: string[];
  };
}

interface Seen {
  /** When it was posted in which channel, in milliseconds, by channel and position. */
  inChannel: Map<string, { channel: string; at: number }>;
  plain: boolean;
  uncertain: boolean;
}

const outcome = /\*(?:Sent|On its way|Delivered|Not delivered|Rejected\.|Not sent\.|Unconfirmed\.)\*/;
/** Masked, or in full for its sender. */
const shownNumber = /\+234\s?(\d{3})(?:•••|\s?\d{3}\s?)(\d{4})/g;
const campaignEnd = /\b(campaign-\d+)\b[\s\S]*\*(?:Done|Cancelled|Not started)/;
const doubt = /may be in .* too|may have this message already/;

/**
 * @param options.standFor the milliseconds after which a message is gone from Slack: the app posts one again that is gone
 */
export function createReportedOutcomes({
  isChannel,
  standFor,
}: {
  isChannel: (id: string) => boolean;
  standFor: number;
}): ReportedOutcomes {
  const seen = new Map<string, Seen>();

  function isTwice(posts: readonly { channel: string; at: number }[]): boolean {
    const sorted = posts.toSorted((one, other) => one.at - other.at);
    return sorted.some((post, index) => {
      const next = sorted[index + 1];
      return next !== undefined && (next.channel !== post.channel || next.at - post.at < standFor);
    });
  }

  function note(name: string, { channel, ts, onlyFor }: SandboxMessage, uncertain: boolean): void {
    const known = seen.get(name) ?? { inChannel: new Map(), plain: false, uncertain: false };
    seen.set(name, known);
    known.plain ||= !uncertain;
    known.uncertain ||= uncertain;
    if (isChannel(channel) && onlyFor === undefined) {
      known.inChannel.set(`${channel} ${ts}`, { channel, at: Number(ts) * 1_000 });
    }
  }

  return {
    read(messages) {
      for (const message of messages) {
        if (message.from !== 'app') {
          continue;
        }
        const words = wordsOf(message);
        const uncertain = doubt.test(words);
        for (const [, first, last] of outcome.test(words) ? words.matchAll(shownNumber) : []) {
          note(`+234${first}•••${last}`, message, uncertain);
        }
        const campaign = campaignEnd.exec(words)?.[1];
        if (campaign !== undefined) {
          note(campaign, message, uncertain);
        }
      }
    },
    summarize({ operations, campaigns }) {
      const names = [
        ...operations.flatMap(({ summary }) => sendSummarySchema.parse(summary).to),
        ...campaigns.map(({ name }) => name),
      ];
      const of = (name: string) => seen.get(name);
      return {
        reported: names.filter((name) => of(name)?.uncertain === false).length,
        uncertain: names.filter((name) => of(name)?.uncertain).length,
        silent: names.filter((name) => of(name) === undefined),
        twice: names.filter((name) => isTwice([...(of(name)?.inChannel.values() ?? [])])),
      };
    },
  };
}
