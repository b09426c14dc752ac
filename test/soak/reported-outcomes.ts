import type { SandboxMessage } from '../../sandbox/slack/protocol.ts';
import type { Campaign } from '../../src/store/campaigns/campaigns.ts';
import type { Operation } from '../../src/store/operations/ledger.ts';
import { wordsOf } from '../support/slack/slack-user.ts';

/** Collects the outcomes shown in Slack: operations by the provider's id, campaigns by name. */
export interface ReportedOutcomes {
  read(messages: readonly SandboxMessage[]): void;
  summarize(ended: { operations: readonly Operation[]; campaigns: readonly Campaign[] }): {
    reported: number;
    /** Shown with a doubt: it may be shown elsewhere, or twice. */
    uncertain: number;
    /** Shown nowhere. */
    silent: string[];
    /** Posted twice in a channel. */
    twice: string[];
  };
}

interface Seen {
  inChannel: Set<string>;
  plain: boolean;
  uncertain: boolean;
}

const outcome = /\bid `([^`]+)`/g;
const campaignEnd = /\b(campaign-\d+)\b[\s\S]*\*(?:Done|Cancelled|Not started)/;
const doubt = /may be in .* too|may have this message already/;

export function createReportedOutcomes(isChannel: (id: string) => boolean): ReportedOutcomes {
  const seen = new Map<string, Seen>();

  function note(name: string, { channel, ts, onlyFor }: SandboxMessage, uncertain: boolean): void {
    const known = seen.get(name) ?? { inChannel: new Set(), plain: false, uncertain: false };
    seen.set(name, known);
    known.plain ||= !uncertain;
    known.uncertain ||= uncertain;
    if (isChannel(channel) && onlyFor === undefined) {
      known.inChannel.add(`${channel} ${ts}`);
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
        for (const [, id = ''] of words.matchAll(outcome)) {
          note(id, message, uncertain);
        }
        const campaign = campaignEnd.exec(words)?.[1];
        if (campaign !== undefined) {
          note(campaign, message, uncertain);
        }
      }
    },
    summarize({ operations, campaigns }) {
      const names = [
        ...operations.map(({ providerId, id }) => providerId ?? id),
        ...campaigns.map(({ name }) => name),
      ];
      const of = (name: string) => seen.get(name);
      return {
        reported: names.filter((name) => of(name)?.uncertain === false).length,
        uncertain: names.filter((name) => of(name)?.uncertain).length,
        silent: names.filter((name) => of(name) === undefined),
        twice: names.filter((name) => (of(name)?.inChannel.size ?? 0) > 1),
      };
    },
  };
}
