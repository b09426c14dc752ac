import { WebAPIRateLimitedError, type WebClient } from '@slack/web-api';
import type { Log } from '../../log.ts';
import type { Campaigns } from '../../services/campaigns.ts';
import type { Campaign } from '../../store/campaigns.ts';
import { createCampaignMessages, type Place } from './messages.ts';
import { endedUnseen, isOver, needsSomebody } from './standing.ts';

/**
 * Shows each campaign in one message, from its start to its summary. It only listens: what Slack cannot take now is
 * shown later, and no campaign waits for it. Where Slack did not answer, the message is posted again: two of them do less
 * harm than none.
 */
export interface Board {
  /** Shows what is under way, and from now on every change. */
  start(): void;
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
/** How often it is looked for what was missed, such as an end that nobody could be told of. */
const lookAgainEvery = 60_000;

/** A campaign that is shown. */
interface Shown extends Place {
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

export function createBoard(tools: { client: WebClient; campaigns: Campaigns; log: Log }): Board {
  const { campaigns, log } = tools;
  const messages = createCampaignMessages(tools);
  const board = new Map<string, Shown>();
  let notBefore = 0;
  let stopWatching = () => {};
  let lookingAgain: NodeJS.Timeout | undefined;
  let looking = Promise.resolve();
  let stopped = false;

  const keyOf = ({ workspaceId, id }: Campaign) => JSON.stringify([workspaceId, id]);

  function shownOf(campaign: Campaign): Shown {
    const key = keyOf(campaign);
    let shown = board.get(key);
    if (shown === undefined) {
      shown = { campaign, changed: false, due: 0, shownAt: 0, failures: 0 };
      board.set(key, shown);
    }
    return shown;
  }

  function hear(campaign: Campaign): void {
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
        if (!shown.changed && isOver(shown.campaign)) {
          board.delete(keyOf(shown.campaign));
        }
        schedule(shown);
      });
  }

  async function show(shown: Shown): Promise<void> {
    const { campaign } = shown;
    let isNews = shown.shownState === 'running' && needsSomebody(campaign);
    if (isOver(campaign)) {
      const isNew = await campaigns.tell(campaign, () => messages.say(shown, campaign));
      isNews = isNew && endedUnseen(campaign);
    } else {
      await messages.say(shown, campaign);
    }
    shown.shownState = campaign.state;
    if (isNews) {
      await messages.ring(shown, campaign);
    }
  }

  /** What is under way when the program starts, and ends that could not be told before. */
  async function look(find: () => Promise<Campaign[]>): Promise<void> {
    try {
      for (const campaign of await find()) {
        if (board.get(keyOf(campaign)) === undefined) {
          hear(campaign);
        }
      }
    } catch (error) {
      log.error({ err: error }, 'campaigns to be shown could not be looked up');
    }
  }

  return {
    start() {
      stopWatching = campaigns.watch(hear);
      looking = look(async () => [...(await campaigns.underWay()), ...(await campaigns.untold())]);
      lookingAgain = setInterval(() => {
        looking = looking.then(() => look(campaigns.untold));
      }, lookAgainEvery);
    },
    async stop() {
      stopped = true;
      stopWatching();
      clearInterval(lookingAgain);
      await looking;
      for (const { timer } of board.values()) {
        clearTimeout(timer);
      }
      await Promise.all([...board.values()].map(({ showing }) => showing));
    },
  };
}
