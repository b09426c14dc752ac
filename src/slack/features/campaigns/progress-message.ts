import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import type { Log } from '../../../lib/log.ts';
import type { CampaignService } from '../../../services/campaigns/campaign-service.ts';
import type { Campaign } from '../../../store/campaigns/campaigns.ts';
import { type Notice, type NoticeKey, nameOf, type Outbox } from '../../../store/outbox/outbox.ts';
import type { Posting } from '../../client/posting.ts';
import { endedUnseen, isOver, needsSomebody } from './campaign-end.ts';
import type { CampaignNews } from './campaign-news.ts';
import { createCampaignMessages, type MessagePlacement } from './messages.ts';

/**
 * Shows each campaign in one message, from its start to its summary. It only listens: what Slack cannot take now is
 * shown later, and no campaign waits for it.
 */
export interface ProgressMessages {
  /** Shows what is under way, and from now on every change. */
  start(): void;
  /** Shows how a campaign ended, for the outbox. */
  deliver(notice: Notice): Promise<void>;
  stop(): Promise<void>;
}

/** One campaign's message is changed no more often than this. */
const shortestPause = 3_000;
/** Slack: chat.update is tier 3, some 50 a minute for all messages of a workspace together. */
const pauseForEach = 1_300;
const firstRetry = 2_000;
const longestRetry = 60_000;
/** What happens within so little time shows together. */
const together = 100;
/** After so many attempts that failed, an end is left to the outbox. */
const maxFailures = 5;

/** A campaign that is shown. */
interface Shown extends MessagePlacement {
  /** As it is now. */
  campaign: Campaign;
  /** Whether it has changed since it was shown last. */
  changed: boolean;
  timer?: NodeJS.Timeout | undefined;
  /** When the timer fires. */
  due: number;
  showing?: Promise<void> | undefined;
  shownAt: number;
  shownState?: string;
  failures: number;
}

export function createProgressMessages(context: {
  client: WebClient;
  posting: Posting;
  campaigns: CampaignService;
  outbox: Outbox;
  news: CampaignNews;
  log: Log;
}): ProgressMessages {
  const { campaigns, outbox, news, log } = context;
  const messages = createCampaignMessages(context);
  const board = new Map<string, Shown>();
  let notBefore = 0;
  let stopWatching = () => {};
  let looking = Promise.resolve();
  let stopped = false;

  const noticeOf = ({ workspaceId, id }: Campaign): NoticeKey => ({
    workspaceId,
    subject: 'campaign',
    subjectId: id,
  });
  const keyOf = (campaign: Campaign) => nameOf(noticeOf(campaign));

  function shownOf(campaign: Campaign): Shown {
    const key = keyOf(campaign);
    let shown = board.get(key);
    if (shown === undefined) {
      shown = { campaign, changed: false, due: 0, shownAt: 0, failures: 0 };
      board.set(key, shown);
    }
    return shown;
  }

  function handle(campaign: Campaign): void {
    if (stopped || campaign.state === 'reading' || campaign.state === 'ready') {
      return;
    }
    const shown = shownOf(campaign);
    shown.campaign = campaign;
    shown.changed = true;
    schedule(shown);
  }

  /** When it may be shown again: a change of state at once, mere figures as often as Slack takes them. */
  function dueAt({ campaign, shownAt, shownState, failures }: Shown): number {
    if (failures > 0) {
      return shownAt + Math.min(longestRetry, firstRetry * 2 ** (failures - 1));
    }
    if (campaign.state !== shownState || isOver(campaign)) {
      return 0;
    }
    const waiting = [...board.values()].filter(({ changed }) => changed).length;
    return shownAt + Math.max(shortestPause, waiting * pauseForEach);
  }

  function schedule(shown: Shown): void {
    if (stopped || shown.showing !== undefined || !shown.changed) {
      return;
    }
    const now = performance.now();
    const due = Math.max(dueAt(shown), notBefore, now + together);
    // Whatever happens meanwhile never puts off what is due.
    if (shown.timer === undefined || due < shown.due) {
      clearTimeout(shown.timer);
      shown.due = due;
      shown.timer = setTimeout(() => begin(shown), due - now);
    }
  }

  function begin(shown: Shown): void {
    shown.timer = undefined;
    if (performance.now() < notBefore) {
      schedule(shown);
      return;
    }
    shown.changed = false;
    shown.shownAt = performance.now();
    shown.showing = show(shown)
      .then(
        () => {
          shown.failures = 0;
        },
        (error: unknown) => {
          shown.changed = true;
          shown.failures += 1;
          if (error instanceof WebAPIRateLimitedError) {
            notBefore = Math.max(notBefore, performance.now() + error.retryAfter * 1_000);
          }
          log.warn({ err: error, campaign: shown.campaign.id }, 'a campaign’s progress is shown later');
        },
      )
      .finally(() => {
        shown.showing = undefined;
        if (isOver(shown.campaign) && (!shown.changed || shown.failures >= maxFailures)) {
          shown.changed = false;
          board.delete(keyOf(shown.campaign));
        }
        schedule(shown);
      });
  }

  async function show(shown: Shown): Promise<void> {
    const { campaign } = shown;
    if (isOver(campaign)) {
      await showEnd(shown, campaign);
    } else if (!shown.refused) {
      await outbox.hold(noticeOf(campaign), (notice) => messages.show(shown, campaign, notice));
      if (needsSomebody(campaign)) {
        await news.tell(campaign);
      }
    }
    shown.shownState = campaign.state;
  }

  async function showEnd(place: MessagePlacement, campaign: Campaign): Promise<void> {
    const isNews = endedUnseen(campaign);
    const isNew = await outbox.deliver(noticeOf(campaign), async (notice) => {
      await messages.show(place, campaign, notice);
      if (isNews && !place.refused) {
        await news.add(campaign);
      }
    });
    if (isNews && isNew) {
      await news.tell(campaign);
    }
  }

  /** What is under way when the program starts. */
  async function look(): Promise<void> {
    try {
      for (const campaign of await campaigns.listActive()) {
        if (board.get(keyOf(campaign)) === undefined) {
          handle(campaign);
        }
      }
    } catch (error) {
      log.error({ err: error }, 'campaigns to be shown could not be looked up');
    }
  }

  return {
    start() {
      stopWatching = campaigns.watch(handle);
      looking = look();
    },
    async deliver({ workspaceId, subjectId }) {
      const campaign = await campaigns.findAny(workspaceId, subjectId);
      if (campaign !== undefined) {
        await showEnd({}, campaign);
      }
    },
    async stop() {
      stopped = true;
      stopWatching();
      await looking;
      for (const { timer } of board.values()) {
        clearTimeout(timer);
      }
      await Promise.all([...board.values()].map(({ showing }) => showing));
    },
  };
}
